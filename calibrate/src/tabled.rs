//! Random checkers endings, and games that lead to them.

use kingline::checkers::{Move, Piece, Position, Square};
use kingline::game::{Color, Game, History, Progress};
use kingline::knowledge::tablebase::Material;
use kingline::knowledge::tablebase::build::numbers;
use kingline_players::protocol::turn_files::Playdata;
use rand::rngs::StdRng;
use rand::{Rng, RngExt};

/// Positions of some materials, to draw from.
pub(crate) struct Endings {
    /// Materials, each with the total count of position numbers up to and including its own.
    materials: Vec<(Material, u64)>,
}

impl Endings {
    pub(crate) fn of(materials: impl IntoIterator<Item = Material>) -> Endings {
        let mut end = 0;
        let count = |material| {
            end += u64::from(numbers(material));
            (material, end)
        };
        Endings { materials: materials.into_iter().map(count).collect() }
    }

    /// Draws one of the positions, all equally likely; `None` if there are none.
    pub(crate) fn draw(&self, rng: &mut StdRng) -> Option<Position> {
        let &(_, end) = self.materials.last()?;
        loop {
            let number = rng.random_range(0..end);
            let place = self.materials.partition_point(|&(_, end)| end <= number);
            if let Some(position) = place_pieces(self.materials[place].0, rng) {
                return Some(if rng.random() { position } else { position.flipped() });
            }
        }
    }
}

/// Places the pieces of this material at random, with White to move. Returns `None` if men of both sides fall on one
/// square; drawing again then keeps all positions equally likely.
fn place_pieces(material: Material, rng: &mut impl Rng) -> Option<Position> {
    let mut placed: Vec<(Square, Color, Piece)> = Vec::new();
    let mut put = |count: u8, color: Color, piece: Piece| {
        for _ in 0..count {
            let square = loop {
                let square = Square::from_number(rng.random_range(1..=32))?;
                // White's men move up and are kings on the last row (§1).
                let last_row = if color == Color::White { 7 } else { 0 };
                let fits = piece == Piece::King || square.row() != last_row;
                let other = |&(there, owner, _): &(Square, Color, Piece)| there == square && owner != color;
                if piece == Piece::Man && placed.iter().any(other) {
                    return None;
                }
                if fits && placed.iter().all(|&(there, _, _)| there != square) {
                    break square;
                }
            };
            placed.push((square, color, piece));
        }
        Some(())
    };
    put(material.men, Color::White, Piece::Man)?;
    put(material.their_men, Color::Black, Piece::Man)?;
    put(material.kings, Color::White, Piece::King)?;
    put(material.their_kings, Color::Black, Piece::King)?;
    Some(Position::new(Color::White, placed))
}

/// Returns a game that leads to `position` by `quiet_turns` quiet turns, chosen backwards at random without
/// repetitions. The game is shorter if no quiet turn leads further back.
pub(crate) fn game_to(position: Position, quiet_turns: u16, rng: &mut StdRng) -> History<Position> {
    let mut backwards = vec![position];
    let mut turns = Vec::new();
    for _ in 0..quiet_turns {
        let mut ways = quiet_before(&backwards[backwards.len() - 1]);
        ways.retain(|(before, _)| !backwards.contains(before));
        if ways.is_empty() {
            break;
        }
        let (before, mv) = ways.swap_remove(rng.random_range(0..ways.len()));
        backwards.push(before);
        turns.push(mv);
    }
    let mut history = History::new(backwards[backwards.len() - 1]);
    turns.into_iter().rev().for_each(|mv| history.play(mv));
    history
}

/// Returns the contents of playdata.txt before the agent's turn: the game up to the agent's last turn, without the
/// opponent's reply. Returns `None` if there was no such turn.
pub(crate) fn playdata(history: &History<Position>) -> Option<Playdata> {
    let (_, known) = history.positions().split_last()?;
    let (&first, later) = known.split_first()?;
    let mut playdata = Playdata::fresh(first);
    for &next in later {
        let position = playdata.history.position();
        playdata.history.play(position.legal_moves().into_iter().find(|&mv| position.play(mv) == next)?);
    }
    Some(playdata)
}

/// Returns all positions from which a quiet turn leads to `position`, with that turn.
fn quiet_before(position: &Position) -> Vec<(Position, Move)> {
    let mover = !position.turn();
    let pieces: Vec<(Square, Color, Piece)> =
        Square::all().filter_map(|square| position.at(square).map(|(color, piece)| (square, color, piece))).collect();
    let mut found = Vec::new();
    for (place, &(to, _, piece)) in pieces.iter().enumerate().filter(|(_, (_, color, _))| *color == mover) {
        let near = |from: &Square| from.row().abs_diff(to.row()) == 1 && from.column().abs_diff(to.column()) == 1;
        for from in Square::all().filter(near).filter(|&from| position.at(from).is_none()) {
            let mut earlier = pieces.clone();
            earlier[place] = (from, mover, piece);
            let before = Position::new(mover, earlier);
            // Checks by the rules: the mover may have had to jump, and men do not move backwards.
            let list = before.legal_moves();
            let quiet = |mv: &&Move| before.progress(**mv) != Progress::Zeroing && before.play(**mv) == *position;
            if let Some(&mv) = list.iter().find(quiet) {
                found.push((before, mv));
            }
        }
    }
    found
}
