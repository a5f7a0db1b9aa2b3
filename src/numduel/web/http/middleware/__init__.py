"""ASGI middleware, one concern per module; `numduel.web.app` puts them in order."""
