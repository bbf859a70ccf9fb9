//! Boards and legal moves in a protocol's notation.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use kingline::checkers::{self, Route};
use kingline::draw::{self, Paint};
use kingline::game::{Color, Game};
use kingline::loa;
use kingline_players::protocol::request::{as_x, write_answer};

/// A board in a protocol's notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownBoard {
    /// Checkers; turns are written as squares, e.g. `f6xd4xf2`.
    Checkers(checkers::Position),
    /// Lines of Action 8x8.
    Loa(loa::Position<8>),
    /// Lines of Action 6x6 as in a request: `X` moves next, row 1 is at the top.
    Request(loa::Position<6>),
}

impl ShownBoard {
    /// The board as a request shows it to the side to move.
    pub fn request(position: loa::Position<6>) -> ShownBoard {
        ShownBoard::Request(as_x(&position))
    }

    /// The board as lines of text, with row and column labels.
    pub fn draw(&self, paint: Paint) -> String {
        match self {
            ShownBoard::Checkers(position) => draw::painted(position, paint),
            ShownBoard::Loa(position) => draw::painted(position, paint),
            ShownBoard::Request(position) => draw::plain(position, &draw::REQUEST),
        }
    }

    /// The protocol's name for the side to move.
    pub fn turn(&self) -> &'static str {
        let name = |color| if color == Color::Black { "Black" } else { "White" };
        match self {
            ShownBoard::Checkers(position) => name(position.turn()),
            ShownBoard::Loa(position) => name(position.turn()),
            ShownBoard::Request(_) => "X",
        }
    }

    /// All legal moves, in the order in which the rules generate them.
    pub fn legal(&self) -> Vec<String> {
        match self {
            ShownBoard::Checkers(position) => {
                let routes = moves(position).into_iter().flat_map(|mv| Route::all(position, mv));
                routes.map(|route| route.to_string()).collect()
            }
            ShownBoard::Loa(position) => moves(position).iter().map(ToString::to_string).collect(),
            ShownBoard::Request(position) => {
                moves(position).into_iter().map(|mv| write_answer(mv).trim_end().to_owned()).collect()
            }
        }
    }
}

fn moves<G: Game>(position: &G) -> Vec<G::Move> {
    let list = position.legal_moves();
    list.to_vec()
}

impl Serialize for ShownBoard {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let drawn = self.draw(Paint::Plain);
        let mut shown = to.serialize_struct("Shown", 3)?;
        shown.serialize_field("board", &drawn.lines().collect::<Vec<_>>())?;
        shown.serialize_field("turn", self.turn())?;
        shown.serialize_field("legal", &self.legal())?;
        shown.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_protocol_has_its_own_notation() {
        let checkers = ShownBoard::Checkers("W:WK18:B14,6,7,15".parse().unwrap());
        let request = ShownBoard::Request(loa::Position::start());
        let loa = ShownBoard::Loa(loa::Position::start());
        assert!(checkers.legal().iter().all(|turn| turn.contains('x')), "{:?}", checkers.legal());
        assert!(request.legal().contains(&"D1B3".to_owned()) && request.draw(Paint::Plain).starts_with("  1  . X X"));
        assert!(loa.legal().contains(&"b1-b3".to_owned()));
        assert_eq!([checkers, request, loa].map(|shown| shown.turn()), ["White", "X", "Black"]);
        let json = serde_json::to_value(loa).unwrap();
        assert_eq!((json["turn"].as_str(), json["board"].as_array().unwrap().len()), (Some("Black"), 9));
    }
}
