"""Temporary files in the system's default folder."""
import os
import tempfile

import moves

with tempfile.TemporaryFile() as file, tempfile.TemporaryDirectory() as folder:
    file.write(b"x" * (1 << 20))
    file.seek(0)
    assert len(file.read()) == 1 << 20
    with open(os.path.join(folder, "state"), "w") as state:
        state.write("y")
    with tempfile.NamedTemporaryFile(mode="w") as answer:
        answer.write(moves.turn(*moves.read()))
        answer.flush()
        with open(answer.name) as again:
            moves.write(again.read())
