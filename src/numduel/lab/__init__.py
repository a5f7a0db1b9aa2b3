"""Measurements: `tournament` plays round robins, `dataset` draws positions to train and test on,
and `batch` plays many games at once."""
