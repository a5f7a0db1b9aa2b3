"""Who somebody is: `keys` and `proof` say whose a request is, `my_games` and `mine` which games are
theirs, `device_links` bring them to another device."""
