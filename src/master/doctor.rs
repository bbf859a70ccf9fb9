//! Can this machine run agents fairly and safely, and what is missing?

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use serde::Serialize;

use super::agent::Language;
use super::micros;
use super::sandbox::{DiskLimit, Job, JobEnd, JobLimits, Output, Policy, Sandbox, SandboxError, Survey, Tier, Trial};
use crate::figures::Figure;

/// What this machine offers.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    /// The means that games would be played with; none if agents cannot be run here.
    pub survey: Option<Survey>,
    /// Every way to read CPU time, the best first.
    pub tiers: Vec<Examined>,
    /// The overhead of running an agent in the sandbox.
    pub launch: Option<Launch>,
    /// What can be handed in as source, by the usual table.
    pub languages: Vec<LanguageHere>,
}

/// A row of the table of what can be handed in as source.
#[derive(Clone, Debug, Serialize)]
pub struct LanguageHere {
    /// The file, where the agent's program is called `homework`.
    pub file: String,
    /// The programs that it needs and this machine lacks, where agents can run them: in /usr/local/bin, /usr/bin or /bin.
    pub missing: Vec<String>,
}

/// A way to read CPU time.
#[derive(Clone, Debug, Serialize)]
pub struct Examined {
    /// Its name.
    pub tier: Tier,
    /// How exactly it reads; none if it is not available.
    pub trial: Option<Trial>,
    /// Why it is not available.
    pub problem: Option<String>,
}

/// The median times of running a program that does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Launch {
    /// Wall time in the sandbox.
    #[serde(with = "micros")]
    pub wall: Duration,
    /// CPU time of referee and program together, in the sandbox.
    #[serde(with = "micros")]
    pub cpu: Duration,
    /// Wall time as an ordinary child.
    #[serde(with = "micros")]
    pub plain_wall: Duration,
    /// CPU time as an ordinary child.
    #[serde(with = "micros")]
    pub plain_cpu: Duration,
}

/// How a program did as an agent.
#[derive(Clone, Debug, Serialize)]
pub struct TrialRun {
    /// How CPU time was read.
    pub tier: Tier,
    /// How it ended.
    pub end: String,
    /// Its CPU time, with that of all its descendants.
    #[serde(with = "micros")]
    pub cpu: Duration,
    /// From its start to its end.
    #[serde(with = "micros")]
    pub wall: Duration,
    /// What it printed; more than 64 KiB end it.
    pub stdout: String,
    /// The last 4 KiB of its standard error.
    pub stderr: String,
}

/// CPU time that is used to test how exactly it is read.
const BURN: Duration = Duration::from_millis(50);
/// Runs of which the median is taken.
const RUNS: usize = 61;

/// Tests everything that a tournament needs.
///
/// # Errors
/// A sandbox that could be opened fails.
pub fn examine(policy: &Policy) -> Result<Diagnosis> {
    let of_tier = |tier| {
        let trial = Sandbox::open(&Policy { tier: Some(tier), ..policy.clone() }).and_then(|open| open.trial(BURN));
        let problem = trial.as_ref().err().map(|error| match error {
            SandboxError::Unavailable(_, why) => why.clone(),
            other => other.to_string(),
        });
        Examined { tier, trial: trial.ok(), problem }
    };
    let tiers = Tier::ALL.into_iter().map(of_tier).collect();
    let languages = Language::usual().iter().map(LanguageHere::of).collect();
    let Ok(sandbox) = Sandbox::open(policy) else {
        return Ok(Diagnosis { survey: None, tiers, launch: None, languages });
    };
    let launch = Some(Launch::measure(&sandbox)?);
    Ok(Diagnosis { survey: Some(sandbox.survey()), tiers, launch, languages })
}

/// Runs a program as an agent, in a new working directory.
///
/// # Errors
/// The sandbox fails.
pub fn try_out(sandbox: &Sandbox, program: PathBuf, arguments: Vec<OsString>, limits: JobLimits) -> Result<TrialRun> {
    const KEPT: usize = 64 << 10;
    let folder = tempfile::tempdir().context("cannot make a folder")?;
    let mut cell = sandbox.cell(folder.path(), "agent", DiskLimit::default())?;
    // With its folder, unless that holds the working directory.
    let beside = program.parent().filter(|beside| !folder.path().starts_with(beside));
    let readable = vec![beside.unwrap_or(&program).to_path_buf()];
    let job = Job { program, arguments, readable, input: Vec::new(), output: Output::Keep { bytes: KEPT }, limits };
    let run = cell.run(&job)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&run.stdout), text(&run.stderr));
    Ok(TrialRun { tier: sandbox.tier(), end: run.end.to_string(), cpu: run.cpu, wall: run.wall, stdout, stderr })
}

