//! Options for playing games.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use clap::Args;

use super::super::options::SandboxOptions;
use crate::league::League;
use crate::league::clock_rules::Allowance;

/// Options for playing games.
#[derive(Args)]
pub(super) struct PlayingOptions {
    #[command(flatten)]
    pub(super) sandbox: SandboxOptions,
    /// Number of games at a time. Default: one for each core, or half of that if wall time counts.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl PlayingOptions {
    /// Returns the number of games played at a time.
    pub(super) fn jobs(&self, league: &League) -> usize {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let usual = match league.clock.counts {
            Allowance::Cpu => cores,
            Allowance::Wall => cores.div_ceil(2),
        };
        self.jobs.map_or(usual, NonZeroUsize::get)
    }
}
