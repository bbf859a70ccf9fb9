//! Options for playing games.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use clap::Args;

use super::super::memory::games_at_once;
use super::super::options::SandboxOptions;
use crate::league::League;
use crate::league::clock_rules::Allowance;
use crate::sandbox::Sandbox;

/// Options for playing games.
#[derive(Args)]
pub(super) struct PlayingOptions {
    #[command(flatten)]
    pub(super) sandbox: SandboxOptions,
    /// Number of games at a time, if the memory of this machine suffices. Default: one for each core, or half of that if
    /// wall time counts.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl PlayingOptions {
    /// Returns the number of games played at a time: as many as fit in memory.
    pub(super) fn jobs(&self, sandbox: &Sandbox, league: &League) -> usize {
        games_at_once(sandbox, league, self.wanted(league)).get()
    }

    /// Returns the number of games to play at a time, if they fit in memory.
    pub(super) fn wanted(&self, league: &League) -> NonZeroUsize {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let usual = match league.clock.counts {
            Allowance::Cpu | Allowance::User => cores,
            Allowance::Wall => cores.div_ceil(2),
        };
        self.jobs.or_else(|| NonZeroUsize::new(usual)).unwrap_or(NonZeroUsize::MIN)
    }
}
