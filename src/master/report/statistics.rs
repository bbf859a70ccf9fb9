//! Statistics gathered while the pages of games are written.

use std::collections::BTreeMap;
use std::time::Duration;

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
    /// Charged time of Black and White in each game.
    pub(super) spent: Vec<[Duration; 2]>,
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

/// A fault with its place on the site.
#[derive(Clone, Debug)]
pub(super) struct Example {
    pub(super) fault: Fault,
    pub(super) game: GameId,
    /// Row of its turn on the game's page, or `None` if it belongs to no turn.
    pub(super) row: Option<u32>,
}

/// Maximum number of faults of one kind that an agent's page lists.
const EXPLAINED: usize = 20;

impl Statistics {
    pub(super) fn new(agents: usize, clock: ClockRules) -> Statistics {
        let agents = vec![AgentStatistics::default(); agents];
        Statistics { clock, agents, spent: Vec::new(), tiers: BTreeMap::new() }
    }

    /// Adds the next game.
    pub(super) fn add(&mut self, summary: &Summary, record: &GameRecord) {
        match self.tiers.get_mut(&record.tier) {
            Some(games) => *games += 1,
            None => drop(self.tiers.insert(record.tier.clone(), 1)),
        }
        let mut spent = [Duration::ZERO; 2];
        for turn in &record.turns {
            let agent = &mut self.agents[summary.agents[turn.side.index()]];
            let time = self.clock.charged(self.clock.counts.of(&turn.spent));
            spent[turn.side.index()] += time;
            agent.turns += 1;
            agent.spent += time;
            agent.longest = agent.longest.max(time);
            agent.peak = agent.peak.max_of(turn.peak.unwrap_or_default());
        }
        self.spent.push(spent);
        for fault in record.faults() {
            let rows = record.opening.len() + record.turns.len();
            let row = Some(fault.turn).filter(|&turn| turn > 0 && turn as usize <= rows);
            self.agents[summary.agents[fault.side.index()]].add(summary.id, fault, row);
        }
    }
}

impl AgentStatistics {
    fn add(&mut self, game: GameId, fault: &Fault, row: Option<u32>) {
        let place = self.faults.iter().position(|faults| faults.kind == fault.kind);
        let place = place.unwrap_or_else(|| {
            self.faults.push(FaultsOfKind { kind: fault.kind, count: 0, first: Vec::new() });
            self.faults.len() - 1
        });
        let faults = &mut self.faults[place];
        faults.count += 1;
        if faults.first.len() < EXPLAINED {
            faults.first.push(Example { fault: fault.clone(), game, row });
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
