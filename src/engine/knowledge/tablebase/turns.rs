//! Turns on a [`Board`]. This code is independent of the engine's rules, which verify the tables.

use super::board::Board;
use crate::checkers::Piece;

/// Bitboard of row 7, where the mover's men are crowned (§1).
const FAR_ROW: u32 = 0xf000_0000;
const DIRECTIONS: [(i32, i32); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const OFF: u8 = 32;

/// Next square in each direction, or [`OFF`].
const NEXT: [[u8; 4]; 32] = {
    let mut table = [[OFF; 4]; 32];
    let mut square = 0;
    while square < 32 {
        let row = square / 4;
        let column = 2 * (square % 4) + row % 2;
        let mut way = 0;
        while way < 4 {
            let (across, up) = DIRECTIONS[way];
            let (column, row) = (column + across, row + up);
            if column >= 0 && column < 8 && row >= 0 && row < 8 {
                table[square as usize][way] = (4 * row + column / 2) as u8;
            }
            way += 1;
        }
        square += 1;
    }
    table
};

const UP: [u32; 32] = neighbors(0, 2);
const DOWN: [u32; 32] = neighbors(2, 4);

const fn neighbors(from: usize, to: usize) -> [u32; 32] {
    let mut table = [0; 32];
    let mut square = 0;
    while square < 32 {
        let mut way = from;
        while way < to {
            if NEXT[square][way] != OFF {
                table[square] |= 1 << NEXT[square][way];
            }
            way += 1;
        }
        square += 1;
    }
    table
}

#[inline(always)]
fn around(square: u32) -> u32 {
    UP[square as usize] | DOWN[square as usize]
}

#[inline(always)]
fn for_each(mut set: u32, mut each: impl FnMut(u32)) {
    while set != 0 {
        each(set.trailing_zeros());
        set &= set - 1;
    }
}

/// Calls `reached` with the board after every jump turn, as the other side sees it. Returns true if there is one.
pub(super) fn for_each_jump(board: Board, mut reached: impl FnMut(Board)) -> bool {
    let mut any = false;
    for_each(board.men, |from| {
        let lifted = Board { men: board.men & !(1 << from), ..board };
        any |= jump_on(lifted, from, Piece::Man, &mut reached);
    });
    for_each(board.kings, |from| {
        let lifted = Board { kings: board.kings & !(1 << from), ..board };
        any |= jump_on(lifted, from, Piece::King, &mut reached);
    });
    any
}

/// Continues a jump as long as possible (§1), with the piece lifted off the board at `at`.
fn jump_on(lifted: Board, at: u32, piece: Piece, reached: &mut impl FnMut(Board)) -> bool {
    let ways = if piece == Piece::King { 4 } else { 2 };
    let mut any = false;
    for (way, &over) in NEXT[at as usize][..ways].iter().enumerate() {
        if over == OFF || lifted.theirs() & 1 << over == 0 {
            continue;
        }
        let land = NEXT[over as usize][way];
        if land == OFF || lifted.empty() & 1 << land == 0 {
            continue;
        }
        any = true;
        let taken = !(1 << over);
        let after = Board { their_men: lifted.their_men & taken, their_kings: lifted.their_kings & taken, ..lifted };
        let landed = 1 << land;
        if piece == Piece::Man && landed & FAR_ROW != 0 {
            reached(Board { kings: after.kings | landed, ..after }.flipped());
        } else if !jump_on(after, u32::from(land), piece, reached) {
            let put = match piece {
                Piece::Man => Board { men: after.men | landed, ..after },
                Piece::King => Board { kings: after.kings | landed, ..after },
            };
            reached(put.flipped());
        }
    }
    any
}

/// Calls `reached` with the board after every crowning step, as the other side sees it.
#[inline]
pub(super) fn for_each_crowning(board: Board, mut reached: impl FnMut(Board)) {
    for_each(board.men & FAR_ROW >> 4, |from| {
        for_each(UP[from as usize] & board.empty(), |to| {
            reached(Board { men: board.men & !(1 << from), kings: board.kings | 1 << to, ..board }.flipped());
        });
    });
}

#[inline]
pub(super) fn count_quiet(board: Board) -> u32 {
    let empty = board.empty();
    let mut count = 0;
    for_each(board.men, |from| count += (UP[from as usize] & empty & !FAR_ROW).count_ones());
    for_each(board.kings, |from| count += (around(from) & empty).count_ones());
    count
}

/// Boards after all turns of the side to move, as the other side sees them.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// Boards after jumps, or after crowning steps if there are no jumps.
    pub(super) zeroing: Vec<Board>,
    pub(super) quiet: Vec<Board>,
}

impl Turns {
    pub(super) fn of(board: Board) -> Turns {
        let mut turns = Turns::default();
        if !for_each_jump(board, |after| turns.zeroing.push(after)) {
            for_each_crowning(board, |after| turns.zeroing.push(after));
            for_each_quiet(board, |after| turns.quiet.push(after));
        }
        turns
    }

    pub(super) fn is_empty(&self) -> bool {
        self.zeroing.is_empty() && self.quiet.is_empty()
    }
}

/// Calls `reached` with the board after every step that does not crown, as the other side sees it.
#[inline]
fn for_each_quiet(board: Board, mut reached: impl FnMut(Board)) {
    let empty = board.empty();
    for_each(board.men, |from| {
        for_each(UP[from as usize] & empty & !FAR_ROW, |to| {
            reached(Board { men: board.men & !(1 << from) | 1 << to, ..board }.flipped());
        });
    });
    for_each(board.kings, |from| {
        for_each(around(from) & empty, |to| {
            reached(Board { kings: board.kings & !(1 << from) | 1 << to, ..board }.flipped());
        });
    });
}

/// Calls `left` with every board from which a quiet step leads to `board`, as the side that makes the step sees it.
/// Ignores whether that side had to jump instead.
#[inline]
pub(super) fn for_each_quiet_before(board: Board, mut left: impl FnMut(Board)) {
    let before = board.flipped();
    let empty = before.empty();
    for_each(before.men, |to| {
        for_each(DOWN[to as usize] & empty, |from| {
            left(Board { men: before.men & !(1 << to) | 1 << from, ..before });
        });
    });
    for_each(before.kings, |to| {
        for_each(around(to) & empty, |from| {
            left(Board { kings: before.kings & !(1 << to) | 1 << from, ..before });
        });
    });
}
