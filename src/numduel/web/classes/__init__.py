"""Classes that last for a term: `api` → `service`, who may do what → `live`. What a class is, is in
`numduel.classes`."""
