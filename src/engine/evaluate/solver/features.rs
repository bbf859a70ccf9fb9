//! Features of the hand-written evaluation, after M. Winands, H. van den Herik, J. Uiterwijk, "An evaluation function for
//! Lines of Action", 2003.
//!
//! A move depends only on the contents of its own line (§1), so the values of all possible lines are computed once, then
//! looked up for each position. The shape of a side is where its pieces lie, how close together, and which enemy pieces stand
//! in their way.

use super::{KINDS, Tapered, Weights};
use crate::evaluate::loa::lines::{LINES, Pattern, line};
use crate::game::bits;
use crate::loa::Square;
use crate::loa::bitboard::{self, Bitboard, STRIDE, board, left, right};
use crate::loa::connection::{Quads, euler_number};

/// A side's move counts on one line, by kind.
pub(super) type Moves = [i32; KINDS];

/// Values of all patterns of all lines, Black's minus White's.
#[derive(Debug)]
pub(super) struct LineValues {
    first: [u32; LINES],
    values: Vec<Tapered>,
}

impl LineValues {
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

pub(super) const COUNT: usize = 19;

/// Distances between squares, on a board of one size.
///
/// The center of mass is rounded to a point on a grid twice as fine as the board, so that it rotates and reflects with
/// the board. Column `c` of the board is column `2 * c` of the grid.
pub(super) struct Distances {
    /// Squares at least a given distance away, by point and distance in king steps. Halves are rounded up.
    beyond: [[Bitboard; 9]; POINTS * POINTS],
    /// Squares by distance from the edge; 0 is the edge itself.
    rings: [Bitboard; 4],
    corners: Bitboard,
    /// Smallest possible sum of distances from the center of mass, by number of pieces.
    least: [u16; 65],
}

const POINTS: usize = 15;

pub(super) const fn distances<const N: usize>() -> Distances {
    let mut table = Distances { beyond: [[0; 9]; POINTS * POINTS], rings: [0; 4], corners: 0, least: [0; 65] };
    let mut square = 0;
    while square < 64 {
        if board::<N>() >> square & 1 != 0 {
            let (column, row) = (square % STRIDE, square / STRIDE);
            let mut point = 0;
            while point < POINTS * POINTS {
                let columns = (2 * column).abs_diff(point % POINTS);
                let rows = (2 * row).abs_diff(point / POINTS);
                let far = if columns > rows { columns } else { rows };
                let mut distance = 0;
                while distance <= far.div_ceil(2) {
                    table.beyond[point][distance] |= 1 << square;
                    distance += 1;
                }
                point += 1;
            }
            let across = if column < N - 1 - column { column } else { N - 1 - column };
            let along = if row < N - 1 - row { row } else { N - 1 - row };
            table.rings[if across < along { across } else { along }] |= 1 << square;
            if across + along == 0 {
                table.corners |= 1 << square;
            }
        }
        square += 1;
    }
    let mut pieces = 2;
    while pieces <= 64 {
        // One piece in the center, 8 around it, 16 around those, then 24, and so on.
        let ring = match pieces {
            0..=9 => 1,
            10..=25 => 2,
            26..=49 => 3,
            _ => 4,
        };
        table.least[pieces] = table.least[pieces - 1] + ring;
        pieces += 1;
    }
    table
}

pub(super) type Features = [i32; COUNT];

/// Computes the features of a side with at least one piece, in the order of the weights.
#[inline]
pub(super) fn features<const N: usize>(pieces: Bitboard, enemies: Bitboard, distances: &Distances) -> Features {
    let count = |squares: Bitboard| squares.count_ones() as i32;
    let number = count(pieces);
    let (column, row) = middle::<N>(pieces);
    let beyond = &distances.beyond[POINTS * row + column];
    let mut spread = 0;
    for outside in &beyond[1..] {
        let far = count(pieces & outside);
        if far == 0 {
            break;
        }
        spread += far;
    }
    let surplus = spread - i32::from(distances.least[number as usize]);
    let from_edge = column.min(2 * (N - 1) - column).min(row).min(2 * (N - 1) - row) as i32;
    let Quads { here, right: beside, above, across } = Quads::of(pieces);
    let pairs = count(here & beside) + count(here & above) + count(here & across) + count(beside & above);
    let four = here & beside & above & across;
    let three = (here & beside & (above | across) | above & across & (here | beside)) & !four;
    // Quads with a square within two steps of the center of mass.
    let near = Quads::of(beyond[0] & !beyond[3]).any();
    let ring = |ring: usize| count(pieces & distances.rings[ring]);
    let corner = count(pieces & distances.corners);
    let groups = euler_number(pieces);
    let touched = neighbors(pieces);
    [
        number,
        surplus,
        32 * surplus / number,
        corner,
        ring(0) - corner,
        ring(1),
        ring(2),
        from_edge,
        count(three & near),
        count(four & near),
        pairs,
        32 * pairs / number,
        area(pieces),
        groups,
        i32::from(groups <= 1),
        i32::from(groups == 2),
        count(pieces & !touched),
        count(enemies & !beyond[2]),
        count(enemies & touched),
    ]
}

/// Column and row of the grid point nearest to the center of mass. Halves are rounded toward the center of the board.
#[inline]
fn middle<const N: usize>(pieces: Bitboard) -> (usize, usize) {
    const COLUMNS: [Bitboard; 3] = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
    const ROWS: [Bitboard; 3] = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];
    let number = pieces.count_ones();
    let rounded = |bits: [Bitboard; 3]| {
        let sum: u32 = (0..3).map(|bit| (pieces & bits[bit]).count_ones() << bit).sum();
        // The point is 2 * sum / number. Below the center of the board a half is rounded up.
        let down = 4 * sum + number;
        let half = u32::from(2 * sum > (N as u32 - 1) * number);
        ((down - half) / (2 * number)) as usize
    };
    (rounded(COLUMNS), rounded(ROWS))
}

