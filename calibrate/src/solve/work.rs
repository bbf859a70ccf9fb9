//! Carries out tasks: scores and proves positions.

use kingline::score::Score;
use kingline::search::{Limits, Prover, Report as SearchReport, Searcher};
use kingline_players::play::solved::EXPECTATION;

use super::evaluated::Evaluated;
use super::node::Aim;
use super::read_out::{Forgotten, ReadOut};
use super::store::Fact;
use super::store::Store;
use super::task::{Found, Task};

/// Node limit of a first search for the winner's best move.
const FIRST_SEARCH: u64 = 40_000;
/// Score at which that suffices, in hundredths of the evaluation's unit: the solver soon proves the win.
const CLEAR: i16 = 100;
/// Node limit of a search for the winner's best move if the win is not clear.
const SEARCH: u64 = 350_000;
/// Node limit of a search for the score of each other move.
const SHORT_SEARCH: u64 = 60_000;
/// Node limit of a search for the score after each of the defender's moves.
const REPLY_SEARCH: u64 = 10_000;
/// Node limit of the solver for a position of the winner, before it is searched.
const GLANCE: u64 = 100_000;
/// Node limit of the solver for a loss that a search has found.
const CONFIRM: u64 = 1_000_000;
/// Size of a search table, in bytes.
const SEARCH_TABLE: usize = 256 << 20;

/// Solver and search of a thread, with their tables.
pub(super) struct Worker<'a, G: Evaluated> {
    store: &'a Store,
    prover: Prover<G, G::ForSolver>,
    searcher: Searcher<G, G::ForSearch>,
    /// Nodes visited since they were last taken.
    nodes: u64,
}

impl<'a, G: Evaluated> Worker<'a, G> {
    /// Returns a worker whose solver takes at most `bytes` of memory.
    pub(super) fn new(store: &'a Store, bytes: usize) -> Worker<'a, G> {
        let searcher = Searcher::new(G::for_search()).with_table_limit(SEARCH_TABLE);
        let prover = Prover::new(G::for_solver()).with_expectation(EXPECTATION).with_table_limit(bytes);
        Worker { store, prover, searcher, nodes: 0 }
    }

    /// Returns the number of nodes visited since the last call.
    pub(super) fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.nodes)
    }

    /// Does a task.
    pub(super) fn run(&mut self, task: &Task<G>) -> Found {
        match *task {
            Task::Best(position) => self.best(&position),
            Task::Deepen(position, nodes) => self.deepen(&position, nodes),
            Task::Others(position) => self.others(&position),
            Task::Replies(position) => self.replies(&position),
            Task::Solve(position, nodes) => self.solve(&position, nodes),
        }
    }

    /// Searches for the winner's best move, and scores the position after it.
    fn best(&mut self, position: &G) -> Found {
        match self.prove(position, GLANCE) {
            Some(score) if score.is_win() && self.read_out(|walk| walk.won(position)) => return Found::Proved,
            Some(score) if score.is_loss() && self.read_out(|walk| walk.lost(position)) => return Found::Refuted,
            _ => {}
        }
        let mut report = self.search(position, FIRST_SEARCH);
        if report.score.value() < CLEAR {
            report = self.search(position, SEARCH);
        }
        // A search may be wrong about a loss, since it skips moves; the solver is not.
        if report.score.is_loss()
            && self.prove(position, CONFIRM).is_some_and(Score::is_loss)
            && self.read_out(|walk| walk.lost(position))
        {
            return Found::Refuted;
        }
        self.add_best(position, &report);
        self.store.add(position.form(), Fact::Tried);
        Found::More
    }

    /// Searches for the winner's best move, and scores the position after it anew.
    fn deepen(&mut self, position: &G, nodes: u64) -> Found {
        let report = self.search(position, nodes);
        self.add_best(position, &report);
        Found::More
    }

    /// Scores the position after each of the winner's moves that has no score yet.
    fn others(&mut self, position: &G) -> Found {
        self.score_moves(position, SHORT_SEARCH, |_| true)
    }

    /// Scores the position after each of the defender's moves that has no score yet and is not known to fail.
    fn replies(&mut self, position: &G) -> Found {
        let store = self.store;
        self.score_moves(position, REPLY_SEARCH, |after| !store.reaches(after, Aim::Hold))
    }

    fn score_moves(&mut self, position: &G, nodes: u64, is_needed: impl Fn(&G) -> bool) -> Found {
        for mv in position.legal_moves() {
            let after = position.play(mv);
            if after.outcome().is_none() && self.store.facts(after.form()).score.is_none() && is_needed(&after) {
                let report = self.search(&after, nodes);
                self.add_score(&after, -report.score);
            }
        }
        Found::More
    }

    /// Tries to prove a position of the defender lost.
    fn solve(&mut self, position: &G, nodes: u64) -> Found {
        match self.prove(position, nodes) {
            Some(score) if score.is_loss() && self.read_out(|walk| walk.lost(position)) => return Found::Proved,
            Some(score) if score.is_win() && self.read_out(|walk| walk.won(position)) => return Found::Refuted,
            _ => {}
        }
        self.store.add(position.form(), Fact::Tried);
        Found::More
    }

    fn prove(&mut self, position: &G, nodes: u64) -> Option<Score> {
        let proof = self.prover.prove(*position, Limits::nodes(nodes), &mut ());
        self.nodes += proof.nodes;
        proof.score
    }

    fn search(&mut self, position: &G, nodes: u64) -> SearchReport<G> {
        let report = self.searcher.search(*position, Limits::nodes(nodes), &mut ());
        self.nodes += report.nodes;
        report
    }

    /// Adds a proof of the solver to the store. Returns true if the solver's table still had it.
    fn read_out(&mut self, add: impl FnOnce(&mut ReadOut<'_, G>) -> Result<u16, Forgotten>) -> bool {
        let mut walk = ReadOut::new(self.store, &mut self.prover);
        let added = add(&mut walk);
        self.nodes += walk.nodes;
        added.is_ok()
    }

    /// Adds the score of the best move that a search has found to the store.
    fn add_best(&self, position: &G, report: &SearchReport<G>) {
        if let Some(best) = report.best {
            self.add_score(&position.play(best), report.score);
        }
    }

    /// Adds a score for the winner to the store, as an estimate.
    fn add_score(&self, after: &G, score: Score) {
        let bound = Score::MAX_ESTIMATE.value();
        let score = score.value().clamp(-bound, bound);
        self.store.add(after.form(), Fact::Score(score));
    }
}
