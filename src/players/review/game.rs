use std::ops::ControlFlow;

use super::chances::Judged;
use super::settings::{SOLVER_PART, SquareNames};
use crate::game_name::GameName;
use crate::protocol::request;
use kingline::checkers::{self, pdn};
use kingline::draw::Board;
use kingline::evaluate;
use kingline::game::{Annotation, Evaluator, Game, Knowledge, NoKnowledge, Outcome, Rules, Searched};
use kingline::knowledge::solved::{self, Strategy};
use kingline::knowledge::tablebase::Tablebase;
use kingline::loa::{self, sgf};
use kingline::search::{Limits, Report, Searcher};

/// A game with all that its review needs: its records, evaluation and certain knowledge.
pub trait Reviewed: Board<Move: Send + Sync> + Judged + Searched + Send + Sync {
    /// Records of games.
    type Record: GameRecord<Self>;
    /// Evaluation of the search.
    type Evaluation: Evaluator<Self> + Default + Clone;
    /// Tables, or strategies.
    type Knowledge: Knowledge<Self>;
    /// The game's name.
    const NAME: GameName;
    /// Nodes that count as a second.
    const SPEED: u64;
    /// Part of the nodes for the proof-number solver.
    const SOLVER_PART: f64;
    /// Returns the tables or the strategies.
    fn knowledge() -> Self::Knowledge;
    /// Writes a legal move with these names of squares.
    fn in_names(&self, mv: Self::Move, names: SquareNames) -> String {
        match names {
            SquareNames::Numbers => self.notation(mv).to_string(),
            SquareNames::Letters => self.by_squares(mv),
            SquareNames::Agents => self.as_agents_write(mv),
        }
    }
    /// Writes a legal move by the letters and numbers of its squares.
    fn by_squares(&self, mv: Self::Move) -> String {
        self.notation(mv).to_string()
    }
    /// Writes a legal move as agents write it, where that differs from [`by_squares`](Self::by_squares).
    fn as_agents_write(&self, mv: Self::Move) -> String {
        self.by_squares(mv)
    }
}

/// A record of a game.
pub trait GameRecord<G: Reviewed>: Sync {
    /// Position before the first move.
    fn start(&self) -> G;
    /// The moves.
    fn moves(&self) -> &[G::Move];
    /// Remaining time after each move in seconds, if known.
    fn clock(&self, index: usize) -> Option<f64>;
    /// Names of Black and White, and of the event; empty if unknown.
    fn names(&self) -> [&str; 3];
    /// The result; none if it is unknown.
    fn result(&self) -> Option<Outcome>;
    /// Rules about quiet turns.
    fn rules(&self) -> Rules {
        Rules::Game
    }
    /// Makes a record of a line of legal moves, with an event.
    fn of_line(start: G, moves: &[G::Move], event: &str) -> Self;
    /// Writes the record with comments.
    fn annotated(&self, opening: &str, notes: &[Annotation<G::Move>]) -> String;
}

impl Reviewed for checkers::Position {
    type Record = pdn::Record;
    type Evaluation = evaluate::checkers::Evaluation;
    type Knowledge = Tablebase<'static>;
    const NAME: GameName = GameName::Checkers;
    const SPEED: u64 = 5_000_000;
    const SOLVER_PART: f64 = 0.0;

    fn knowledge() -> Tablebase<'static> {
        Tablebase::with_embedded(None)
    }
    fn by_squares(&self, mv: checkers::Move) -> String {
        self.notation_in(mv, checkers::Notation::Squares)
    }
}

