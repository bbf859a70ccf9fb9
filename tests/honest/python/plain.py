import moves

moves.write(moves.turn(*moves.read()))