/// The program of this name, as an agent's shell would find it.
///
/// # Errors
/// There is no such file.
pub fn program(name: &OsStr) -> io::Result<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 {
        return path.canonicalize();
    }
    let found = ["/usr/local/bin", "/usr/bin", "/bin"]
        .into_iter()
        .find_map(|dir| Path::new(dir).join(name).canonicalize().ok());
    found.ok_or_else(|| ErrorKind::NotFound.into())
}

impl LanguageHere {
    fn of(language: &Language) -> LanguageHere {
        let missing =
            language.programs().filter(|name| program(OsStr::new(name)).is_err()).map(str::to_owned).collect();
        LanguageHere { file: language.file.replace("{name}", "homework"), missing }
    }
}

impl Launch {
    fn measure(sandbox: &Sandbox) -> Result<Launch> {
        let program = program(OsStr::new("true")).context("there is no program `true` to try a launch with")?;
        let folder = tempfile::tempdir().context("cannot make a folder")?;
        let mut cell = sandbox.cell(folder.path(), "launch", DiskLimit::default())?;
        let job = Job {
            program: program.clone(),
            arguments: Vec::new(),
            readable: Vec::new(),
            input: Vec::new(),
            output: Output::Discard,
            limits: JobLimits::default(),
        };
        let (wall, cpu) = median_of(|| match cell.run(&job)?.end {
            JobEnd::Exited(0) => Ok(()),
            end => Err(io::Error::other(format!("{}: {end}", program.display())).into()),
        })?;
        let (plain_wall, plain_cpu) = median_of(|| {
            let mut command = Command::new(&program);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
            Ok(())
        })?;
        Ok(Launch { wall, cpu, plain_wall, plain_cpu })
    }
}

/// Median wall time of an action, and CPU time of this process and its children.
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
pub(super) fn cpu_time() -> Result<Duration> {
    let mut sum = Duration::ZERO;
    for who in [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN] {
        let usage = getrusage(who)?;
        for time in [usage.user_time(), usage.system_time()] {
            sum += Duration::from_micros((time.tv_sec() * 1_000_000 + time.tv_usec()).unsigned_abs());
        }
    }
    Ok(sum)
}

/// Milliseconds, with two decimals.
fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

impl Diagnosis {
    /// The overhead of a launch; none if agents cannot be run here.
    pub fn figure(&self) -> Option<Figure> {
        self.launch.map(|launch| Figure::new("what a launch costs beyond the agent's own time", launch.to_string()))
    }
}

impl TrialRun {
    /// How it ended, and its times.
    pub fn figure(&self) -> Figure {
        let (cpu, wall) = (ms(self.cpu), ms(self.wall));
        let measured = format!("{}; {cpu} CPU read by {}, {wall} wall", self.end, self.tier);
        Figure::new("a program run as an agent", measured)
    }
}

impl fmt::Display for Launch {
    /// What the sandbox adds: `1.60 ms wall, 1.50 ms CPU`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Launch { wall, cpu, plain_wall, plain_cpu } = self;
        write!(f, "{} wall, {} CPU", ms(wall.saturating_sub(plain_wall)), ms(cpu.saturating_sub(plain_cpu)))
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.survey {
            None => writeln!(f, "Agents cannot be run here.")?,
            Some(survey) => survey.fmt(f)?,
        }
        if let Some(launch) = self.launch {
            writeln!(f, "a run costs   {launch} beyond the agent's own (median of {RUNS})")?;
        }
        writeln!(f, "\nWays to read CPU time, the best first:")?;
        for Examined { tier, trial, problem } in &self.tiers {
            match trial {
                Some(Trial { used, read }) => writeln!(f, "  {tier:<10} {} read where {} used", ms(*read), ms(*used))?,
                None => writeln!(f, "  {tier:<10} not available: {}", problem.as_deref().unwrap_or_default())?,
            }
        }
        let here = self.languages.iter().filter(|language| language.missing.is_empty()).map(|language| &*language.file);
        writeln!(f, "\nHanded in as source, these can be built and run: {}", here.collect::<Vec<_>>().join(", "))?;
        for LanguageHere { file, missing } in self.languages.iter().filter(|language| !language.missing.is_empty()) {
            writeln!(f, "  not {file}: there is no {}", missing.join(" and no "))?;
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
        writeln!(f, "memory        limited {}", self.memory)?;
        writeln!(f, "processes     limited {}", self.processes)?;
        writeln!(f, "agents run    as {}", self.user)
    }
}

impl fmt::Display for TrialRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, text) in [("standard output", &self.stdout), ("standard error", &self.stderr)] {
            if !text.is_empty() {
                writeln!(f, "{name}:\n{}", text.trim_end())?;
            }
        }
        writeln!(f, "{}", self.figure().measured)
    }
}
