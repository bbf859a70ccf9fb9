//! Decides positions: how many nodes go to trees, graphs and plans, and in which order.
//!
//! Positions that are known to be held come first, one by one. Then there is an attempt by the tree alone, with a budget
//! of nodes. If that does not decide the position, a graph tries to prove that the other side holds. Then a plan made of
//! deep searches and of attempts at single replies takes over. If all fail, the budget is raised.

use anyhow::{Context, Result};
use kingline::clock::Clock;
use kingline::game::Canonical;

use super::evaluated::Evaluated;
use super::goal::Goal;
use super::node::{Aim, Claim, State, Whose};
use super::notes::Notes;
use super::plan::Plan;
use super::report::{Report, Verdict};
use super::run::Solver;

/// Factor by which the budget is raised.
const RAISE: u64 = 4;
/// Budget of the tree alone, as a multiple of the plan's. Where the tree would finish, a plan takes several times as
/// long.
const TREE_SHARE: u64 = 60;
/// The same for the graph that tries to prove a hold.
const HOLD_SHARE: u64 = 10;

impl Solver<'_> {
    /// Decides whether the goal's winner reaches its aim. If it turns out to lose, that is proved instead.
    ///
    /// # Errors
    /// Fails if the store cannot be written.
    pub(super) fn decide<G: Evaluated>(&self, goal: &Goal<G>, notes: &mut Notes) -> Result<Report<G>> {
        let (start, began) = (goal.start, Clock::Process.now());
        let asked = goal.whose();
        if let (Some(whose), Aim::Hold) = (asked, goal.aim) {
            return self.hold(&start, whose, notes);
        }
        let roles = asked.map_or(vec![Whose::Winner, Whose::Defender], |whose| vec![whose]);
        let mut states = self.settle(&start, &roles, notes)?;
        if let ([(whose, State::Lost)], Some(_)) = (&states[..], asked) {
            let mut other = self.settle(&start, &[whose.other()], notes)?;
            other.retain(|(_, state)| *state == State::Proved);
            states.extend(other);
        }
        self.store.save()?;
        let verdict = self.verdict(&start, &states)?;
        let cpu = Clock::Process.now() - began;
        Ok(Report { start, verdict, lost_positions: self.store.lost_positions(), cpu })
    }

    /// Works on the proof for each of these roles of the side to move, until one is proved or all have failed. Returns
    /// the state of each decided one.
    fn settle<G: Evaluated>(&self, start: &G, roles: &[Whose], notes: &mut Notes) -> Result<Vec<(Whose, State)>> {
        let wins: Vec<Claim> = roles.iter().map(|&whose| Claim { whose, aim: Aim::Win }).collect();
        let mut budget = self.budget;
        loop {
            for &whose in roles {
                self.improve(start, whose, budget, notes)?;
            }
            let nodes = budget.saturating_mul(TREE_SHARE);
            let found = self.attempt(start, &wins, nodes, notes)?;
            let mut states: Vec<(Whose, State)> =
                found.into_iter().map(|(claim, state)| (claim.whose, state)).collect();
            if states.iter().any(|&(_, state)| state == State::Proved) {
                return Ok(states);
            }
            for &whose in roles {
                if states.iter().any(|&(decided, _)| decided == whose) {
                    continue;
                }
                if self.is_held(start, whose.other(), budget.saturating_mul(HOLD_SHARE), notes)? {
                    states.push((whose, State::NotWon));
                } else if Plan::new(self, notes, start, whose, budget).succeeds(start)? {
                    return Ok(vec![(whose, State::Proved)]);
                }
            }
            if states.len() == roles.len() {
                return Ok(states);
            }
            budget = budget.saturating_mul(RAISE);
        }
    }

    /// Decides whether the player with this role loses, however long it takes.
    fn hold<G: Evaluated>(&self, start: &G, whose: Whose, notes: &mut Notes) -> Result<Report<G>> {
        let began = Clock::Process.now();
        let holds = self.is_held(start, whose, u64::MAX, notes)?;
        self.store.save()?;
        // The proof may be that the player wins.
        let wins = match whose {
            Whose::Winner => self.store.reaches(start, Aim::Win),
            Whose::Defender => self.store.misses(start.form(), Aim::Hold),
        };
        let state = match (holds, wins) {
            (true, true) => (whose, State::Proved),
            (true, false) => (whose.other(), State::NotWon),
            (false, _) => (whose.other(), State::Proved),
        };
        let verdict = self.verdict(start, &[state])?;
        let cpu = Clock::Process.now() - began;
        Ok(Report { start: *start, verdict, lost_positions: self.store.lost_positions(), cpu })
    }

    /// True if a graph proves within this number of nodes that the player with this role does not lose.
    ///
    /// # Errors
    /// Fails if the store cannot be written.
    pub(super) fn is_held<G: Evaluated>(&self, start: &G, whose: Whose, nodes: u64, notes: &mut Notes) -> Result<bool> {
        let claim = Claim { whose, aim: Aim::Hold };
        Ok(self.attempt(start, &[claim], nodes, notes)? == [(claim, State::Proved)])
    }

    fn verdict<G: Canonical>(&self, start: &G, states: &[(Whose, State)]) -> Result<Verdict> {
        let missing = "the store lacks the proof";
        let proved = states.iter().find(|(_, state)| *state == State::Proved);
        Ok(match (proved, states) {
            (Some((Whose::Winner, _)), _) => Verdict::Won(self.store.won(start).context(missing)?),
            (Some((Whose::Defender, _)), _) => Verdict::Lost(self.store.lost(start.form()).context(missing)?),
            (None, [(Whose::Winner, _)]) => Verdict::NotWon,
            (None, [(Whose::Defender, _)]) => Verdict::NotLost,
            (None, _) => Verdict::Neither,
        })
    }
}
