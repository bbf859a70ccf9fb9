"""Temporary files in /tmp, by name."""
import os
import tempfile

import moves

with tempfile.NamedTemporaryFile(mode="w", dir="/tmp", delete=False) as draft:
    draft.write(moves.turn(*moves.read()))
with open(draft.name) as again:
    moves.write(again.read())
os.remove(draft.name)
