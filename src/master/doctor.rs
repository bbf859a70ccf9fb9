//! What this machine offers to run agents fairly and safely, and what is missing.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use serde::Serialize;

use super::sandbox::{DiskLimit, End, Job, Limits, Output, Policy, Sandbox, Survey, Tier, Trial};

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    /// The means that games would be played by; none if agents cannot be run here.
    pub survey: Option<Survey>,
    /// Every way to read CPU time, the best first.
    pub tiers: Vec<Examined>,
    /// What it costs to run an agent in the sandbox, beyond what the agent costs.
    pub launch: Option<Launch>,
}

/// A way to read CPU time.
#[derive(Clone, Debug, Serialize)]
pub struct Examined {
    /// Which.
    pub tier: Tier,
    /// How exactly it reads; none if it cannot be had.
    pub trial: Option<Trial>,
    /// Why it cannot be had.
    pub problem: Option<String>,
}

/// What a run of a program that does nothing costs, medians.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Launch {
    /// In the sandbox.
    pub wall: Duration,
    /// CPU time of referee and program together, in the sandbox.
    pub cpu: Duration,
    /// As an ordinary child.
    pub plain_wall: Duration,
    /// The same of its CPU time.
    pub plain_cpu: Duration,
}

/// What is burnt to see how exactly it is read.
const BURN: Duration = Duration::from_millis(50);
/// Runs of which the median is taken.
const RUNS: usize = 61;

/// Tries everything that a tournament would need.
///
/// # Errors
/// A sandbox that could be opened fails.
pub fn examine(policy: &Policy) -> Result<Diagnosis> {
    let of_tier = |tier| {
        let trial = Sandbox::open(&Policy { tier: Some(tier), ..policy.clone() }).and_then(|open| open.trial(BURN));
        let problem = trial.as_ref().err().map(ToString::to_string);
        Examined { tier, trial: trial.ok(), problem }
    };
    let tiers = Tier::ALL.into_iter().map(of_tier).collect();
    let Ok(sandbox) = Sandbox::open(policy) else { return Ok(Diagnosis { survey: None, tiers, launch: None }) };
    let launch = Some(Launch::measure(&sandbox)?);
    Ok(Diagnosis { survey: Some(sandbox.survey()), tiers, launch })
}

impl Launch {
    fn measure(sandbox: &Sandbox) -> Result<Launch> {
        let program = ["/bin/true", "/usr/bin/true"].into_iter().map(Path::new).find(|path| path.exists());
        let program = program.context("there is no program `true` to try a launch with")?;
        let folder = tempfile::tempdir().context("cannot make a folder")?;
        let mut cell = sandbox.cell(folder.path(), "launch", DiskLimit::default())?;
        let job = Job {
            program: program.to_path_buf(),
            arguments: Vec::new(),
            readable: Vec::new(),
            input: Vec::new(),
            output: Output::Discard,
            limits: Limits::default(),
        };
        let (wall, cpu) = median_of(|| match cell.run(&job)?.end {
            End::Exited(0) => Ok(()),
            end => Err(io::Error::other(format!("{}: {end}", program.display())).into()),
        })?;
        let (plain_wall, plain_cpu) = median_of(|| {
            let mut command = Command::new(program);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
            Ok(())
        })?;
        Ok(Launch { wall, cpu, plain_wall, plain_cpu })
    }
}

/// Medians of what an action takes: wall time, and CPU time of this process and its children.
fn median_of(mut action: impl FnMut() -> Result<()>) -> Result<(Duration, Duration)> {
    let (mut walls, mut cpus) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let (start, before) = (Instant::now(), cpu_time()?);
        action()?;
        walls.push(start.elapsed());
        cpus.push(cpu_time()?.saturating_sub(before));
    }
    walls.sort_unstable();
    cpus.sort_unstable();
    Ok((walls[RUNS / 2], cpus[RUNS / 2]))
}

/// CPU time of this process and of its children that have ended.
fn cpu_time() -> Result<Duration> {
    let mut sum = Duration::ZERO;
    for who in [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN] {
        let usage = getrusage(who)?;
        for time in [usage.user_time(), usage.system_time()] {
            sum += Duration::from_micros((time.tv_sec() * 1_000_000 + time.tv_usec()).unsigned_abs());
        }
    }
    Ok(sum)
}

/// Milliseconds, to the hundredth.
fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.survey {
            None => writeln!(f, "Agents cannot be run here.")?,
            Some(survey) => survey.fmt(f)?,
        }
        if let Some(Launch { wall, cpu, plain_wall, plain_cpu }) = self.launch {
            let (wall, cpu) = (ms(wall.saturating_sub(plain_wall)), ms(cpu.saturating_sub(plain_cpu)));
            writeln!(f, "a run costs   {wall} wall, {cpu} CPU beyond the agent's own (median of {RUNS})")?;
        }
        writeln!(f, "\nWays to read CPU time, the best first:")?;
        for Examined { tier, trial, problem } in &self.tiers {
            match trial {
                Some(Trial { used, read }) => writeln!(f, "  {tier:<10} {} read where {} used", ms(*read), ms(*used))?,
                None => writeln!(f, "  {tier:<10} no: {}", problem.as_deref().unwrap_or_default())?,
            }
        }
        let gaps = self.survey.as_ref().map_or(&[][..], |survey| &survey.gaps);
        if gaps.is_empty() && self.survey.is_some() {
            return writeln!(f, "\nNothing is missing: results of this machine can be official.");
        }
        writeln!(f, "\nMissing:")?;
        gaps.iter().try_for_each(|gap| writeln!(f, "  {}\n    remedy: {}", gap.what, gap.remedy))
    }
}

impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "CPU time      read by {}", self.tier)?;
        writeln!(f, "memory        limited by {}", self.memory)?;
        writeln!(f, "processes     limited by {}", self.processes)?;
        writeln!(f, "agents run    as {}", self.user)
    }
}