impl GameRecord<checkers::Position> for pdn::Record {
    fn start(&self) -> checkers::Position {
        self.start()
    }
    fn moves(&self) -> &[checkers::Move] {
        self.moves()
    }
    fn clock(&self, index: usize) -> Option<f64> {
        self.clocks()[index].map(|left| left.as_secs_f64())
    }
    fn names(&self) -> [&str; 3] {
        ["Black", "White", "Event"].map(|name| self.tag(name).unwrap_or_default())
    }
    fn result(&self) -> Option<Outcome> {
        self.result()
    }
    fn rules(&self) -> Rules {
        self.rules()
    }
    fn of_line(start: checkers::Position, moves: &[checkers::Move], event: &str) -> pdn::Record {
        let mut record = pdn::Record::new(start);
        record.set_tag("Event", event).expect("a tag that is not the record's own");
        moves.iter().for_each(|&mv| record.push(mv).expect("a legal move"));
        record
    }
    fn annotated(&self, opening: &str, notes: &[Annotation<checkers::Move>]) -> String {
        self.annotated(opening, notes)
    }
}

impl Reviewed for loa::Position<8> {
    type Record = sgf::Record<8>;
    type Evaluation = evaluate::loa::Evaluation<8>;
    type Knowledge = NoKnowledge;
    const NAME: GameName = GameName::Loa;
    const SPEED: u64 = 2_000_000;
    const SOLVER_PART: f64 = SOLVER_PART;

    fn knowledge() -> NoKnowledge {
        NoKnowledge
    }
}

impl Reviewed for loa::Position<6> {
    type Record = sgf::Record<6>;
    type Evaluation = evaluate::loa::Evaluation<6>;
    type Knowledge = [Option<&'static Strategy<'static, loa::Position<6>>>; 2];
    const NAME: GameName = GameName::Loa6;
    const SPEED: u64 = 2_000_000;
    const SOLVER_PART: f64 = SOLVER_PART;

    fn knowledge() -> Self::Knowledge {
        [solved::embedded(), solved::embedded_defense()]
    }
    fn as_agents_write(&self, mv: loa::Move) -> String {
        request::write_answer(mv).trim_end().to_owned()
    }
}

impl<const N: usize> GameRecord<loa::Position<N>> for sgf::Record<N>
where
    loa::Position<N>: Reviewed + Game<Move = loa::Move>,
{
    fn start(&self) -> loa::Position<N> {
        self.positions()[0]
    }
    fn moves(&self) -> &[loa::Move] {
        self.moves()
    }
    fn clock(&self, index: usize) -> Option<f64> {
        self.clocks()[index].map(|left| left.as_secs_f64())
    }
    fn names(&self) -> [&str; 3] {
        let about = self.about();
        [&about.players[0], &about.players[1], &about.event]
    }
    fn result(&self) -> Option<Outcome> {
        self.result()
    }
    fn of_line(start: loa::Position<N>, moves: &[loa::Move], event: &str) -> sgf::Record<N> {
        let mut record = sgf::Record::new(start);
        record.set_about(sgf::About { event: event.to_owned(), ..sgf::About::default() });
        moves.iter().for_each(|&mv| record.play(mv));
        record
    }
    fn annotated(&self, opening: &str, notes: &[Annotation<loa::Move>]) -> String {
        self.annotated(opening, notes)
    }
}

/// Nodes after which the search of the start ends, with the iteration that reaches them: a few milliseconds.
const NODES: u64 = 20_000;

/// Version of the engine, with the number of nodes and the score of a short search: `0.1.0 (23456 nodes, +0.04)`. Another
/// evaluation or search gives other numbers.
pub fn engine<G: Reviewed>() -> String {
    let mut enough = |report: &Report<G>| match report.nodes {
        0..NODES => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let mut searcher = Searcher::new(G::Evaluation::default()).with_table_limit(1 << 20);
    let report = searcher.search(G::start(), Limits::default(), &mut enough);
    format!("{} ({} nodes, {})", env!("CARGO_PKG_VERSION"), report.nodes, report.score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::{checkers, loa};

    #[test]
    fn each_game_has_a_name_of_its_own_that_stays() {
        let names = || [engine::<checkers::Position>(), engine::<loa::Position<8>>(), engine::<loa::Position<6>>()];
        let [checkers, loa, loa6] = names();
        assert_ne!(checkers, loa);
        assert_ne!(loa, loa6);
        assert_eq!([checkers, loa, loa6], names());
    }
}
