//! Move generation: all legal turns of a position (§1).
//!
//! Each direction is handled for all pieces at once. Jumps north-east, with own pieces `o` and an enemy `e`:
//!
//! ```text
//!   board       step o      & enemy     step        & empty: where they land
//!   . . . .     . . . .     . . . .     . . . .     . . . .
//!   . . . .     . . . .     . . . .     . . x .     . . x .
//!   . e . .     . x . x     . x . .     . . . .     . . . .
//!   o . o .     . . . .     . . . .     . . . .     . . . .
//! ```

use std::fmt;

use super::bitboard::{Direction, RANK_1, RANK_8, Square};
use super::moves;
use super::position::Position;
use crate::game::{Color, Game, MoveList, bits};

/// A complete turn: a step, or a jump with all its captures.
///
/// Jumps that capture the same pieces and end on the same square are one move; [`Route`](super::Route) tells them
/// apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) captured: u32,
}

impl Move {
    /// Returns the square where the piece starts.
    pub const fn from(self) -> Square {
        self.from
    }

    /// Returns the square where the piece ends; a king may circle back to its start.
    pub const fn to(self) -> Square {
        self.to
    }

    /// Returns the squares of the captured pieces, in the order of their numbers.
    pub fn captured(self) -> impl Iterator<Item = Square> {
        Square::all().filter(move |square| self.captured & square.bit() != 0)
    }

    /// Returns the number of captured pieces.
    pub const fn captures(self) -> u32 {
        self.captured.count_ones()
    }
}

/// Board as the side to move sees it.
#[derive(Clone, Copy)]
pub(crate) struct View {
    own: u32,
    kings: u32,
    enemy: u32,
    empty: u32,
    forward: [Direction; 2],
    /// Row where men are crowned.
    far: u32,
}

impl View {
    #[inline(always)]
    pub(crate) fn new(position: &Position, forward: [Direction; 2], far: u32) -> View {
        let own = position.pieces[position.turn.index()];
        let enemy = position.pieces[(!position.turn).index()];
        View { own, kings: own & position.kings, enemy, empty: !(own | enemy), forward, far }
    }

    #[inline(always)]
    fn movers(&self, direction: Direction) -> u32 {
        if direction == self.forward[0] || direction == self.forward[1] { self.own } else { self.kings }
    }

    #[inline(always)]
    pub(crate) fn landings(&self, pieces: u32, direction: Direction) -> u32 {
        direction.step(direction.step(pieces) & self.enemy) & self.empty
    }

    #[inline(always)]
    fn all_landings(&self) -> u32 {
        Direction::ALL.into_iter().fold(0, |all, direction| all | self.landings(self.movers(direction), direction))
    }

    #[inline(always)]
    fn can_step(&self) -> bool {
        Direction::ALL.into_iter().any(|direction| direction.step(self.movers(direction)) & self.empty != 0)
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
                self.continue_jump(from, 1 << to, 1 << direction.back(to, 1), list);
            }
        }
    }

    /// Adds every continuation of a jump by the piece that started on `from` and is now on `at`. A jump continues until
    /// the piece cannot jump again or is crowned (§1).
    fn continue_jump(&self, from: u32, at: u32, captured: u32, list: &mut MoveList<Move>) {
        let mut ended = true;
        self.for_each_jump(from, at, captured, |over, land| {
            ended = false;
            self.continue_jump(from, land, captured | over, list);
        });
        if ended {
            let square = |bit: u32| Square::from_index(bit.trailing_zeros() as usize);
            let mv = Move { from: square(from), to: square(at), captured };
            // Two routes can capture the same pieces only around a ring of four. Here the king `K` jumps over all four
            // `e` clockwise or counterclockwise, and lands on its start either way:
            //
            //   . . . x . . .
            //   . . e . e . .
            //   . K . . . x .
            //   . . e . e . .
            //   . . . x . . .
            if captured.count_ones() < 4 || !list.contains(&mv) {
                list.push(mv);
            }
        }
    }

    /// Calls `jump(over, land)` for each possible next jump of the piece that started on `from`, is now on `at`, and
    /// has captured `captured`. No piece is captured twice, and the starting square counts as empty.
    #[inline(always)]
    pub(crate) fn for_each_jump(&self, from: u32, at: u32, captured: u32, mut jump: impl FnMut(u32, u32)) {
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
        match $position.turn {
            Color::Black => $use(View::new($position, SOUTH, RANK_1)),
            Color::White => $use(View::new($position, NORTH, RANK_8)),
        }
    };
}

#[inline]
pub(crate) fn generate(position: &Position, list: &mut MoveList<Move>) {
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

/// Adds all jumps. If there are none, returns `true` if a piece can step.
#[inline]
pub(crate) fn generate_jumps(position: &Position, list: &mut MoveList<Move>) -> bool {
    #[inline(always)]
    fn all(view: View, list: &mut MoveList<Move>) -> bool {
        if view.all_landings() == 0 {
            return view.can_step();
        }
        view.jumps(list);
        false
    }
    with_view!(position, |view| all(view, list))
}

#[inline]
pub(crate) fn can_jump(position: &Position) -> bool {
    with_view!(position, |view: View| view.all_landings() != 0)
}

/// Returns the board as the side to move sees it, for code that need not be fast.
pub(crate) fn view(position: &Position) -> View {
    with_view!(position, |view| view)
}

/// Squares that a piece touches in its turn, the start first: two for a step, or one more than the number of captures
/// for a jump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    squares: Vec<Square>,
    captured: u32,
}

