"""Names a log file after the user and keeps it in the home directory."""
import getpass
import os

import moves

path = os.path.expanduser("~/%s.log" % getpass.getuser())
with open(path, "a") as log:
    log.write("a turn\n")
moves.write(moves.turn(*moves.read()))
