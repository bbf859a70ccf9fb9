//! Routes: the squares that a piece touches in its turn.

use std::fmt;

use super::moves::{self, Move, View};
use super::position::Position;
use super::square::Square;
use crate::game::Game;

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
