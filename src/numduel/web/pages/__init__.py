"""The pages: `routes`, their `templates`, and what a link to them shows (`about`, `preview`,
`picture`)."""
