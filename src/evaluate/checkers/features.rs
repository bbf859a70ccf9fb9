//! What is counted for each side?

use crate::checkers::Position;
use crate::checkers::bitboard::{Direction, FILE_A, FILE_H, RANK_1, RANK_8, draw, index};
use crate::game::bits::bits;
use crate::game::{Color, Game};

/// One side of a board, turned so that its men move north.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) men: u32,
    pub(super) kings: u32,
    enemy_men: u32,
    enemy_kings: u32,
    /// Whether this side is to move.
    to_move: bool,
}

/// Number of features.
pub(super) const COUNT: usize = 10;

/// What is counted for a side, in the order of the weights.
#[derive(Clone, Copy, Default)]
pub(super) struct Features([i32; COUNT]);

/// Squares in the middle.
const CENTER: u32 =
    draw(["........", "........", "...x.x..", "..x.x...", "...x.x..", "..x.x...", "........", "........"]);
/// All squares north of each square that a man there may come to.
const CONES: [u32; 32] = {
    let mut cones = [0; 32];
    let mut index = 0;
    while index < 32 {
        let mut front = 1 << index;
        let mut row = 0;
        while row < 7 {
            front = Direction::NorthEast.step(front) | Direction::NorthWest.step(front);
            cones[index] |= front;
            row += 1;
        }
        index += 1;
    }
    cones
};
/// Ranks 4 to 7: a man there may soon run.
const ADVANCED: u32 =
    draw(["........", "x.x.x.x.", ".x.x.x.x", "x.x.x.x.", ".x.x.x.x", "........", "........", "........"]);
const RANK_7: u32 = Direction::SouthEast.step(RANK_8) | Direction::SouthWest.step(RANK_8);
const RANK_6: u32 = Direction::SouthEast.step(RANK_7) | Direction::SouthWest.step(RANK_7);

impl Side {
    #[inline(always)]
    pub(super) fn of(position: &Position, color: Color) -> Side {
        let own = position.pieces[color.index()];
        let enemy = position.pieces[(!color).index()];
        let turn = |set: u32| match color {
            Color::White => set,
            Color::Black => set.reverse_bits(),
        };
        Side {
            men: turn(own & !position.kings),
            kings: turn(own & position.kings),
            enemy_men: turn(enemy & !position.kings),
            enemy_kings: turn(enemy & position.kings),
            to_move: position.turn() == color,
        }
    }

    /// Squares where a piece of this side could be captured in the next turn, on the board as it is.
    #[inline(always)]
    fn attacked(&self, empty: u32) -> u32 {
        use Direction::{NorthEast, NorthWest, SouthEast, SouthWest};
        let enemies = self.enemy_men | self.enemy_kings;
        // An enemy north of the square jumps south over it, any enemy; south of it, kings only.
        (SouthWest.step(enemies) & NorthEast.step(empty))
            | (SouthEast.step(enemies) & NorthWest.step(empty))
            | (NorthWest.step(self.enemy_kings) & SouthEast.step(empty))
            | (NorthEast.step(self.enemy_kings) & SouthWest.step(empty))
    }

    /// Which of a1 c1 e1 g1 are held by men, as bits 0 to 3; 0 once the enemy has no man to be kept
    /// from the far rank.
    #[inline(always)]
    pub(super) fn back_rank(&self) -> usize {
        if self.enemy_men == 0 {
            return 0;
        }
        let held = |column: i32, place: u32| (self.men >> index(column, 0) & 1) << place;
        (held(0, 0) | held(2, 1) | held(4, 2) | held(6, 3)) as usize
    }

    /// 1 if this side, being to move, has "the move", else -1: with as many pieces each, it will come to
    /// stand opposite. Pieces on the files a c e g of the side's own system are odd in number then.
    pub(super) fn has_the_move(&self) -> i32 {
        let all = self.men | self.kings | self.enemy_men | self.enemy_kings;
        if (all & SYSTEM).count_ones() % 2 == 1 { 1 } else { -1 }
    }
}

/// Squares on the odd ranks: the system of the side that moves north.
const SYSTEM: u32 =
    draw(["........", "x.x.x.x.", "........", "x.x.x.x.", "........", "x.x.x.x.", "........", "x.x.x.x."]);

impl Features {
    #[inline(always)]
    pub(super) fn of(side: &Side) -> Features {
        use Direction::{NorthEast, NorthWest, SouthEast, SouthWest};
        let own = side.men | side.kings;
        let enemies = side.enemy_men | side.enemy_kings;
        let empty = !(own | enemies);
        let safe = empty & !side.attacked(empty);
        let count = |set: u32| set.count_ones() as i32;

        let supported = side.men & (NorthEast.step(own) | NorthWest.step(own) | FILE_A | FILE_H | RANK_1);
        let men_steps = (NorthEast.step(side.men) | NorthWest.step(side.men)) & safe;
        let blocked = side.men & !(SouthWest.step(empty) | SouthEast.step(empty));

        let (mut king_steps, mut trapped) = (0, 0);
        for king in bits(side.kings) {
            let king = 1 << king;
            let steps = NorthEast.step(king) | NorthWest.step(king) | SouthEast.step(king) | SouthWest.step(king);
            let steps = count(steps & safe);
            king_steps += steps;
            trapped += i32::from(steps == 0);
        }

        let mut runaways = [0; 3];
        for man in bits(side.men & ADVANCED) {
            if CONES[man] & enemies == 0 {
                let man = 1 << man;
                runaways[if man & RANK_7 != 0 {
                    0
                } else if man & RANK_6 != 0 {
                    1
                } else {
                    2
                }] += 1;
            }
        }

        // The side not to move threatens to jump.
        let threats = if side.to_move {
            0
        } else {
            let north =
                (NorthEast.step(NorthEast.step(own) & enemies)) | (NorthWest.step(NorthWest.step(own) & enemies));
            let south = (SouthEast.step(SouthEast.step(side.kings) & enemies))
                | (SouthWest.step(SouthWest.step(side.kings) & enemies));
            count((north | south) & empty)
        };

        Features([
            count(supported),
            count(men_steps),
            count(blocked),
            king_steps,
            trapped,
            runaways[0],
            runaways[1],
            runaways[2],
            threats,
            count(own & CENTER),
        ])
    }

    #[inline(always)]
    pub(super) fn counts(&self) -> &[i32; COUNT] {
        &self.0
    }
}
