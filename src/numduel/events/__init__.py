"""Events: many people play at once, and are paired again and again.

>>> import numduel
>>> from numduel.events import actions, director
>>> from numduel.events.event import fold
>>> from numduel.events.settings import chosen
>>> settings = chosen([numduel.game("factors")], format="swiss", rounds=3)
>>> log = [actions.create(settings, host="", now=0.0)]
>>> for name in ("Ada", "Bo", "Cy"):
...     log.append(actions.join(fold(log), name, now=1.0))
>>> log.append(actions.start(fold(log), now=60.0))
>>> ids = iter(("game-1", "game-2", "game-3", "game-4"))
>>> log += director.due(fold(log), now=60.0, new_id=lambda: next(ids))
>>> [pairing.players for pairing in fold(log).open_pairings]     # 0 is the computer
[(1, 0), (2, 3)]

`event` folds a log into an event, `actions` are what people can do in one, and `director` decides,
with the help of `pairing`, what happens by itself. `standings` is the table, `review` tells
everyone what to learn, and `names` has codes and nicknames: `friendly` ones are offered, and
`manners` knows the rude ones. Nothing here knows a server, a clock or
a database: entries are written and games played elsewhere.
"""
