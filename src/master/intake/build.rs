//! Builds agents submitted as source in a cell without network access, once for each set of files.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `commands` | how are build commands run, and when is it the author's fault that they fail? |
//! | `outcome` | how is the outcome of a build kept, whether it succeeded or failed? |

mod commands;
mod outcome;

use std::path::Path;

use super::agent::{self, Agent, Trouble};
use crate::league::League;
use crate::league::clock_rules::Spent;
use crate::sandbox::Workspace;
use outcome::Builds;

/// Outcome and cost of a build.
#[derive(Debug)]
pub struct Build {
    /// The agent with its programs, or the reason why it cannot be built.
    pub result: Result<Agent, Trouble>,
    /// Total time of the commands; zero if they were run earlier.
    pub spent: Spent,
}

impl Build {
    /// Returns the agent with its programs or, if it could not be built, the agent as found, which then fails to start
    /// in its first game.
    pub fn or_as_found(self, agent: &Agent) -> Agent {
        self.result.unwrap_or_else(|_| agent.clone())
    }
}

/// Builds an agent submitted as source; returns any other agent unchanged. Builds the player first and then, in a copy
/// of the result, `calibrate`: if that fails, the agent gets a note and plays without it. Keeps both outcomes in the
/// workspace, under a hash of the agent's files and commands.
///
/// # Errors
/// The agent's files cannot be read, the workspace cannot be written, or the sandbox fails.
pub fn build(workspace: Workspace, league: &League, agent: &Agent) -> anyhow::Result<Build> {
    let mut spent = Spent::default();
    let builds = Builds::new(workspace, league);
    let (mut built, mut source) = (agent.clone(), agent.hash.clone());
    if !agent.build.is_empty() {
        source = outcome::key(&agent.hash, &agent.build);
        let made = builds.folder(&agent.folder, &source, &agent.build, &mut spent)?;
        match made.and_then(|folder| agent::built(agent, &folder, league.game).map_err(|why| why.inside(&folder))) {
            Ok(agent) => built = agent,
            Err(why) => return Ok(Build { result: Err(why), spent }),
        }
    }
    if !agent.build_calibrate.is_empty() {
        let key = outcome::key(&source, &agent.build_calibrate);
        let made = builds.folder(&built.folder, &key, &agent.build_calibrate, &mut spent)?;
        match made.and_then(|folder| agent::calibrate_built(&built, &folder).map_err(|why| why.inside(&folder))) {
            Ok(agent) => built = agent,
            Err(why) => {
                (built.calibrate, built.build_calibrate) = (None, Vec::new());
                built.notes.push(why.of_calibrate());
            }
        }
    }
    Ok(Build { result: Ok(built), spent })
}

/// Why an agent could not be built earlier, as the folder `kept` has it.
pub(crate) fn why_not_built(kept: &Path, league: &League, agent: &Agent) -> Option<Trouble> {
    if agent.build.is_empty() {
        return None;
    }
    let built = outcome::known(kept, &league.preparation, &outcome::key(&agent.hash, &agent.build))?;
    built.and_then(|folder| agent::built(agent, &folder, league.game)).err()
}

/// Copies the builds of an agent that the folder `from` keeps to the folder `to`, except those that are there.
///
/// # Errors
/// A build cannot be read or written.
pub(crate) fn take_over_builds(from: &Path, to: &Path, agent: &Agent) -> anyhow::Result<()> {
    let mut source = agent.hash.clone();
    for commands in [&agent.build, &agent.build_calibrate].into_iter().filter(|commands| !commands.is_empty()) {
        source = outcome::key(&source, commands);
        outcome::take_over(from, to, &source)?;
    }
    Ok(())
}
