//! Preparation of an agent for its first game: calibration and name.

use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};

use super::contestant::Contestant;
use super::request::RequestPlayer;
use super::violation::last_words;
use crate::intake::agent::Agent;
use crate::league::agent_limits::AgentLimits;
use crate::league::preparation::{CalibrateLimits, waiting};
use crate::league::{League, Protocol};
use crate::referee::NoObserver;
use crate::sandbox::{JobEnd, JobLimits, Output, UntrustedFileError, Workspace, open_untrusted, read_untrusted};
use kingline::game::Color;
use kingline_players::files::{NewFile, write_whole};
use kingline_players::protocol::turn_files::CALIBRATION;

/// Note about a `calibrate` that ends but writes nothing.
pub(crate) const WROTE_NO_CALIBRATION: &str = "calibrate wrote no calibration.txt";
/// Maximum length of a calibration.txt, in bytes.
const LARGEST_CALIBRATION: u64 = 64 << 20;
/// Maximum length of a kept outcome, in bytes.
const LONGEST_OUTCOME: usize = 1 << 20;

/// An observer of agents that are prepared, perhaps several at a time.
pub trait PreparationObserver: fmt::Debug + Send + Sync {
    /// Called before an agent's `calibrate` runs, which takes at most this time.
    fn calibrating(&self, agent: &str, limit: Duration);
    /// Called when it has ended, with the same arguments.
    fn calibrated(&self, agent: &str, limit: Duration);
    /// Called for each problem of an agent that plays nevertheless, where no report has room for it.
    fn noted(&self, agent: &str, note: &str);
}

impl PreparationObserver for NoObserver {
    fn calibrating(&self, _: &str, _: Duration) {}
    fn calibrated(&self, _: &str, _: Duration) {}
    fn noted(&self, _: &str, _: &str) {}
}

/// Prepares an agent that needs no build: runs its `calibrate` once, and asks for its name if the protocol has names.
/// The outcome of `calibrate` is kept in the workspace under the agent's hash, whether it succeeded or failed. A failure
/// is a note and costs nothing. An agent without a `calibrate`, or whose `calibrate` writes nothing, keeps the
/// calibration.txt that it came with.
///
/// # Errors
/// The agent's folder cannot be read, the workspace cannot be written, or the sandbox fails.
pub fn prepare(
    workspace: Workspace,
    league: &League,
    agent: Agent,
    observer: &dyn PreparationObserver,
) -> anyhow::Result<Contestant> {
    let mut notes = agent.notes.clone();
    let mut contestant = Contestant::new(agent, workspace.kept)?;
    let of_agent = |contestant: &Contestant| format!("cannot copy the {CALIBRATION} of {}", contestant.agent().name);
    if let Some(mut handed_in) = handed_in(contestant.agent(), &mut notes) {
        contestant.calibrate(&mut handed_in).with_context(|| of_agent(&contestant))?;
    }
    if let Some(mut calibration) = calibrate(workspace, league, &contestant, &mut notes, observer)? {
        contestant.calibrate(&mut calibration).with_context(|| of_agent(&contestant))?;
    }
    contestant.notes = notes;
    if league.protocol == Protocol::Request {
        let cell = workspace.cell(Color::Black, &league.limits, &contestant)?;
        contestant.title = RequestPlayer::new(&contestant, league, cell).identify()?;
    }
    Ok(contestant)
}

fn handed_in(agent: &Agent, notes: &mut Vec<String>) -> Option<File> {
    // An agent may be a single file.
    if !agent.folder.is_dir() {
        return None;
    }
    match open_untrusted(&agent.folder.join(CALIBRATION), LARGEST_CALIBRATION) {
        Ok((file, _)) => Some(file),
        Err(UntrustedFileError::Missing) => None,
        Err(error) => {
            notes.push(format!("{CALIBRATION}: {error}"));
            None
        }
    }
}

/// The outcome of a `calibrate`, kept beside its calibration.txt.
#[derive(Serialize, Deserialize)]
struct CalibrateOutcome {
    limits: AgentLimits,
    calibrate: CalibrateLimits,
    notes: Vec<String>,
}

/// The files in which the outcome of an agent's `calibrate` is kept.
struct KeptCalibration {
    /// Its calibration.txt; missing if it wrote none.
    calibration: PathBuf,
    outcome: PathBuf,
}

impl KeptCalibration {
    fn new(kept: &Path, agent: &Agent) -> KeptCalibration {
        let folder = kept.join("calibrations");
        let outcome = folder.join(format!("{}.outcome", agent.hash));
        KeptCalibration { calibration: folder.join(&agent.hash), outcome }
    }

    fn open(&self) -> Option<File> {
        open_untrusted(&self.calibration, LARGEST_CALIBRATION).ok().map(|(file, _)| file)
    }

