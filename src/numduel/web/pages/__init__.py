"""The pages: `routes`, their `templates`, what a link to them shows (`about`, `preview`,
`picture`), and `static`, which joins their scripts and style sheets."""
