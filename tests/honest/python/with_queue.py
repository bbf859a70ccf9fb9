import multiprocessing

import moves


def think(queue):
    queue.put(moves.turn(*moves.read()))


if __name__ == "__main__":
    queue = multiprocessing.Queue()
    process = multiprocessing.Process(target=think, args=(queue,))
    process.start()
    moves.write(queue.get(timeout=10))
    process.join()