#[inline(always)]
fn neighbors(pieces: Bitboard) -> Bitboard {
    let beside = left(pieces) | right(pieces);
    let wide = pieces | beside;
    beside | wide << STRIDE | wide >> STRIDE
}

/// Number of squares in the smallest rectangle around all pieces.
#[inline(always)]
fn area(pieces: Bitboard) -> i32 {
    let mut columns = pieces | pieces >> 32;
    columns |= columns >> 16;
    columns |= columns >> 8;
    let columns = columns as u8;
    let width = 8 - columns.leading_zeros() - columns.trailing_zeros();
    let height = 8 - pieces.leading_zeros() / 8 - pieces.trailing_zeros() / 8;
    (width * height) as i32
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

    const DISTANCES: Distances = distances::<8>();

    #[test]
    fn the_center_of_mass_is_rounded_to_the_nearest_point() {
        assert_eq!(middle::<8>(1 | 1 << 63), (7, 7));
        assert_eq!(middle::<8>(1 << 10 | 1 << 12), (6, 2));
        assert_eq!(middle::<8>(1 << 57), (2, 14));
        // Three pieces in column a and one in b: a quarter of a column is half a point, which is rounded up. The mirror
        // image is rounded down.
        assert_eq!(middle::<8>(1 | 1 << 8 | 1 << 16 | 1 << 1), (1, 2));
        assert_eq!(middle::<8>(1 << 7 | 1 << 15 | 1 << 23 | 1 << 6), (13, 2));
    }

    #[test]
    fn rectangles_have_their_area() {
        assert_eq!(area(1), 1);
        assert_eq!(area(1 | 1 << 63), 64);
        assert_eq!(area(1 << 9 | 1 << 12), 4);
        assert_eq!(area(1 << 9 | 1 << 33), 4);
    }

    #[test]
    fn features_of_a_solid_block() {
        let block = 7 << 18 | 7 << 26 | 7 << 34;
        let features = features::<8>(block, 1 << 27 | 1 << 17 | 1 << 63, &DISTANCES);
        assert_eq!(features[..3], [9, 0, 0], "nine pieces, no surplus distance");
        assert_eq!(features[9], 4, "four full quads");
        assert_eq!(features[10], 6 + 6 + 4 + 4, "touching pairs");
        assert_eq!(features[12..17], [9, 1, 1, 0, 0], "area, one group, none alone");
        assert_eq!(features[17..], [1, 2], "an enemy in the middle, one more beside");
    }

    #[test]
    fn features_of_the_start_position() {
        let rows = 0x7e | 0x7e << 56;
        let features = features::<8>(rows, 0, &DISTANCES);
        assert_eq!((features[0], features[3], features[4]), (12, 0, 12), "all on the edge, none in a corner");
        assert_eq!((features[10], features[12], features[13], features[15]), (10, 48, 2, 1));
    }
}
