"""What a browser gets first: `routes`, their `templates`, and what a link shows of itself (`about`,
`preview`, `picture`)."""
