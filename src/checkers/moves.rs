//! All legal turns of a position (§1).

use super::bitboard::{Direction, RANK_1, RANK_8, bits};
use super::position::Position;
use super::square::Square;
use crate::game::{Color, Game, MoveList};

/// A whole turn: a step, or a jump with all that it takes.
///
/// Jump routes that take the same pieces and end on the same square are one move; see
/// [`Route`](super::Route) for the ways to walk it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Move {
    pub(super) from: Square,
    pub(super) to: Square,
    /// Squares of the pieces taken.
    pub(super) captured: u32,
}

impl Move {
    /// Where the piece starts.
    pub const fn from(self) -> Square {
        self.from
    }

    /// Where the piece ends; a king that circles may end where it started.
    pub const fn to(self) -> Square {
        self.to
    }

    /// Number of pieces taken.
    pub const fn captures(self) -> u32 {
        self.captured.count_ones()
    }
}

/// A board as the side to move sees it.
#[derive(Clone, Copy)]
pub(super) struct View {
    own: u32,
    kings: u32,
    enemy: u32,
    empty: u32,
    /// Directions in which men move.
    forward: [Direction; 2],
    /// Where men are crowned.
    far: u32,
}

impl View {
    #[inline(always)]
    pub(super) fn new(position: &Position, forward: [Direction; 2], far: u32) -> View {
        let own = position.pieces[position.turn().index()];
        let enemy = position.pieces[(!position.turn()).index()];
        View { own, kings: own & position.kings, enemy, empty: !(own | enemy), forward, far }
    }

    /// The pieces that may move in `direction`.
    #[inline(always)]
    fn movers(&self, direction: Direction) -> u32 {
        if direction == self.forward[0] || direction == self.forward[1] { self.own } else { self.kings }
    }

    /// Where `pieces` land when they jump in `direction`.
    #[inline(always)]
    pub(super) fn landings(&self, pieces: u32, direction: Direction) -> u32 {
        direction.step(direction.step(pieces) & self.enemy) & self.empty
    }

    #[inline(always)]
    fn all_landings(&self) -> u32 {
        Direction::ALL.into_iter().fold(0, |all, direction| all | self.landings(self.movers(direction), direction))
    }

    #[inline(always)]
    fn steps(&self, list: &mut MoveList<Move>) {
        for direction in Direction::ALL {
            for to in bits(direction.step(self.movers(direction)) & self.empty) {
                let from = Square::from_index(direction.back(to, 1));
                list.push(Move { from, to: Square::from_index(to), captured: 0 });
            }
        }
    }

    #[inline(always)]
    fn jumps(&self, list: &mut MoveList<Move>) {
        for direction in Direction::ALL {
            for to in bits(self.landings(self.movers(direction), direction)) {
                let from = 1 << direction.back(to, 2);
                self.go_on(from, 1 << to, 1 << direction.back(to, 1), list);
            }
        }
    }

    /// Adds every way in which the piece from `from`, now on `at`, may go on (§1: a jump goes on
    /// until the piece can jump no more, or is crowned).
    fn go_on(&self, from: u32, at: u32, captured: u32, list: &mut MoveList<Move>) {
        let mut ended = true;
        self.for_each_jump(from, at, captured, |over, land| {
            ended = false;
            self.go_on(from, land, captured | over, list);
        });
        if ended {
            let square = |bit: u32| Square::from_index(bit.trailing_zeros());
            let mv = Move { from: square(from), to: square(at), captured };
            // Two routes can take the same pieces only around a ring of four.
            if captured.count_ones() < 4 || !list.contains(&mv) {
                list.push(mv);
            }
        }
    }

    /// Calls `jump(over, land)` for each next jump of the piece from `from`, now on `at`, which
    /// has taken `captured`. Taken pieces are off the board, and so is the piece itself.
    #[inline(always)]
    pub(super) fn for_each_jump(&self, from: u32, at: u32, captured: u32, mut jump: impl FnMut(u32, u32)) {
        let king = self.kings & from != 0;
        if !king && at & self.far != 0 {
            return;
        }
        for direction in if king { &Direction::ALL[..] } else { &self.forward[..] } {
            let over = direction.step(at) & self.enemy & !captured;
            let land = direction.step(over) & (self.empty | from);
            if land != 0 {
                jump(over, land);
            }
        }
    }
}

const NORTH: [Direction; 2] = [Direction::NorthEast, Direction::NorthWest];
const SOUTH: [Direction; 2] = [Direction::SouthEast, Direction::SouthWest];

/// Calls `$use` with the view of the side to move, compiled once for each color.
macro_rules! with_view {
    ($position:expr, $use:expr) => {
        match $position.turn() {
            Color::Black => $use(View::new($position, SOUTH, RANK_1)),
            Color::White => $use(View::new($position, NORTH, RANK_8)),
        }
    };
}

#[inline]
pub(super) fn generate(position: &Position, list: &mut MoveList<Move>) {
    #[inline(always)]
    fn all(view: View, list: &mut MoveList<Move>) {
        if view.all_landings() != 0 {
            view.jumps(list);
        } else {
            view.steps(list);
        }
    }
    with_view!(position, |view| all(view, list));
}

/// Whether the side to move must jump.
#[inline]
pub(super) fn can_jump(position: &Position) -> bool {
    with_view!(position, |view: View| view.all_landings() != 0)
}

/// The board as the side to move sees it, for code that need not be fast.
pub(super) fn view(position: &Position) -> View {
    with_view!(position, |view| view)
}
