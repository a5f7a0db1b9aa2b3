"""Measurements: `tournament` plays round robins, `audit` finds what is true of all positions of a
game, `dataset` draws positions to train and test on, `batch` plays many games at once, and
`figures` draws charts and report pages."""
