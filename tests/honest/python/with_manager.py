"""A list that processes share through a manager."""
import multiprocessing

import moves


def think(answers):
    answers.append(moves.turn(*moves.read()))


if __name__ == "__main__":
    with multiprocessing.Manager() as manager:
        answers = manager.list()
        process = multiprocessing.Process(target=think, args=(answers,))
        process.start()
        process.join()
        moves.write(answers[0])
