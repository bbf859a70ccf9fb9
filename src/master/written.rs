//! How is a move written for those who read the files of their agents? As agents write it.

use std::str::FromStr;

use crate::checkers::{self, Route};
use crate::draw::Board;
use crate::game::ParseError;
use crate::loa;
use crate::protocol::request;

/// Games whose moves can be written as agents write them.
pub(super) trait Written: Board + FromStr<Err = ParseError> {
    /// A legal move as agents write it, or nearly: `a3-b4`, `f6xd4xf2`; `D1B3` for 6x6 Lines of Action.
    fn as_agents_write(&self, mv: Self::Move) -> String;

    /// The same with the move as records have it beside it, where that is another: `a3-b4 (21-17)`.
    fn with_record(&self, mv: Self::Move) -> String {
        let (agents, record) = (self.as_agents_write(mv), self.notation(mv).to_string());
        if agents == record { agents } else { format!("{agents} ({record})") }
    }
}

impl Written for checkers::Position {
    fn as_agents_write(&self, mv: Self::Move) -> String {
        Route::of(self, mv).to_string()
    }
}

impl<const N: usize> Written for loa::Position<N> {
    /// §1 of 6x6: rows are counted from the top.
    fn as_agents_write(&self, mv: Self::Move) -> String {
        if N == 6 { request::write_answer(mv).trim_end().to_owned() } else { mv.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn numbers_stand_beside_the_squares() {
        fn written<G: Written>(position: G, text: &str) -> String {
            position.with_record(position.parse_move(text).unwrap())
        }
        assert_eq!(written(checkers::Position::start(), "9-13"), "b6-a5 (9-13)");
        let jump: checkers::Position = "B:W18,27,30:B14".parse().unwrap();
        assert_eq!(written(jump, "14x32"), "c5xe3xg1 (14x32)");
        assert_eq!(written(loa::Position::<6>::start(), "d6-b4"), "D1B3 (d6-b4)");
        assert_eq!(written(loa::Position::<8>::start(), "b1-b3"), "b1-b3");
    }
}
