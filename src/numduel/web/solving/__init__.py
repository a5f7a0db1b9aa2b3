"""What takes long: `solvers` run `tasks` in processes of their own. They wait in `lanes`, where a
`fair` queue shares the time."""
