//! Which number has a position among all positions of its material?
//!
//! A set of `k` squares has the number that the combinatorial number system gives it (D. H. Lehmer, "The
//! machine tools of combinatorics", 1964): the sum of `binomial(square i, i + 1)` over its squares, lowest
//! first. The mover's men are such a set of the 28 squares of its rows 0 to 6; the other side's men
//! likewise, seen from there; the mover's kings one of the squares without men; the other side's kings one
//! of the squares that are left. The last changes fastest. Two men on one square make a number without a
//! position.

use super::board::Board;
use super::material::{MAX_A_SIDE, Material};

/// Squares where a man can stand.
const MAN_SQUARES: u8 = 28;
const SQUARES: u8 = 32;
const MOST: usize = MAX_A_SIDE as usize;

/// `BINOMIALS[k][n]`: ways to choose `k` of `n`.
const BINOMIALS: [[u32; 33]; MOST + 1] = {
    let mut table = [[0; 33]; MOST + 1];
    let mut n = 0;
    while n <= 32 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MOST && k <= n {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

const fn binomial(n: u8, k: u8) -> u32 {
    BINOMIALS[k as usize][n as usize]
}

/// The numbering of one material's positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Index {
    material: Material,
    their_men: u32,
    kings: u32,
    their_kings: u32,
    len: u32,
}

impl Index {
    /// For a material that [fits](Self::fits).
    pub(super) const fn new(material: Material) -> Index {
        let free = SQUARES - material.all_men();
        let their_men = binomial(MAN_SQUARES, material.their_men);
        let kings = binomial(free, material.kings);
        let their_kings = binomial(free - material.kings, material.their_kings);
        let len = binomial(MAN_SQUARES, material.men) * their_men * kings * their_kings;
        Index { material, their_men, kings, their_kings, len }
    }

    /// Whether a table can have this material: 1 to [`MAX_A_SIDE`] pieces a side, and fewer than 2^32 numbers.
    pub(super) const fn fits(material: Material) -> bool {
        let Material { men, kings, their_men, their_kings } = material;
        let (own, theirs) = (material.own(), material.theirs());
        if own == 0 || own > MAX_A_SIDE || theirs == 0 || theirs > MAX_A_SIDE {
            return false;
        }
        let free = SQUARES - material.all_men();
        let all_men = binomial(MAN_SQUARES, men) as u64 * binomial(MAN_SQUARES, their_men) as u64;
        let all_kings = binomial(free, kings) as u64 * binomial(free - kings, their_kings) as u64;
        // Neither product is larger than that of two sets of four squares, which has 31 bits.
        all_men * all_kings <= u32::MAX as u64
    }

    /// Numbers run from 0 to below this.
    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    /// The number of a board, which must have this material.
    #[inline]
    pub(super) fn of(&self, board: Board) -> u32 {
        let men = board.men | board.their_men;
        let mut number = rank(board.men, 0);
        number = number * self.their_men + rank(board.their_men.reverse_bits(), 0);
        number = number * self.kings + rank(board.kings, men);
        number * self.their_kings + rank(board.their_kings, men | board.kings)
    }

    /// The board of a number; `None` if it puts two men on one square.
    #[inline]
    pub(super) fn board(&self, number: u32) -> Option<Board> {
        let Material { men, kings, their_men, their_kings } = self.material;
        let (number, their_kings_rank) = (number / self.their_kings, number % self.their_kings);
        let (number, kings_rank) = (number / self.kings, number % self.kings);
        let (men_rank, their_men_rank) = (number / self.their_men, number % self.their_men);
        let men = unrank(men_rank, men, 0);
        let their_men = unrank(their_men_rank, their_men, 0).reverse_bits();
        if men & their_men != 0 {
            return None;
        }
        let kings = unrank(kings_rank, kings, men | their_men);
        let their_kings = unrank(their_kings_rank, their_kings, men | their_men | kings);
        Some(Board { men, kings, their_men, their_kings })
    }
}

/// The number of a set among those of as many of the squares that are not `taken`.
#[inline(always)]
fn rank(mut set: u32, taken: u32) -> u32 {
    let mut number = 0;
    let mut chosen = 1;
    while set != 0 {
        let square = set.trailing_zeros();
        let place = square - (taken & ((1 << square) - 1)).count_ones();
        number += BINOMIALS[chosen][place as usize];
        chosen += 1;
        set &= set - 1;
    }
    number
}

/// The set of `count` squares with this number among those not `taken`.
#[inline(always)]
fn unrank(mut number: u32, count: u8, taken: u32) -> u32 {
    let mut set = 0;
    let mut place = usize::from(SQUARES);
    for chosen in (1..=usize::from(count)).rev() {
        place -= 1;
        while BINOMIALS[chosen][place] > number {
            place -= 1;
        }
        number -= BINOMIALS[chosen][place];
        set |= 1 << square_at(place as u32, taken);
    }
    set
}

/// The square that has `place` squares below it that are not `taken`.
#[inline(always)]
fn square_at(mut place: u32, mut taken: u32) -> u32 {
    while taken != 0 {
        let square = taken.trailing_zeros();
        if square > place {
            break;
        }
        place += 1;
        taken &= taken - 1;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_a_distinct_board_or_two_men_on_a_square() {
        for material in (2..=4).flat_map(|pieces| Material::all(pieces, 3)) {
            let index = Index::new(material);
            for number in (0..index.len()).step_by(1 + index.len() as usize / 50_000) {
                match index.board(number) {
                    Some(board) => {
                        assert_eq!(board.material(), material);
                        assert_eq!(index.of(board), number);
                    }
                    None => assert!(material.men > 0 && material.their_men > 0),
                }
            }
        }
    }

    /// The known counts of positions of two pieces, and of three.
    #[test]
    fn there_are_as_many_boards_as_positions() {
        let boards = |pieces| -> usize {
            let all = Material::all(pieces, 3).into_iter().map(Index::new);
            all.map(|index| (0..index.len()).filter(|&number| index.board(number).is_some()).count()).sum()
        };
        assert_eq!(boards(2), 3_488);
        assert_eq!(boards(3), 196_032);
    }
}
