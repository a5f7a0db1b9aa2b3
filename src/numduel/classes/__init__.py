"""Classes that last for a term: pupils without names, their events and their homework.

>>> from numduel.classes import actions
>>> from numduel.classes.classroom import Code, fold
>>> log = [actions.create(host="", ends="2027-02-12", now=0.0)]
>>> pupils, codes = ["Quick Otter", "Calm Heron"], [Code("hash 1"), Code("hash 2")]
>>> log += actions.add_pupils(fold(log), pupils, codes, now=0.0)
>>> log.append(actions.enter(fold(log), 2, token="of a browser", now=1.0))
>>> fold(log).pupil_with(["of a browser"]).nickname
'Calm Heron'

`classroom` folds a log into a class, `actions` are what can happen in one, `codes` has what pupils
type, and `homework` who has done what. Nothing here knows a server, a clock or a database.
"""
