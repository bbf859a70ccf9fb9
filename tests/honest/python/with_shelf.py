"""A shelf and a database of keys, opened again each turn, and a file that is opened with no mode of its own."""
import os
import shelve
from dbm import dumb

import moves

text = moves.turn(*moves.read())
for _ in range(2):
    with shelve.open("shelf") as shelf:
        shelf["turn"] = text
    with dumb.open("keys", "c") as keys:
        keys[b"turn"] = text.encode()
os.close(os.open("notes", os.O_CREAT | os.O_RDWR, 0o600))
os.close(os.open("notes", os.O_CREAT | os.O_RDWR, 0))
with shelve.open("shelf") as shelf:
    moves.write(shelf["turn"])
