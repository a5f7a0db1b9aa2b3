"""Measurements: `tournament` plays round robins, `dataset` draws positions to train and test on,
`batch` plays many games at once, and `figures` draws charts and report pages."""