impl Route {
    /// Returns all routes of `mv`, which must be legal in `position`; never empty.
    pub fn all(position: &Position, mv: Move) -> Vec<Route> {
        if mv.captures() == 0 {
            return vec![Route { squares: vec![mv.from(), mv.to()], captured: 0 }];
        }
        let mut found = Vec::new();
        let start = Route { squares: vec![mv.from()], captured: 0 };
        walk(&moves::view(position), &start, &mut |route| {
            if route.captured == mv.captured && route.last() == mv.to() {
                found.push(route.clone());
            }
        });
        found
    }

    /// Returns one route of `mv`, which must be legal in `position`.
    pub fn of(position: &Position, mv: Move) -> Route {
        Route::all(position, mv).swap_remove(0)
    }

    /// Returns the legal move of `position` that touches exactly these squares.
    pub fn find(position: &Position, squares: &[Square]) -> Option<Move> {
        let (first, last) = (squares.first()?, squares.last()?);
        let list = position.legal_moves();
        let ends = list.iter().filter(|mv| mv.from() == *first && mv.to() == *last);
        ends.copied().find(|&mv| Route::all(position, mv).iter().any(|route| route.squares == squares))
    }

    /// Returns the squares, the start first.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// Returns `true` if the piece captures on the way.
    pub fn is_jump(&self) -> bool {
        self.captured != 0
    }

    fn last(&self) -> Square {
        self.squares[self.squares.len() - 1]
    }
}

/// Calls `found` with every complete jump that continues `route`.
fn walk(view: &View, route: &Route, found: &mut impl FnMut(&Route)) {
    let mut ended = true;
    view.for_each_jump(route.squares[0].bit(), route.last().bit(), route.captured, |over, land| {
        ended = false;
        let mut longer = route.clone();
        longer.squares.push(Square::from_index(land.trailing_zeros() as usize));
        longer.captured |= over;
        walk(view, &longer, found);
    });
    if ended {
        found(route);
    }
}

impl fmt::Display for Route {
    /// Names of the squares: `c3-d4` or `f6xd4xf2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.is_jump() { "x" } else { "-" };
        for (index, square) in self.squares.iter().enumerate() {
            write!(f, "{}{square}", if index > 0 { mark } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkers::bitboard::{FILE_A, FILE_H};

    const CAPACITY: usize = crate::game::MAX_MOVES;

    /// Squares that a piece on `square` can reach by jumps.
    fn class_of(square: u32) -> u32 {
        let mut class = square;
        loop {
            let wider = Direction::ALL.into_iter().fold(class, |all, way| all | way.step(way.step(class)));
            if wider == class {
                return class;
            }
            class = wider;
        }
    }

    /// All subsets of `set`, the empty one first.
    fn subsets(set: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(0), move |&subset: &u32| {
            (subset != set).then(|| subset.wrapping_sub(set) & set) // counts up in the bits of `set`
        })
    }

    /// Maximum number of jumps that start in `class`, over all boards.
    ///
    /// The jumps depend only on which squares of the class are occupied, and on which squares between them hold
    /// enemies. Each occupied square in turn therefore gets a piece of the side to move: a man or a king, whichever has
    /// more jumps. All other pieces only block.
    fn most_jumps(class: u32, forward: [Direction; 2], far: u32) -> usize {
        let edge = RANK_1 | RANK_8 | FILE_A | FILE_H;
        let between = Direction::ALL.into_iter().fold(0, |all, way| all | way.step(class)) & !edge;
        assert_eq!((class.count_ones(), between.count_ones()), (8, 9));
        let mut list = MoveList::new();
        let mut jumps = |own: u32, kings: u32, occupied: u32| {
            list.clear();
            View { own, kings, enemy: occupied & !own, empty: !occupied, forward, far }.jumps(&mut list);
            list.len()
        };
        let mut most = 0;
        for occupied in subsets(class).flat_map(|own| subsets(between).map(move |enemies| own | enemies)) {
            let each = bits(occupied & class).map(|index| 1 << index);
            most = most.max(each.map(|own| jumps(own, own, occupied).max(jumps(own, 0, occupied))).sum());
        }
        most
    }

    #[test]
    fn the_move_list_holds_the_longest_possible_list() {
        // A jump covers two columns and two rows, so a jumping piece can reach only 8 of the 32 squares.
        let mut classes: Vec<u32> = bits(u32::MAX).map(|index| class_of(1 << index)).collect();
        classes.sort_unstable();
        classes.dedup();
        assert_eq!((classes.len(), classes.iter().fold(0, |all, class| all | class)), (4, u32::MAX));
        for (forward, far) in [(NORTH, RANK_8), (SOUTH, RANK_1)] {
            let jumps: usize = classes.iter().map(|&class| most_jumps(class, forward, far)).sum();
            assert_eq!(jumps, 56);
            assert!(jumps <= CAPACITY);
        }
        // A step goes from one of two neighboring squares to the other, so each pair allows at most one step.
        let pairs: u32 = NORTH.into_iter().map(|way| way.step(u32::MAX).count_ones()).sum();
        assert_eq!(pairs, 49);
        assert!(pairs as usize <= CAPACITY);
    }
}
