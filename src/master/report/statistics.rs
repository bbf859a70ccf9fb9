//! Statistics gathered while the files of games are written.

use std::collections::BTreeMap;
use std::time::Duration;

use super::film::ShownGame;
use crate::league::clock_rules::ClockRules;
use crate::record::{Fault, FaultKind, GameRecord};
use crate::sandbox::Peak;
use crate::tournament::store::{GameId, Summary};

/// Statistics that need the full records of games.
pub(super) struct Statistics {
    /// Determines which time counts, at which resolution.
    clock: ClockRules,
    /// One entry per agent.
    pub(super) agents: Vec<AgentStatistics>,
    /// Number of games measured by each tier.
    pub(super) tiers: BTreeMap<String, u64>,
}

/// Statistics of an agent over all its games.
#[derive(Clone, Debug, Default)]
pub(super) struct AgentStatistics {
    /// Number of the agent's turns.
    pub(super) turns: u64,
    /// Total charged time of its turns.
    pub(super) spent: Duration,
    /// Charged time of its longest turn.
    pub(super) longest: Duration,
    /// Number of turns in each range of [`TIMES`].
    pub(super) by_time: [u64; TIMES.len()],
    /// Least time left after any of its turns, if games are timed.
    pub(super) least_left: Option<Duration>,
    /// Peak use of resources in any of its turns.
    pub(super) peak: Peak,
    /// Faults by kind, in the order in which the kinds first occurred.
    pub(super) faults: Vec<FaultsOfKind>,
}

/// Faults of one kind.
#[derive(Clone, Debug)]
pub(super) struct FaultsOfKind {
    pub(super) kind: FaultKind,
    pub(super) count: u64,
    /// The first faults, at most [`EXPLAINED`] of them.
    pub(super) first: Vec<Example>,
}

/// Ranges of the time of a turn: the longest time in each, and words.
pub(super) const TIMES: [(Duration, &str); 6] = [
    (Duration::from_millis(10), "at most 0.01 s"),
    (Duration::from_millis(100), "0.01 to 0.1 s"),
    (Duration::from_secs(1), "0.1 to 1 s"),
    (Duration::from_secs(10), "1 to 10 s"),
    (Duration::from_secs(60), "10 to 60 s"),
    (Duration::MAX, "more than 60 s"),
];

/// A fault with its place on the site.
#[derive(Clone, Debug)]
pub(super) struct Example {
    pub(super) fault: Fault,
    pub(super) game: GameId,
    /// Row of its turn on the game's page, or `None` if it belongs to no turn.
    pub(super) row: Option<u32>,
    /// The board before the turn, for the first faults of a kind.
    pub(super) board: Option<String>,
}

/// Maximum number of faults of one kind that an agent's page lists.
const EXPLAINED: usize = 20;
/// Maximum number of these that have a board.
const DRAWN: usize = 3;

impl Statistics {
    pub(super) fn new(agents: usize, clock: ClockRules) -> Statistics {
        let agents = vec![AgentStatistics::default(); agents];
        Statistics { clock, agents, tiers: BTreeMap::new() }
    }

    /// Adds the next game.
    pub(super) fn add(&mut self, summary: &Summary, record: &GameRecord) {
        match self.tiers.get_mut(&record.tier) {
            Some(games) => *games += 1,
            None => drop(self.tiers.insert(record.tier.clone(), 1)),
        }
        for turn in &record.turns {
            let agent = &mut self.agents[summary.agents[turn.side.index()]];
            let time = self.clock.charged(self.clock.counts.of(&turn.spent));
            agent.turns += 1;
            agent.spent += time;
            agent.longest = agent.longest.max(time);
            agent.by_time[TIMES.iter().take_while(|&&(most, _)| time > most).count().min(TIMES.len() - 1)] += 1;
            agent.least_left =
                turn.left.map_or(agent.least_left, |left| Some(agent.least_left.unwrap_or(left).min(left)));
            agent.peak = agent.peak.max_of(turn.peak.unwrap_or_default());
        }
        for fault in record.faults() {
            let rows = record.opening.len() + record.turns.len();
            let row = Some(fault.turn).filter(|&turn| turn > 0 && turn as usize <= rows);
            let agent = &mut self.agents[summary.agents[fault.side.index()]];
            let board = || ShownGame::of(record).ok()?.boards.get(row? as usize - 1).cloned();
            agent.add(summary.id, fault, row, board);
        }
    }
}

impl AgentStatistics {
    fn add(&mut self, game: GameId, fault: &Fault, row: Option<u32>, board: impl FnOnce() -> Option<String>) {
        let place = self.faults.iter().position(|faults| faults.kind == fault.kind);
        let place = place.unwrap_or_else(|| {
            self.faults.push(FaultsOfKind { kind: fault.kind, count: 0, first: Vec::new() });
            self.faults.len() - 1
        });
        let faults = &mut self.faults[place];
        faults.count += 1;
        if faults.first.len() < EXPLAINED {
            let board = (faults.first.len() < DRAWN).then(board).flatten();
            faults.first.push(Example { fault: fault.clone(), game, row, board });
        }
    }

    /// Number of its faults of one kind.
    pub(super) fn faults_of(&self, kind: FaultKind) -> u64 {
        self.faults.iter().find(|faults| faults.kind == kind).map_or(0, |faults| faults.count)
    }

    /// Mean charged time per turn.
    pub(super) fn mean(&self) -> Duration {
        self.spent.checked_div(u32::try_from(self.turns).unwrap_or(u32::MAX)).unwrap_or_default()
    }
}