    /// Returns the calibration.txt and the problems, if `calibrate` has run. A failure counts only under these limits.
    fn read(&self, league: &League) -> Option<(Option<File>, Vec<String>)> {
        let calibration = self.open();
        let outcome = read_untrusted(&self.outcome, LONGEST_OUTCOME).ok();
        let outcome = outcome.and_then(|bytes| serde_json::from_slice::<CalibrateOutcome>(&bytes).ok());
        let is_same = |outcome: &CalibrateOutcome| {
            calibration.is_some()
                || (outcome.limits, outcome.calibrate) == (league.limits, league.preparation.calibrate)
        };
        match outcome.filter(is_same) {
            Some(outcome) => Some((calibration, outcome.notes)),
            // Earlier versions kept only calibration.txt.
            None => calibration.map(|file| (Some(file), Vec::new())),
        }
    }

    /// Writes the outcome; a calibration.txt first, since it is an outcome by itself.
    fn write(&self, league: &League, calibration: Option<&mut File>, notes: &[String]) -> anyhow::Result<()> {
        let folder = self.outcome.parent().unwrap_or(&self.outcome);
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let is_calibrated = calibration.is_some();
        if let Some(from) = calibration {
            let mut kept = NewFile::create(&self.calibration)?;
            kept.write_from(from)?;
            kept.finish()?;
        }
        if is_calibrated && notes.is_empty() {
            return Ok(());
        }
        let notes = notes.to_vec();
        let outcome = CalibrateOutcome { limits: league.limits, calibrate: league.preparation.calibrate, notes };
        write_whole(&self.outcome, &serde_json::to_vec(&outcome)?)
    }
}

/// Copies the outcome of an agent's `calibrate` that the folder `from` keeps to the folder `to`, unless there is one.
/// Returns false if the agent has a `calibrate` and neither folder has its outcome.
pub(crate) fn take_over_calibration(from: &Path, to: &Path, agent: &Agent) -> anyhow::Result<bool> {
    if agent.calibrate.is_none() && agent.build_calibrate.is_empty() {
        return Ok(true);
    }
    let [from, to] = [from, to].map(|kept| KeptCalibration::new(kept, agent));
    let is_kept = |kept: &KeptCalibration| kept.calibration.exists() || kept.outcome.exists();
    if is_kept(&to) || !is_kept(&from) {
        return Ok(is_kept(&to));
    }
    let folder = to.outcome.parent().unwrap_or(&to.outcome);
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // The calibration.txt comes first, since it is an outcome by itself.
    for (from, to) in [(&from.calibration, &to.calibration), (&from.outcome, &to.outcome)] {
        match open_untrusted(from, LARGEST_CALIBRATION) {
            Ok((mut file, _)) => {
                let mut copy = NewFile::create(to)?;
                copy.write_from(&mut file)?;
                copy.finish()?;
            }
            Err(UntrustedFileError::Missing) => {}
            Err(error) => return Err(anyhow!("cannot read {}: {error}", from.display())),
        }
    }
    Ok(true)
}

/// Runs the agent's `calibrate`, if it has one, unless its outcome is known; returns its calibration.txt.
fn calibrate(
    workspace: Workspace,
    league: &League,
    contestant: &Contestant,
    notes: &mut Vec<String>,
    observer: &dyn PreparationObserver,
) -> anyhow::Result<Option<File>> {
    let agent = contestant.agent();
    let kept = KeptCalibration::new(workspace.kept, agent);
    if let Some((calibration, known)) = kept.read(league) {
        notes.extend(known);
        return Ok(calibration);
    }
    let Some(program) = &agent.calibrate else { return Ok(None) };
    let mut cell = workspace.cell(Color::Black, &league.limits, contestant)?;
    let time = league.preparation.calibrate.time();
    let limits = JobLimits { waiting: Some(waiting(time)), ..league.limits.of_job(None, time) };
    let job = contestant.job(&cell, program, Vec::new(), Output::Discard, limits);
    observer.calibrating(&agent.name, time);
    let run = cell.run(&job);
    observer.calibrated(&agent.name, time);
    let run = run?;
    let mut found = Vec::new();
    match &run.end {
        JobEnd::Exited(0) => {}
        JobEnd::OverWall => found.push(format!(
            "calibrate took longer than {} s (preparation.calibrate.seconds){}",
            time.as_secs(),
            last_words(&run)
        )),
        end => found.push(format!("calibrate: {end}{}", last_words(&run))),
    }
    let mut calibration = match cell.open(CALIBRATION, LARGEST_CALIBRATION) {
        Ok(file) => Some(file),
        Err(UntrustedFileError::Missing) => {
            found.push(WROTE_NO_CALIBRATION.to_owned());
            None
        }
        Err(error) => {
            found.push(format!("calibrate: {CALIBRATION}: {error}"));
            None
        }
    };
    // A busy machine may give it a core the next time.
    if calibration.is_some() || !run.end.is_machines() {
        kept.write(league, calibration.as_mut(), &found)?;
    }
    notes.extend(found);
    Ok(kept.open())
}
