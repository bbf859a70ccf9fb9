import sys, time
import draughts, draughts.engine
program, hash, nodes, openings = sys.argv[1:]
engine = draughts.engine.HubEngine([program])
engine.configure({'hash': hash, 'variant': 'english'})
print(engine.id['name'], *sorted(engine.options))
for opening in openings.split(','):
    engine.init()
    board = draughts.Board(variant='english')
    for move in opening.split():
        board.push(draughts.Move(board, hub_move=move))
    moves = []
    while not board.is_over() and len(moves) < 300:
        began = time.monotonic()
        move = engine.play(board, draughts.engine.Limit(nodes=int(nodes)), False).move
        moves.append('%s:%.3f' % (move.hub_move, time.monotonic() - began))
        board.push(move)
    print(*moves)
engine.quit()
engine.kill_process()
