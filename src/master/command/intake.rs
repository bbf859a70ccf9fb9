//! Taking in agents: finding them in folders, and building those that come as source.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::options::Unusable;
use super::screen::progress_bar;
use crate::intake::agent::{FoundAgents, Intake, Refused, agents_in};
use crate::intake::build::build;
use crate::league::League;
use crate::sandbox::{Sandbox, Workspace};
use kingline::terminal::{escaped, stderr_line};

/// Intake settings for this league.
pub(super) fn intake(league: &League) -> Result<Intake<'_>> {
    Intake::new(league).context("cannot create a folder for unpacked files")
}

/// Finds the agents in folders; warns about each file that is not an agent.
pub(super) fn agents_found(directories: &[PathBuf], intake: &Intake) -> Result<FoundAgents> {
    let found = agents_in(directories, intake).map_err(|error| Unusable(format!("cannot read {error}")))?;
    for path in &found.ignored {
        let path = escaped(&path.to_string_lossy());
        stderr_line(format_args!("master: ignored: {path}: neither a folder nor an archive"));
    }
    Ok(found)
}

/// Builds agents that come as source, in `kept`; refuses those that cannot be built.
pub(super) fn build_all(sandbox: &Sandbox, league: &League, kept: &Path, found: &mut FoundAgents) -> Result<()> {
    let bar = progress_bar(found.agents.len() as u64, "{spinner} built {pos} of {len} agents, {elapsed}");
    for agent in std::mem::take(&mut found.agents) {
        let folder = tempfile::tempdir().context("cannot create a folder for the build")?;
        let workspace = Workspace { sandbox, folder: folder.path(), kept };
        match build(workspace, league.game, &agent)?.result {
            Ok(built) => found.agents.push(built),
            Err(why) => found.refused.push(Refused { path: agent.name.into(), why }),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}
