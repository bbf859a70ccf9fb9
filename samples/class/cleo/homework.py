"""An agent that was handed in unfinished: Python cannot read it."""

with open("input.txt") as file:
    kind, color, seconds, *rows = file.read().split(

with open("output.txt", "w") as file:
    file.write("E c3 b4\n")
