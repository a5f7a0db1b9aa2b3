"""Events on the server: many people play at once, and are paired again and again.

`api` → `service` (who may do what) → `live` (an event in memory) → `numduel.web.live`. `runner`
does what happens by itself, `bodies` are what is asked, `serialise` what is sent.
"""
