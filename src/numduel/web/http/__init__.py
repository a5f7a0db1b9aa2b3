"""Between the network and the server: `middleware`, `protocol` (limits on connections), `routes`
(how a request of the API is read), `errors`, `logs`, `metrics`, and the `lifeline` to the process
that started this one."""
