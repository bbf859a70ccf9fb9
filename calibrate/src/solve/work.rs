//! Tasks of the threads: positions are scored and proved.

use kingline::evaluate;
use kingline::game::{Canonical, Evaluator, Searched};
use kingline::loa::Position;
use kingline::score::{Meaning, Score};
use kingline::search::{Limits, Prover, Report as SearchReport, Searcher};
use kingline_players::play::solved::EXPECTATION;

use super::goal::Aim;
use super::store::{Fact, Store, lost_after_replies};

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
/// Node limit for repeating a proof that the solver's table has lost.
const AGAIN: u64 = 2_000_000;

/// Game with an evaluation for searches and one for the solver. Both only decide what is examined first.
pub(super) trait Evaluated: Canonical + Searched + Send + Sync {
    type ForSearch: Evaluator<Self>;
    type ForSolver: Evaluator<Self>;

    fn for_search() -> Self::ForSearch;

    fn for_solver() -> Self::ForSolver;
}

/// The solver needs about as many nodes with either evaluation, and is faster with the hand-written one.
impl<const N: usize> Evaluated for Position<N> {
    type ForSearch = evaluate::loa::Evaluation<N>;
    type ForSolver = evaluate::solver::Evaluation<N>;

    fn for_search() -> Self::ForSearch {
        Self::ForSearch::default()
    }

    fn for_solver() -> Self::ForSolver {
        Self::ForSolver::default()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Task<G> {
    /// Finds the winner's best move in this position.
    Best(G),
    /// Searches this many nodes for the winner's best move in this position, which had been searched before.
    Deepen(G, u64),
    /// Scores all of the winner's moves in this position.
    Others(G),
    /// Scores the positions after all of the defender's moves in this position, with short searches.
    Replies(G),
    /// Tries to prove this position of the defender lost within this number of solver nodes.
    Solve(G, u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The winner wins, and the store knows how.
    Proved,
    /// The defender wins.
    Refuted,
    /// The store has new scores, or a note that the solver has tried.
    More,
}

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

    pub(super) fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.nodes)
    }

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
    fn read_out(&mut self, add: impl FnOnce(&mut ReadOut<'_, G>) -> Option<u16>) -> bool {
        let mut walk = ReadOut::new(self.store, &mut self.prover);
        let added = add(&mut walk);
        self.nodes += walk.nodes;
        added.is_some()
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

/// Walk through one of the solver's proofs, to the positions that it rests on.
///
/// The solver remembers that a position is lost and in how many plies, but not why. So the proof is walked again down
/// to the end of the game: all of the loser's moves, and one of the winner's moves that leads to a position known to be
/// lost. A position enters the store after all positions that it rests on. Therefore no position rests on itself,
/// whatever the solver remembers.
struct ReadOut<'a, G: Evaluated> {
    store: &'a Store,
    prover: &'a mut Prover<G, G::ForSolver>,
    /// Lost positions on the way here. A form may occur twice; the second position is nearer to the end.
    way: Vec<G>,
    /// Nodes that the solver visited again.
    nodes: u64,
}

impl<'a, G: Evaluated> ReadOut<'a, G> {
    fn new(store: &'a Store, prover: &'a mut Prover<G, G::ForSolver>) -> ReadOut<'a, G> {
        ReadOut { store, prover, way: Vec::new(), nodes: 0 }
    }

    /// Adds a position that was proved lost, and all positions that it rests on, to the store. Returns the largest
    /// number of plies in which it is lost; `None` if the solver's table has lost the proof, and a short search found no
    /// other one, or only a repetition.
    fn lost(&mut self, position: &G) -> Option<u16> {
        let form = position.form();
        if let Some(plies) = self.store.lost(form) {
            return Some(plies);
        }
        if self.way.contains(position) {
            return None;
        }
        self.way.push(*position);
        let plies = lost_after_replies(position, |after| self.won(after));
        self.way.pop();
        self.store.add(form, Fact::Lost(plies?));
        plies
    }

    /// Adds the positions that a proved win rests on. Returns the largest number of plies in which the position is won.
    fn won(&mut self, position: &G) -> Option<u16> {
        if let Some(plies) = self.store.won(position) {
            return Some(plies);
        }
        for mv in self.remembered(position) {
            if let Some(plies) = self.lost(&position.play(mv)) {
                return Some(plies + 1);
            }
        }
        let proof = self.prover.prove(*position, Limits::nodes(AGAIN), &mut ());
        self.nodes += proof.nodes;
        match (proof.score, proof.line.first()) {
            (Some(score), Some(&mv)) if score.is_win() => Some(self.lost(&position.play(mv))? + 1),
            _ => None,
        }
    }

    /// Returns the moves to positions that the solver knows to be lost, quickest loss first.
    fn remembered(&self, position: &G) -> Vec<G::Move> {
        let plies = |mv| match self.prover.known(&position.play(mv)).map(Score::meaning) {
            Some(Meaning::LossIn(plies)) => Some((plies, mv)),
            _ => None,
        };
        let mut moves: Vec<(u16, G::Move)> = position.legal_moves().into_iter().filter_map(plies).collect();
        moves.sort_by_key(|&(plies, _)| plies);
        moves.into_iter().map(|(_, mv)| mv).collect()
    }
}
