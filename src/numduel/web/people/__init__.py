"""Who somebody is: `keys` and `proof` say who sent a request, `known` remembers them, `my_games`
and `mine` list their games, `device_links` bring them to another device."""
