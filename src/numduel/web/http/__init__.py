"""Between the network and the server: `protocol` (limits on connections), `middleware`, `routes`
(how requests to the API are read), `errors`, `logs`, and the `tables` that processes
share."""
