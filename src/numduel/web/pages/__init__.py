"""The pages: `routes`, their `templates`, what a link to them shows (`about`),
`picture` (of a game), and `static`, which joins their scripts and style sheets."""
