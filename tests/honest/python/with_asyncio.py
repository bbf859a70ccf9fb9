"""A program that is started and awaited in an event loop."""
import asyncio

import moves


async def main():
    program = await asyncio.create_subprocess_exec("cat", "input.txt", stdout=asyncio.subprocess.PIPE)
    text, _ = await program.communicate()
    assert program.returncode == 0 and text
    moves.write(moves.turn(*moves.read()))


asyncio.run(main())
