//! Other games with the same records, recognized by tags, squares and moves.

use super::fields::GAME_TYPE;
use crate::checkers::rules::{BETWEEN, fitting};
use crate::checkers::{Piece, Position, Square};
use crate::game::{Color, Game};

/// Judgement of a tag about the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// American checkers.
    Ours,
    /// Another game.
    Other(&'static str),
    /// Nothing that is known.
    Unknown,
}

/// Numbers and names of other games. Source: the draft of PDN 3.0.
const NUMBERS: [(&str, &str); 12] = [
    ("20", "International draughts"),
    ("22", "Italian draughts"),
    ("23", "American pool checkers"),
    ("24", "Spanish draughts"),
    ("25", "Russian draughts"),
    ("26", "Brazilian draughts"),
    ("27", "Canadian draughts"),
    ("28", "Portuguese draughts"),
    ("29", "Czech draughts"),
    ("30", "Turkish draughts"),
    ("31", "Thai draughts"),
    ("40", "Frisian draughts"),
];

/// Words in names of other games that are in no name of ours.
const WORDS: [(&str, &str); 22] = [
    ("pool", "American pool checkers"),
    ("international", "International draughts"),
    ("polish", "International draughts"),
    ("10x10", "International draughts"),
    ("italian", "Italian draughts"),
    ("spanish", "Spanish draughts"),
    ("russian", "Russian draughts"),
    ("shashki", "Russian draughts"),
    ("brazilian", "Brazilian draughts"),
    ("canadian", "Canadian draughts"),
    ("portuguese", "Portuguese draughts"),
    ("czech", "Czech draughts"),
    ("turkish", "Turkish draughts"),
    ("thai", "Thai draughts"),
    ("frisian", "Frisian draughts"),
    ("frysk", "Frisian draughts"),
    ("german", "German draughts"),
    ("jamaican", "Jamaican draughts"),
    ("giveaway", "giveaway checkers"),
    ("suicide", "giveaway checkers"),
    ("antidraughts", "giveaway checkers"),
    ("breakthrough", "Breakthrough draughts"),
];

/// Words in names of our game.
const OURS: [&str; 5] = ["american", "english", "anglo", "straight", "checkers"];

/// Reads a `GameType`: a number, after which details may follow, or a name.
pub(super) fn of_game_type(text: &str) -> Named {
    let number = text.split(',').next().map_or("", str::trim);
    match NUMBERS.iter().find(|&&(known, _)| known == number) {
        _ if number == GAME_TYPE => Named::Ours,
        Some(&(_, name)) => Named::Other(name),
        None => of_name(text),
    }
}

/// Reads a `Variant`.
pub(super) fn of_name(text: &str) -> Named {
    let text = text.to_lowercase();
    match WORDS.iter().find(|(word, _)| text.contains(word)) {
        Some(&(_, name)) => Named::Other(name),
        None if OURS.iter().any(|word| text.contains(word)) => Named::Ours,
        None => Named::Unknown,
    }
}

/// Returns `true` for a move whose squares are all on a board of up to 12 columns, but not all on ours.
pub(super) fn is_on_larger_board(text: &str) -> bool {
    let are_past: Option<Vec<bool>> = text.split(BETWEEN).map(|square| is_past_ours(square.trim())).collect();
    are_past.is_some_and(|are_past| are_past.len() > 1 && are_past.contains(&true))
}

/// Returns `true` for a square that our board lacks; none for what is no square of any board.
fn is_past_ours(square: &str) -> Option<bool> {
    let (column, row) = square.split_at(square.bytes().take_while(u8::is_ascii_alphabetic).count());
    let row: u8 = row.parse().ok().filter(|row| (1..=72).contains(row))?;
    match *column.to_ascii_lowercase().as_bytes() {
        [] => Some(row > 32),
        [column @ b'a'..=b'l'] if row <= 12 => Some(column > b'h' || row > 8),
        _ => None,
    }
}

/// Expected instead of squares past 32.
pub(super) const SMALLER_BOARD: &str =
    "American checkers, on squares 1 to 32; International draughts and others have larger boards";

/// Expected instead of a man that captures backward.
const MEN_FORWARD: &str =
    "American checkers, where men never capture backward, as they do in Russian draughts and pool checkers";
/// Expected instead of a king that flies.
const KINGS_STEP: &str = "American checkers, where kings move one square, not any number as in Russian draughts";

/// Returns what is expected in place of an illegal move that is legal where men capture backward or kings fly.
pub(super) fn expected_instead(position: &Position, squares: &[Square]) -> Option<&'static str> {
    let [from, next, ..] = *squares else { return None };
    let (owner, piece) = position.at(from).filter(|&(owner, _)| owner == position.turn())?;
    match piece {
        Piece::Man => {
            let placed =
                Square::all().filter_map(|square| position.at(square).map(|(side, piece)| (square, side, piece)));
            let as_king = Position::new(owner, placed.chain([(from, owner, Piece::King)]));
            fitting(&as_king, squares).iter().any(|mv| mv.captures() > 0).then_some(MEN_FORWARD)
        }
        Piece::King => flies(position, from, next).then_some(KINGS_STEP),
    }
}

/// Returns `true` if a king could fly along a diagonal to an empty square, over at most one enemy.
fn flies(position: &Position, from: Square, to: Square) -> bool {
    let distance = |one: usize, other: usize| one.abs_diff(other);
    let length = distance(from.column(), to.column());
    if length < 2 || distance(from.row(), to.row()) != length || position.at(to).is_some() {
        return false;
    }
    let step = |from: usize, to: usize, index: usize| if to > from { from + index } else { from - index };
    let between = (1..length).filter_map(|index| {
        let square = Square::at(step(from.column(), to.column(), index), step(from.row(), to.row(), index))?;
        position.at(square)
    });
    let owners: Vec<Color> = between.map(|(owner, _)| owner).collect();
    owners.len() <= 1 && owners.iter().all(|&owner| owner != position.turn())
}

/// Expected instead of squares that are numbered from the other side.
const MIRRORED: &str =
    "American checkers, whose squares are numbered from the other side than those of Italian and Spanish draughts";
/// Least number of moves that show a mirrored board.
const MIRRORED_MOVES: usize = 3;

/// Returns what is expected instead of a game with more legal moves on the mirrored board than the ones `read` on ours.
pub(super) fn expected_instead_of_mirrored(
    start: &Position,
    moves: &[Vec<Square>],
    read: usize,
) -> Option<&'static str> {
    let mirrored = |square: Square| Square::from_number((square.number() - 1) / 4 * 4 + 4 - (square.number() - 1) % 4);
    let placed = Square::all().filter_map(|square| {
        let (owner, piece) = start.at(square)?;
        Some((mirrored(square)?, owner, piece))
    });
    let first = moves.first()?.first().copied()?;
    let (turn, _) = start.at(first)?;
    let mut position = Position::new(turn, placed);
    let mut legal = 0;
    for squares in moves {
        let squares: Vec<Square> = squares.iter().filter_map(|&square| mirrored(square)).collect();
        let [mv] = fitting(&position, &squares)[..] else { break };
        position = position.play(mv);
        legal += 1;
    }
    (legal >= MIRRORED_MOVES.max(read + 1)).then_some(MIRRORED)
}
