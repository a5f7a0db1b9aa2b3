"""Games on the server.

`api` → `service` (who may do what) → `live` (a game in memory) → `numduel.web.live`. `room` folds a
log into a game, `rows` are those of one that begins, `computer` answers by itself, `bodies` are
what is asked, `serialise` what is sent, `qr` draws a link.
"""
