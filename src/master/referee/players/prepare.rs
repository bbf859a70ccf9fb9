//! Preparation of an agent for its first game: calibration and name.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use super::contestant::{AgentProgram, Contestant};
use super::request::RequestPlayer;
use super::words::last_words;
use crate::intake::agent::Agent;
use crate::league::agent_limits::AgentLimits;
use crate::league::{League, Protocol};
use crate::sandbox::{JobEnd, Output, UntrustedFileError, Workspace, read_untrusted};
use kingline::files::write_whole;
use kingline::game::Color;
use kingline::protocol::turn_files::CALIBRATION;

/// Time after which a calibration is stopped. The contract sets no limit (§2), but some calibrations never end.
const LONGEST_CALIBRATION: Duration = Duration::from_secs(1800);
/// Note about a `calibrate` that ends but writes nothing.
pub(crate) const WROTE_NO_CALIBRATION: &str = "calibrate wrote no calibration.txt";
/// Maximum length of a calibration.txt, in bytes.
const LARGEST_CALIBRATION: usize = 64 << 20;

/// Prepares an agent that needs no build: runs its `calibrate` once, and asks for its name if the protocol has names.
/// The result of `calibrate` is kept in the workspace under the agent's hash. An agent without a `calibrate`, or whose
/// `calibrate` writes nothing, keeps the calibration.txt that it came with.
///
/// # Errors
/// The agent's folder cannot be read, the workspace cannot be written, or the sandbox fails.
pub fn prepare(workspace: Workspace, league: &League, agent: Agent) -> anyhow::Result<Contestant> {
    let mut notes = agent.notes.clone();
    let kept = workspace.kept.join("calibrations").join(&agent.hash);
    let contestant = Contestant::new(agent, workspace.kept)?;
    let handed_in = handed_in(contestant.agent(), &mut notes);
    let contestant = contestant.with_calibration(handed_in.clone());
    let calibration = match fs::read(&kept) {
        Ok(bytes) => Some(bytes),
        Err(_) => calibrate(workspace, &league.limits, &contestant, &kept, &mut notes)?,
    };
    let contestant = contestant.with_calibration(calibration.or(handed_in)).with_notes(notes);
    let title = match league.protocol {
        Protocol::Request => {
            let cell = workspace.cell(Color::Black, &league.limits, &contestant)?;
            RequestPlayer::new(&contestant, league, cell).identify()?
        }
        _ => None,
    };
    Ok(contestant.with_title(title))
}

/// Reads the calibration.txt that an agent came with.
fn handed_in(agent: &Agent, notes: &mut Vec<String>) -> Option<Vec<u8>> {
    // An agent may be a single file.
    if !agent.folder.is_dir() {
        return None;
    }
    match read_untrusted(&agent.folder.join(CALIBRATION), LARGEST_CALIBRATION) {
        Ok(bytes) => Some(bytes),
        Err(UntrustedFileError::Missing) => None,
        Err(error) => {
            notes.push(format!("{CALIBRATION}: {error}"));
            None
        }
    }
}

/// Runs the agent's `calibrate`, if it has one; returns its calibration.txt.
fn calibrate(
    workspace: Workspace,
    limits: &AgentLimits,
    contestant: &Contestant,
    kept: &Path,
    notes: &mut Vec<String>,
) -> anyhow::Result<Option<Vec<u8>>> {
    let Some(program) = &contestant.agent().calibrate else { return Ok(None) };
    let mut cell = workspace.cell(Color::Black, limits, contestant)?;
    let limits = limits.of_job(None, LONGEST_CALIBRATION);
    let run =
        cell.run(&contestant.job(&cell, AgentProgram::Calibrate(program), Vec::new(), Output::Discard, limits))?;
    if run.end != JobEnd::Exited(0) {
        notes.push(format!("calibrate: {}{}", run.end, last_words(&run)));
    }
    match cell.read(CALIBRATION, LARGEST_CALIBRATION) {
        Ok(bytes) => {
            let folder = kept.parent().unwrap_or(workspace.kept);
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            write_whole(kept, &bytes)?;
            Ok(Some(bytes))
        }
        Err(UntrustedFileError::Missing) => {
            notes.push(WROTE_NO_CALIBRATION.to_owned());
            Ok(None)
        }
        Err(error) => {
            notes.push(format!("calibrate: {CALIBRATION}: {error}"));
            Ok(None)
        }
    }
}
