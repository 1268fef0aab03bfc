"""The journal: what happened at this table, durable before anyone hears of it.

`segments`   `Journal`, the one writer
`walk`       `read`: going over records, also while a writer runs
`verify`     whether every byte is as it was written and nothing is missing
`recovery`   opening after a crash: torn tail or damage
`format`     the bytes of a segment's header and of a record (pure)
`directory`  the files of a journal: names, modes, lock, making a segment
`head`       the unsynced note of the last append
`errors`     what can go wrong, in one sentence each
`entries`    records decoded, each fact with its deck and round; hidden faces struck out
`audit`      deciding every input again
`timeline`   `mazziere journal show` in words
`ledger`     the SQLite view
`cli`        `mazziere journal …`

Only `entries`, `audit`, `timeline` and `ledger` know what a payload means.
"""
