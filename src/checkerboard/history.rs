//! Earlier positions of the game, from `set gamehist`.
//!
//! CheckerBoard sends the command before each `getmove`: the position after the last move that cannot be taken back (a
//! capture, or a move of a man), then the moves of kings since then, which lead to the board of `getmove`:
//! `B:WK12,K27,30,32:B21,K24,28,K31 24-19 27-24 19-15 12-16`.
//!
//! A command has 256 bytes, so the text may be cut in front, even inside its first word. The positions are therefore
//! found from the end: from the board of `getmove`, the moves are taken back as far as they are there.

use kingline::checkers::{Move, Piece, Position, Square};
use kingline::game::{Game, History, Progress};

/// Number of moves that are taken back. The rules behind the engine draw a game after 50 quiet turns, which other
/// checkers players do not know; this leaves 26 turns for plans. Repetitions over more moves are rare.
pub const MOST_MOVES: usize = 24;

/// The end of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameHistory {
    /// The position before the moves, unless it was cut off.
    start: Option<Position>,
    /// First and last squares of moves of kings.
    moves: Vec<(Square, Square)>,
}

impl GameHistory {
    /// Reads the arguments of the command. Words that are not moves cut off everything before them.
    pub fn read(text: &str) -> GameHistory {
        let mut words = text.split_whitespace();
        // A first word that is not a position may be a part of one, or of a move.
        let mut history = GameHistory { start: words.next().and_then(|word| word.parse().ok()), moves: Vec::new() };
        for word in words {
            match step(word) {
                Some(step) => history.moves.push(step),
                None => history = GameHistory::default(),
            }
        }
        history
    }

    /// The game up to `position`, with those earlier positions that are certain. If the history ends elsewhere, there are
    /// none.
    pub fn up_to(&self, position: Position) -> History<Position> {
        let (mut first, mut taken_back) = (position, Vec::new());
        for &step in self.moves.iter().rev() {
            let Some((before, mv)) = take_back(first, step) else { break };
            first = before;
            taken_back.push((before, mv));
        }
        let is_whole = taken_back.len() == self.moves.len();
        if self.start.is_some_and(|start| !is_whole || start != first) {
            return History::from(position);
        }
        taken_back.truncate(MOST_MOVES);
        let mut history = History::from(taken_back.last().map_or(position, |&(before, _)| before));
        for &(_, mv) in taken_back.iter().rev() {
            history.play(mv);
        }
        history
    }
}

/// Reads a step, `24-19`.
fn step(word: &str) -> Option<(Square, Square)> {
    let square = |text: &str| text.parse().ok().and_then(Square::from_number);
    let (from, to) = word.split_once('-')?;
    Some((square(from)?, square(to)?))
}

/// Takes back the step of a king, which was legal and led to `position`. Returns the position before, and the move.
fn take_back(position: Position, (from, to): (Square, Square)) -> Option<(Position, Move)> {
    let moved = !position.turn();
    if position.at(to) != Some((moved, Piece::King)) {
        return None;
    }
    let others = Square::all().filter(|&square| square != to);
    let mut placed: Vec<_> =
        others.filter_map(|square| position.at(square).map(|(color, piece)| (square, color, piece))).collect();
    placed.push((from, moved, Piece::King));
    let before = Position::new(moved, placed);
    let moves = before.legal_moves();
    let mv = moves.iter().copied().find(|mv| (mv.from(), mv.to()) == (from, to))?;
    (before.play(mv) == position && before.progress(mv) == Progress::Reversible).then_some((before, mv))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the sources.
    const START: &str = "B:WK12,K27,30,32:B21,K24,28,K31";
    const MOVES: &str = "24-19 27-24 19-15 12-16";

    /// The position after the moves of the example, and the number of positions up to it.
    fn example() -> (Position, Vec<Position>) {
        let mut positions: Vec<Position> = vec![START.parse().unwrap()];
        for text in MOVES.split(' ') {
            let last = positions[positions.len() - 1];
            positions.push(last.play(last.parse_move(text).unwrap()));
        }
        (positions[4], positions)
    }

    #[test]
    fn the_positions_before_are_found() {
        let (last, positions) = example();
        let history = GameHistory::read(&format!("{START} {MOVES}")).up_to(last);
        assert_eq!(history.positions(), positions);
        let history = GameHistory::read("B:W21-32:B1-12").up_to(Position::start());
        assert_eq!(history.positions(), [Position::start()]);
    }

    #[test]
    fn a_text_that_is_cut_in_front_gives_the_positions_that_are_certain() {
        let (last, positions) = example();
        let whole = format!("{START} {MOVES}");
        for cut in 1..whole.len() {
            let history = GameHistory::read(&whole[cut..]).up_to(last);
            let words = whole[cut..].split_whitespace().count();
            // The first word is not trusted.
            let known = words.min(5);
            assert_eq!(history.positions(), &positions[5 - known..], "{}", &whole[cut..]);
        }
    }

    #[test]
    fn another_game_is_not_believed() {
        let (last, _) = example();
        let texts = "\
            |B:W21-32:B1-12|B:W21-32:B1-12 24-19 27-24 19-15 12-16|\
            B:WK12,K27,30,32:B21,K24,28,K31 24-19 27-24 19-15|\
            B:WK12,K27,30,32:B21,K24,28,K31 24-19 27-24 19-15 12-16 15-10|x 15-19|x 16-12|x 99-16|x 12x16|\
            x 1-16";
        for text in texts.split('|') {
            assert_eq!(GameHistory::read(text).up_to(last).positions(), [last], "{text}");
        }
    }

    #[test]
    fn a_word_that_is_no_step_cuts_off_what_is_before() {
        let (last, positions) = example();
        let history = GameHistory::read(&format!("{START} 24-19 27-24 1x2 19-15 12-16")).up_to(last);
        assert_eq!(history.positions(), &positions[2..]);
    }

    #[test]
    fn repetitions_are_seen_but_a_long_shuffle_is_cut() {
        let position: Position = "B:WK32:BK1".parse().unwrap();
        let shuffle = ["1-5", "32-28", "5-1", "28-32"].repeat(10).join(" ");
        let history = GameHistory::read(&format!("{position} {shuffle}")).up_to(position);
        assert_eq!((history.positions().len(), history.occurrences()), (MOST_MOVES + 1, 7));
    }
}
