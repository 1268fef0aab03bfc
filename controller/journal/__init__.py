"""The journal: what happened at this table, durable before anyone hears of it.

`format`     the bytes of a segment's header and of a record (pure)
`directory`  the files of a journal: names, modes, lock, making a segment
`recovery`   opening after a crash: torn tail or damage
`segments`   `Journal`, the one writer
`walk`       reading and verifying, also while a writer runs
`errors`     what can go wrong, in one sentence each
`cli`        `mazziere journal …`; `show` and `ledger` are its views

Nothing here knows what a payload means but the views.
"""
