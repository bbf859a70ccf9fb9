//! Moves as agents write them, for readers of agents' files.

use std::str::FromStr;

use kingline::checkers::{self, Route};
use kingline::draw::Board;
use kingline::game::ParseError;
use kingline::loa;
use kingline_players::protocol::request;

/// A game whose moves can be written in the agents' notation.
pub(crate) trait Written: Board + FromStr<Err = ParseError> {
    /// Writes a legal move in the agents' notation or close to it: `a3-b4`, `f6xd4xf2`; `D1B3` for 6x6 Lines of Action.
    fn as_agents_write(&self, mv: Self::Move) -> String;

    /// Adds the notation of records if it differs: `a3-b4 (21-17)`.
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
    /// In 6x6, rows are numbered from the top (§1).
    fn as_agents_write(&self, mv: Self::Move) -> String {
        if N == 6 { request::write_answer(mv).trim_end().to_owned() } else { mv.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::game::Game;

    #[test]
    fn both_notations_are_written_if_they_differ() {
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
