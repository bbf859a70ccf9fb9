//! Plan for a hard position: deep searches choose the winner's moves, and graphs only have to prove the replies.
//!
//! Near the start, all moves of a position look about equally good to short searches, and a graph would spread its
//! work over many of them. The plan commits itself to one: that of a deep search. It then tries to prove each reply
//! with a budget of nodes, and proceeds in the same way at those that resist, depth first. Only when one of them fails
//! does it give the move up for another one. After a failure of all, the caller raises the budget.

use std::collections::HashSet;
use std::num::NonZero;

use anyhow::Result;
use kingline::game::Color;
use kingline::search::{Limits, Searcher};

use super::goal::{Aim, Claim, State, Whose};
use super::notes::Notes;
use super::run::Solver;
use super::work::Evaluated;

/// Divisor of the budget that gives the nodes of a first attempt at a reply.
const FIRST_SHARE: u64 = 8;
/// Divisor of the budget that gives the nodes of a search that orders replies or other moves.
const SHORT_SHARE: u64 = 40;
/// Number of moves to try in a position, not counting those that are refuted for good.
const MOVES: usize = 3;
/// Score for the winner below which a move is not tried, in hundredths of the evaluation's unit.
const HOPELESS: i16 = -40;
/// Most moves of the winner in a line.
const LONGEST: usize = 12;

/// A plan, with the line of play that it is working on.
pub(super) struct Plan<'p, 's, G: Evaluated> {
    solver: &'p Solver<'s>,
    notes: &'p mut Notes,
    searcher: Searcher<G, G::ForSearch>,
    winner: Color,
    /// Nodes of an attempt at a reply. A deep search takes three quarters of them.
    budget: u64,
    /// Forms of positions, with the winner to move, for which the plan has found no proof.
    failed: HashSet<u128>,
    /// Forms of the positions on the line, with the winner to move.
    line: Vec<u128>,
}

impl<'p, 's, G: Evaluated> Plan<'p, 's, G> {
    /// Returns a plan for a proof that a side wins from `start`, where this player is to move.
    pub(super) fn new(
        solver: &'p Solver<'s>,
        notes: &'p mut Notes,
        start: &G,
        whose: Whose,
        budget: u64,
    ) -> Plan<'p, 's, G> {
        let winner = if whose == Whose::Winner { start.turn() } else { !start.turn() };
        let threads = NonZero::new(solver.threads.count).unwrap_or(NonZero::<usize>::MIN);
        let searcher = Searcher::new(G::for_search()).with_table_limit(solver.plan_bytes()).with_threads(threads);
        Plan { solver, notes, searcher, winner, budget, failed: HashSet::new(), line: Vec::new() }
    }

    /// Tries to prove that the winner wins, and the store then knows how. Returns false if no proof was found.
    pub(super) fn succeeds(mut self, start: &G) -> Result<bool> {
        if start.turn() == self.winner { self.reaches(start) } else { self.refutes_replies(start) }
    }

    /// Tries the winner's moves.
    fn reaches(&mut self, position: &G) -> Result<bool> {
        let form = position.form();
        if self.line.len() == LONGEST || self.is_hopeless(form) {
            return Ok(false);
        }
        self.line.push(form);
        let store = self.solver.store;
        let is_refuted = |mv| store.reaches(&position.play(mv), Aim::Hold);
        let (mut tried, mut proved) = (Vec::new(), false);
        while !proved && tried.iter().filter(|&&mv| !is_refuted(mv)).count() < MOVES {
            let Some((mv, _)) = self.next_move(position, &tried).filter(|&(_, score)| score >= HOPELESS) else { break };
            tried.push(mv);
            if !is_refuted(mv) {
                self.notes.enter(position.notation(mv), None);
                proved = self.refutes_replies(&position.play(mv))?;
                self.notes.leave();
            }
        }
        self.line.pop();
        if !proved {
            self.failed.insert(form);
            if let Some(failure) = store.by_replies(position, Aim::Hold) {
                store.add(form, failure);
            }
        }
        Ok(proved)
    }

    /// True if the plan has failed at a position, or repeats it.
    fn is_hopeless(&self, form: u128) -> bool {
        self.failed.contains(&form) || self.line.contains(&form)
    }

    /// Returns the next move to try and its score: that of a deep search, then the best one of the others.
    fn next_move(&mut self, position: &G, tried: &[G::Move]) -> Option<(G::Move, i16)> {
        if tried.is_empty() {
            let report = self.searcher.search(*position, Limits::nodes(self.budget / 4 * 3), &mut ());
            self.notes.count(report.nodes);
            return Some((report.best?, report.score.value()));
        }
        let others = position.legal_moves().into_iter().filter(|mv| !tried.contains(mv));
        let after = others.map(|mv| (mv, position.play(mv))).filter(|(_, after)| after.outcome().is_none());
        after.map(|(mv, after)| (mv, -self.short_score(&after))).max_by_key(|&(_, score)| score)
    }

    /// Returns the score of a position for the side to move.
    fn short_score(&mut self, position: &G) -> i16 {
        let report = self.searcher.search(*position, Limits::nodes(self.budget / SHORT_SHARE), &mut ());
        self.notes.count(report.nodes);
        report.score.value()
    }

    /// Tries to prove that the winner wins from a position of the defender.
    fn refutes_replies(&mut self, position: &G) -> Result<bool> {
        let store = self.solver.store;
        let mut open = Vec::new();
        for mv in position.legal_moves() {
            let after = position.play(mv);
            match after.outcome() {
                _ if store.reaches(&after, Aim::Win) => {}
                None if store.misses(after.form(), Aim::Win) => return Ok(false),
                None if !self.is_hopeless(after.form()) => open.push((mv, after, self.short_score(&after))),
                _ => return Ok(false),
            }
        }
        // The hardest first: if it is refuted, the others are not needed.
        open.sort_by_key(|&(_, _, score)| score);
        let mut resisting = Vec::new();
        for (mv, after, _) in open {
            match self.attempt(&after, self.budget / FIRST_SHARE)? {
                Some(State::Proved) => {}
                Some(_) => return Ok(false),
                None => resisting.push((mv, after)),
            }
        }
        for (place, (mv, after)) in resisting.iter().enumerate() {
            self.notes.enter(position.notation(*mv), Some(resisting.len() - place));
            let proved = match self.attempt(after, self.budget)? {
                Some(state) => state == State::Proved,
                None => self.reaches(after)?,
            };
            self.notes.leave();
            if !proved {
                return Ok(false);
            }
        }
        let proof = store.by_replies(position, Aim::Win);
        if let Some(fact) = proof {
            store.add(position.form(), fact);
        }
        Ok(proof.is_some())
    }

    /// Attempts a position of the winner with a graph. Returns its state if that decides it.
    fn attempt(&mut self, position: &G, nodes: u64) -> Result<Option<State>> {
        let claim = Claim { whose: Whose::Winner, aim: Aim::Win };
        let states = self.solver.attempt(position, &[claim], nodes, self.notes)?;
        Ok(states.first().map(|&(_, state)| state))
    }
}
