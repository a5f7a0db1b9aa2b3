"""What takes long: `solvers` run `tasks` in processes of their own, which wait in `lanes`."""
