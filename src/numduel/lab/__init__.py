"""What is measured.

`tournament` plays round robins, `audit` says what is true over all positions of a game, `dataset`
draws positions to train and test on, `batch` plays many games at once, `figures` draws charts and
report pages.
"""
