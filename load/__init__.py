"""How much a server holds: `crowd` plays many games at once, `classroom` a lesson at human pace."""
