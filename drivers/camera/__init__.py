"""The camera over the felt: cards found in a picture, and which they are.

`locate` finds four corners, `rectify` makes a flat face of them, `classify` and
`verify` say which of a profile's forty it is or why that is unsure; `recognise`
puts them together and is a pure function of picture and profile. `profile` is
what an enrolment learned, `table_profile` where on the table a card lies.
Not here: how a picture is taken, and which reading counts.
"""
