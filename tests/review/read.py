from draughts import PDN
from sgfmill import sgf
game, = PDN.PDNReader(filename='out.pdn').games
print(' '.join(game.moves))
print('Now: ' in game.pdn_text)
game = sgf.Sgf_game.from_bytes(open('out.sgf', 'rb').read())
main = game.get_main_sequence()
print(len(main))
print(main[0].get('C').startswith('Accuracy: Black'))
print(any(node.has_property('BM') and 'Now: ' in node.get('C') for node in main))
