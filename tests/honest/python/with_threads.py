import threading

import moves

found = []
threads = [threading.Thread(target=lambda: found.append(moves.count(20000))) for _ in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(found) == 16
moves.write(moves.turn(*moves.read()))
