//! Values of the moves on one line. A move depends only on the contents of its own line (§1), so the values of all
//! possible lines are computed once, then looked up for each position.

use super::tapered::Tapered;
use super::weights::{KINDS, Weights};
use crate::evaluate::loa::lines::{LINES, Pattern, line};
use crate::game::bits::bits;
use crate::loa::Square;
use crate::loa::bitboard::{self, Bitboard, STRIDE};

/// A side's move counts on one line, by kind.
pub(super) type Moves = [i32; KINDS];

/// Values of all patterns of all lines, Black's minus White's.
#[derive(Debug)]
pub(super) struct LineValues {
    /// Index of the first pattern of each line.
    first: [u32; LINES],
    values: Vec<Tapered>,
}

impl LineValues {
    /// Computes the values of all lines on a board of `N` columns and rows.
    pub(super) fn new<const N: usize>(weights: &Weights) -> LineValues {
        let mut table = LineValues { first: [0; LINES], values: Vec::new() };
        // Lines with the same length and the same edge squares share their values.
        let mut known: Vec<(Vec<bool>, u32)> = Vec::new();
        for axis in 0..4 {
            for square in Square::all::<N>().map(Square::index) {
                let squares = squares::<N>(axis, square);
                if squares[0] != square {
                    continue;
                }
                let edges: Vec<bool> = squares.iter().map(|&square| is_edge::<N>(square)).collect();
                let first = match known.iter().find(|(other, _)| *other == edges) {
                    Some(&(_, first)) => first,
                    None => {
                        let first = table.values.len() as u32;
                        let patterns = 3u16.pow(edges.len() as u32);
                        table.values.extend((0..patterns).map(|pattern| value(pattern, &edges, weights)));
                        known.push((edges, first));
                        first
                    }
                };
                table.first[line(axis, square)] = first;
            }
        }
        table
    }

    /// Value of a line with these contents.
    #[inline(always)]
    pub(super) fn get(&self, line: usize, pattern: Pattern) -> Tapered {
        self.values[self.first[line] as usize + usize::from(pattern)]
    }
}

/// Squares of the line through a square, from its low end.
pub(super) fn squares<const N: usize>(axis: usize, square: usize) -> Vec<usize> {
    let geometry = bitboard::geometry::<N>();
    let all: Bitboard = geometry.above[axis][square] | geometry.below[axis][square] | 1 << square;
    bits(all).collect()
}

/// Returns true if a square lies on the edge of the board.
fn is_edge<const N: usize>(square: usize) -> bool {
    [square % STRIDE, square / STRIDE].into_iter().any(|place| place == 0 || place == N - 1)
}

fn value(pattern: Pattern, edges: &[bool], weights: &Weights) -> Tapered {
    let [black, white] = count(pattern, edges);
    let mut sum = Tapered::default();
    for ((black, white), &weight) in black.iter().zip(white).zip(&weights.moves) {
        sum += weight * (black - white);
    }
    sum
}

/// Counts Black's and White's moves on a line by kind: quiet moves within the inner board, from the edge to the inner
/// board, and to the edge; the same three kinds of captures; moves that an enemy piece blocks, first those toward the
/// middle of the line (walls), then the others.
pub(super) fn count(pattern: Pattern, edges: &[bool]) -> [Moves; 2] {
    let length = edges.len() as i32;
    let content: Vec<u16> = (0..edges.len() as u32).map(|place| pattern / 3u16.pow(place) % 3).collect();
    let distance = content.iter().filter(|&&square| square != 0).count() as i32;
    let mut moves = [[0; KINDS]; 2];
    for (from, &owner) in (0..length).zip(&content).filter(|&(_, &owner)| owner != 0) {
        for way in [1, -1] {
            let to = from + way * distance;
            if to < 0 || to >= length || content[to as usize] == owner {
                continue;
            }
            let blocked = (1..distance).any(|step| {
                let over = content[(from + way * step) as usize];
                over != 0 && over != owner
            });
            let inward = (2 * to - (length - 1)).abs() < (2 * from - (length - 1)).abs();
            let leaves_edge = edges[from as usize];
            let kind = match (blocked, content[to as usize] != 0, edges[to as usize]) {
                (true, ..) => 6 + usize::from(!inward),
                (false, captures, false) => 3 * usize::from(captures) + usize::from(leaves_edge),
                (false, captures, true) => 3 * usize::from(captures) + 2,
            };
            moves[usize::from(owner - 1)][kind] += 1;
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Color, Game};
    use crate::loa::Position;

    /// Checks that the moves of all lines add up to the legal moves.
    fn check<const N: usize>() {
        let mut position = Position::<N>::start();
        for turn in 0..400 {
            let mut counted = [[0; KINDS]; 2];
            for (axis, square) in (0..4).flat_map(|axis| Square::all::<N>().map(move |square| (axis, square.index()))) {
                let squares = squares::<N>(axis, square);
                if squares[0] == square {
                    let edges: Vec<bool> = squares.iter().map(|&square| is_edge::<N>(square)).collect();
                    let pattern = (0..).zip(&squares).map(|(place, &square)| {
                        position.at(Square::from_index(square)).map_or(0, |color| 1 + color as Pattern)
                            * 3u16.pow(place)
                    });
                    let line = count(pattern.sum(), &edges);
                    for (sum, moves) in counted.iter_mut().flatten().zip(line.as_flattened()) {
                        *sum += moves;
                    }
                }
            }
            for color in Color::ALL {
                let position = position.with_turn(color);
                let list = position.legal_moves();
                let captures = list.iter().filter(|&&mv| position.captures(mv)).count();
                let to_edge = list.iter().filter(|mv| is_edge::<N>(mv.to().index())).count();
                let moves = counted[color.index()].map(|number| number as usize);
                assert_eq!(moves[..6].iter().sum::<usize>(), list.len(), "turn {turn}, {position}");
                assert_eq!(moves[3..6].iter().sum::<usize>(), captures, "turn {turn}, {position}");
                assert_eq!(moves[2] + moves[5], to_edge, "turn {turn}, {position}");
            }
            let list = position.legal_moves();
            if list.is_empty() || position.outcome().is_some() {
                position = Position::start();
            } else {
                position = position.play(list[turn * 7 % list.len()]);
            }
        }
    }

    #[test]
    fn line_tables_count_exactly_the_legal_moves() {
        check::<8>();
        check::<6>();
    }

    #[test]
    fn enemies_block_moves_over_them() {
        // b w b - - - - -: the left piece must not pass the enemy piece to the empty fourth square.
        let edges = [true, false, false, false, false, false, false, true];
        let [black, white] = count(1 + 2 * 3 + 9, &edges);
        assert_eq!(black, [1, 0, 0, 0, 0, 0, 1, 0], "one free, one blocked toward the middle");
        assert_eq!(white, [0, 0, 0, 0, 0, 0, 1, 0]);
    }
}
