//! Decides positions: how many nodes go to graphs and plans, and in which order.
//!
//! Positions that are known to be held come first, one by one. Then a graph gets a budget of nodes to prove the win. If
//! that does not decide the position, another one tries to prove that the other side holds. Then a plan made of deep
//! searches and of attempts at single replies takes over. If all fail, the budget is raised.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use kingline::game::Canonical;
use kingline_players::terminal::in_thousands;

use super::goal::{Aim, Claim, Goal, State, Whose};
use super::notes::Notes;
use super::plan::Plan;
use super::run::Solver;
use super::strategy;
use super::work::Evaluated;

/// Factor by which the budget is raised.
const RAISE: u64 = 4;
/// Budget of the graph for a win, as a multiple of the plan's. Where the graph would finish, a plan takes several times as
/// long.
const WIN_SHARE: u64 = 60;
/// The same for a hold.
const HOLD_SHARE: u64 = 10;

impl Solver<'_> {
    /// Decides whether the goal's winner reaches its aim. If it turns out to lose, that is proved instead. All facts are
    /// then on disk.
    pub(super) fn decide<G: Evaluated>(&self, goal: &Goal<G>, notes: &mut Notes) -> Result<Verdict> {
        let start = &goal.start;
        let asked = goal.whose();
        let mut states = match (asked, goal.aim) {
            (Some(whose), Aim::Hold) => vec![self.hold(start, whose, notes)?],
            (Some(whose), Aim::Win) => self.settle(start, &[whose], notes)?,
            (None, _) => self.settle(start, &[Whose::Winner, Whose::Defender], notes)?,
        };
        if let ([(whose, State::Lost)], Some(_)) = (&states[..], asked) {
            let mut other = self.settle(start, &[whose.other()], notes)?;
            other.retain(|(_, state)| *state == State::Proved);
            states.extend(other);
        }
        self.store.save()?;
        self.verdict(start, &states)
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
            let nodes = budget.saturating_mul(WIN_SHARE);
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

    /// Decides whether the player with this role loses, however long it takes. Returns the player who reaches something
    /// and what, as a claim to win.
    fn hold<G: Evaluated>(&self, start: &G, whose: Whose, notes: &mut Notes) -> Result<(Whose, State)> {
        let holds = self.is_held(start, whose, u64::MAX, notes)?;
        // The proof may be that the player wins.
        let wins = match whose {
            Whose::Winner => self.store.reaches(start, Aim::Win),
            Whose::Defender => self.store.misses(start.form(), Aim::Hold),
        };
        Ok(match (holds, wins) {
            (true, true) => (whose, State::Proved),
            (true, false) => (whose.other(), State::NotWon),
            (false, _) => (whose.other(), State::Proved),
        })
    }

    /// True if a graph proves within this number of nodes that the player with this role does not lose.
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

impl Solver<'_> {
    /// Tries to prove that the player with this role wins the positions that it only holds from `start`, or that the
    /// other side holds them as well: each with this number of nodes. Does nothing if the store knows that the other side
    /// holds from `start`.
    pub(super) fn improve<G: Evaluated>(&self, start: &G, whose: Whose, nodes: u64, notes: &mut Notes) -> Result<()> {
        let is_no_win = match whose {
            Whose::Winner => self.store.misses(start.form(), Aim::Win),
            Whose::Defender => self.store.reaches(start, Aim::Hold),
        };
        if is_no_win {
            return Ok(());
        }
        let claim = Claim { whose: Whose::Defender, aim: Aim::Win };
        for position in strategy::only_held(self.store, start, whose)? {
            if self.store.reaches(&position, Aim::Hold) || !self.attempt(&position, &[claim], nodes, notes)?.is_empty()
            {
                continue;
            }
            self.is_held(&position, Whose::Winner, nodes, notes)?;
        }
        Ok(())
    }
}

/// Proved result of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The side to move wins in at most this many plies.
    Won(u16),
    /// The side to move loses in at most this many plies.
    Lost(u16),
    /// The side to move does not win: the other side can at least go on without end.
    NotWon,
    /// The side to move does not lose: it can at least go on without end.
    NotLost,
    /// Neither side wins: both can go on without end.
    Neither,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Report<G> {
    pub(super) start: G,
    pub(super) verdict: Verdict,
    pub(super) lost_positions: usize,
    pub(super) cpu: Duration,
}

impl<G> Report<G> {
    pub(super) fn in_words(&self) -> String {
        let (known, cpu) = (in_thousands(self.lost_positions as u64), self.cpu.as_secs_f64());
        format!("{}; {cpu:.0} s of CPU time, {known} lost positions known", self.verdict)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Won(plies) => write!(f, "the side to move wins, in at most {plies} plies"),
            Verdict::Lost(plies) => write!(f, "the side to move loses, in at most {plies} plies"),
            Verdict::NotWon => {
                write!(f, "the side to move does not win: the other side can at least go on without end")
            }
            Verdict::NotLost => write!(f, "the side to move does not lose: it can at least go on without end"),
            Verdict::Neither => write!(f, "neither side wins: both can go on without end"),
        }
    }
}

impl<G: fmt::Display> fmt::Display for Report<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.start, self.in_words())
    }
}
