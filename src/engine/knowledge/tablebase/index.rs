//! The number of a position among all positions of its material.
//!
//! The combinatorial number system (D. H. Lehmer, "The machine tools of combinatorics", 1964) numbers the sets of `k`
//! squares: the sum of `binomial(square i, i + 1)` over the squares of the set, lowest first. A position has four sets:
//!
//! 1. the mover's men, on the 28 squares of its rows 0 to 6,
//! 2. the other side's men, on the 28 squares of that side's rows 0 to 6,
//! 3. the mover's kings, on the squares without men,
//! 4. the other side's kings, on the squares that are left.
//!
//! The last set changes fastest. A number that puts two men on one square has no position.
//!
//! ```text
//!   The set of squares 1, 4 and 6      as bits 0101 0010
//!   binomial(1, 1) = 1
//!   binomial(4, 2) = 6
//!   binomial(6, 3) = 20                sum: number 27 of the sets of 3
//!
//!   The same set, if squares 0 and 3 are taken: free squares 1 2 4 5 6 7 have places 0 1 2 3 4 5
//!   places 0, 2 and 4                  number 0 + 1 + 4 = 5
//! ```

use super::board::{Board, MAX_A_SIDE, Material};

const MAN_SQUARES: u8 = 28;
const SQUARES: u8 = 32;
const MOST: usize = MAX_A_SIDE as usize;

/// Number of ways to choose `k` of `n`, as `BINOMIALS[k][n]`.
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

#[derive(Clone, Copy, Debug)]
pub(super) struct Index {
    material: Material,
    their_men: u32,
    kings: u32,
    their_kings: u32,
    len: u32,
}

impl Index {
    /// Creates the numbering of a material that [fits](Self::fits).
    pub(super) const fn new(material: Material) -> Index {
        let free = SQUARES - material.all_men();
        let their_men = binomial(MAN_SQUARES, material.their_men);
        let kings = binomial(free, material.kings);
        let their_kings = binomial(free - material.kings, material.their_kings);
        let len = binomial(MAN_SQUARES, material.men) * their_men * kings * their_kings;
        Index { material, their_men, kings, their_kings, len }
    }

    /// Returns true if a table can have this material: 1 to [`MAX_A_SIDE`] pieces a side, and fewer than 2^32 numbers.
    pub(super) const fn fits(material: Material) -> bool {
        let Material { men, kings, their_men, their_kings } = material;
        let (own, theirs) = (material.own(), material.theirs());
        if own == 0 || own > MAX_A_SIDE || theirs == 0 || theirs > MAX_A_SIDE {
            return false;
        }
        let free = SQUARES - material.all_men();
        let all_men = binomial(MAN_SQUARES, men) as u64 * binomial(MAN_SQUARES, their_men) as u64;
        let all_kings = binomial(free, kings) as u64 * binomial(free - kings, their_kings) as u64;
        // Each product is at most that for two sets of four squares, which has 31 bits.
        all_men * all_kings <= u32::MAX as u64
    }

    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    /// Number of a board, which must have this material.
    #[inline]
    pub(super) fn of(&self, board: Board) -> u32 {
        let men = board.men | board.their_men;
        let mut number = rank(board.men, 0);
        number = number * self.their_men + rank(board.their_men.reverse_bits(), 0);
        number = number * self.kings + rank(board.kings, men);
        number * self.their_kings + rank(board.their_kings, men | board.kings)
    }

    /// Board with this number; `None` if the number puts two men on one square.
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

/// Number of a set among all sets of the same size on the squares that are not `taken`.
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

/// Set with this number among all sets of `count` squares that are not `taken`.
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

/// Square with exactly `place` free squares below it, which are not `taken`.
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
    fn every_number_is_a_distinct_board_or_two_men_on_a_square() {
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

    /// Compares with the known position counts for two and for three pieces.
    #[test]
    fn numbers_of_boards_are_right() {
        let boards = |pieces| -> usize {
            let all = Material::all(pieces, 3).into_iter().map(Index::new);
            all.map(|index| (0..index.len()).filter(|&number| index.board(number).is_some()).count()).sum()
        };
        assert_eq!(boards(2), 3_488);
        assert_eq!(boards(3), 196_032);
    }
}
