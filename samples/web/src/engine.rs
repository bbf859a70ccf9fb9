//! The engine: its weights and tables, and its answers.

use std::ops::ControlFlow;

use kingline::draw::shown::Shown;
use kingline::game::{Evaluator, Knowledge, NoKnowledge, Searched};
use kingline::knowledge::tablebase::{TableFile, Tablebase, Trust};
use kingline::search::{Limits, Report, Searcher};
use kingline::{checkers, evaluate, loa};

use crate::answer::{failure, searched, state, tabled};
use crate::request::{Name, Played, Question, Request};

type Checkers = evaluate::checkers::Evaluation;
type Loa = evaluate::loa::Evaluation<8>;
type Tables = &'static Tablebase<'static>;
type CheckersSearcher = Searcher<checkers::Position, Checkers, Option<Tables>>;

/// Probes for a move by the endgame tables: a fraction of a second.
const PROBES: u64 = 100_000;

/// Data that the engine needs for its searches. Without tables it searches endings as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Weights for checkers.
    CheckersWeights,
    /// Weights for Lines of Action.
    LoaWeights,
    /// Endgame tables of checkers.
    CheckersTables,
}

impl Part {
    /// All parts, by the numbers that the page's script uses.
    pub const ALL: [Part; 3] = [Part::CheckersWeights, Part::LoaWeights, Part::CheckersTables];
}

/// An engine for both games.
#[derive(Debug, Default)]
pub struct Engine {
    checkers: Option<(Checkers, CheckersSearcher)>,
    loa: Option<Searcher<loa::Position<8>, Loa, NoKnowledge>>,
    tables: Option<Tables>,
}

impl Engine {
    /// Gives the engine a part. Tables stay in memory until the program ends, so only the first ones are taken.
    ///
    /// # Errors
    /// The bytes are not that part, or are damaged; or the engine has tables.
    pub fn load(&mut self, part: Part, bytes: &[u8]) -> Result<(), String> {
        match part {
            Part::CheckersWeights => {
                let evaluation = Checkers::read(bytes).map_err(|error| error.to_string())?;
                let searcher = Searcher::new(evaluation.clone()).with_knowledge(self.tables);
                self.checkers = Some((evaluation, searcher));
            }
            Part::LoaWeights => self.loa = Some(Searcher::new(Loa::read(bytes).map_err(|error| error.to_string())?)),
            Part::CheckersTables if self.tables.is_some() => {
                return Err("found tables twice, expected them once".into());
            }
            Part::CheckersTables => {
                // Opened here first, since bytes that are no tables must not stay in memory.
                TableFile::open(bytes, Trust::CheckPages).map_err(|error| error.to_string())?;
                let bytes: &'static [u8] = Box::leak(bytes.into());
                let file = TableFile::open(bytes, Trust::CheckPages).map_err(|error| error.to_string())?;
                self.tables = Some(Box::leak(Box::new(Tablebase::new(Box::leak(Box::new(file))))));
                let taken = self.checkers.take();
                self.checkers = taken.map(|(evaluation, searcher)| (evaluation, searcher.with_knowledge(self.tables)));
            }
        }
        Ok(())
    }

    /// Answers a request with JSON. A search calls `report` with the JSON of each iteration.
    /// A request that is no text, or too long, is answered with an error like any other that is wrong.
    pub fn answer(&mut self, request: &[u8], report: &mut dyn FnMut(&str)) -> String {
        let answer = Request::read(request).and_then(|request| match request.name {
            Name::Checkers => self.of_checkers(&request, report),
            Name::Loa => self.of_loa(&request, report),
        });
        answer.unwrap_or_else(failure)
    }

    fn of_checkers(&mut self, request: &Request<'_>, report: &mut dyn FnMut(&str)) -> Result<String, String> {
        let played = Played::<checkers::Position>::read(request)?;
        if request.question == Question::State {
            return Ok(state(&played));
        }
        let (evaluation, searcher) = self.checkers.as_mut().ok_or("found a search, expected weights before it")?;
        // An analysis wants scores of several moves, which the tables give the search.
        if let (Some(tables), 0 | 1) = (self.tables, request.limits.lines)
            && let Ok(choice) = tables.choose(&played.history, evaluation, PROBES)
        {
            return Ok(tabled(&played.history.position(), &choice));
        }
        Ok(search(searcher, &played, request.limits, report))
    }

