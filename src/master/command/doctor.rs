use anyhow::{Result, bail};
use clap::Args;

use super::options::Holding;
use super::print::say;
use crate::master::doctor::examine;

/// What this machine offers to hold agents, what is missing, and how to get it. Exit code 1 where agents cannot be held.
#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    holding: Holding,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

/// Examines the machine, and tells.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let diagnosis = examine(&arguments.holding.policy()?)?;
    if arguments.json {
        say(serde_json::to_string_pretty(&diagnosis)?)?;
    } else {
        say(&diagnosis)?;
    }
    match diagnosis.survey {
        Some(_) => Ok(()),
        None => bail!("agents cannot be held here"),
    }
}
