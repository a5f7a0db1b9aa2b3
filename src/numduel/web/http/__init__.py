"""Between the network and the server: `middleware`, `protocol` (limits on connections), `errors`,
`logs` and `metrics`."""