    fn of_loa(&mut self, request: &Request<'_>, report: &mut dyn FnMut(&str)) -> Result<String, String> {
        let played = Played::<loa::Position<8>>::read(request)?;
        if request.question == Question::State {
            return Ok(state(&played));
        }
        let searcher = self.loa.as_mut().ok_or("found a search, expected weights before it")?;
        Ok(search(searcher, &played, request.limits, report))
    }
}

fn search<G: Shown + Searched, E: Evaluator<G>, T: Knowledge<G>>(
    searcher: &mut Searcher<G, E, T>,
    played: &Played<G>,
    limits: Limits,
    report: &mut dyn FnMut(&str),
) -> String {
    let position = played.history.position();
    let mut observe = |found: &Report<G>| {
        report(&searched(&position, found));
        ControlFlow::Continue(())
    };
    let found = searcher.search(&played.history, limits, &mut observe);
    searched(&position, &found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine() -> Engine {
        let mut engine = Engine::default();
        engine.load(Part::CheckersWeights, evaluate::checkers::EMBEDDED).expect("weights");
        engine.load(Part::LoaWeights, evaluate::loa::LARGE).expect("weights");
        engine
    }

    fn ask(engine: &mut Engine, request: &str) -> (String, usize) {
        let mut reports = 0;
        (engine.answer(request.as_bytes(), &mut |_| reports += 1), reports)
    }

    #[test]
    fn searches_report_each_iteration_and_find_wins() {
        let (answer, reports) = ask(&mut engine(), "search checkers\nstart W:WK10,K15:BK2\nnodes 20000");
        assert!(answer.contains("\"score\":\"loss in 3\"") && answer.contains("\"best\":\"15-11\""), "{answer}");
        assert!(reports >= 2, "{reports}");
        let (answer, _) = ask(&mut engine(), "search loa\nmoves b1-b3 a3-c5\nnodes 5000\nlines 3");
        assert_eq!(answer.matches("\"moves\":").count(), 3, "{answer}");
    }

    #[test]
    fn states_have_the_legal_moves() {
        let (answer, _) = ask(&mut Engine::default(), "state checkers\nmoves 11-15 22-18");
        assert!(answer.contains("\"must_capture\":true") && answer.contains("\"turn\":\"black\""), "{answer}");
        assert_eq!(answer.matches("\"line\":").count(), 1, "one capture: {answer}");
        let (answer, _) = ask(&mut Engine::default(), "state loa");
        assert_eq!(answer.matches("\"line\":").count(), 36, "{answer}");
    }

    #[test]
    fn errors_are_answers() {
        for (request, error) in [
            ("search loa", "expected weights"),
            ("state loa\nmoves a1-a2", "a1-a2"),
            ("state checkers\nstart W:W33:B1", "square"),
            ("state checkers\nstart B:W18:B\nmoves 1-5", "the game is over"),
            ("nothing", "expected state or search"),
        ] {
            let (answer, _) = ask(&mut Engine::default(), request);
            assert!(answer.starts_with("{\"error\":") && answer.contains(error), "{answer}");
        }
        for part in Part::ALL {
            assert!(Engine::default().load(part, b"kingline").is_err(), "{part:?}");
        }
    }

    #[cfg(feature = "pack")]
    #[test]
    fn tables_play_endings() {
        let tables = kingline::knowledge::tablebase::embedded().expect("tables").up_to(4);
        let mut engine = engine();
        engine.load(Part::CheckersTables, &tables).expect("tables");
        let (answer, reports) = ask(&mut engine, "search checkers\nstart W:WK30,K31:BK11\nnodes 1000");
        assert!(answer.contains("won, 33 plies to the next"), "{answer}");
        assert_eq!(reports, 0);
    }
}
