//! Diagnosis: can this machine run agents fairly and safely, and what does it lack?

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use serde::Serialize;

use crate::intake::agent::{Language, MissingModule};
use crate::league::agent_limits::Bytes;
use crate::league::usual_modules;
use crate::micros::Micros;
use crate::sandbox::{
    DiskLimit, Job, JobEnd, JobLimits, Output, PROGRAM_FOLDERS, Policy, Sandbox, SandboxError, Survey, Tier, Trial,
};
use kingline_players::figures::Figure;

pub(crate) use crate::sandbox::program;
/// A machine's ability to run agents: the output of `master doctor --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Diagnosis {
    /// Capabilities that games would use; null: agents cannot run here.
    pub(crate) survey: Option<Survey>,
    /// Every way to read CPU time, best first.
    pub(crate) tiers: Vec<TierTest>,
    /// Median times for running a program that does nothing.
    pub(crate) launch: Option<Launch>,
    /// Languages in the standard table, each with the programs that this machine lacks for it.
    pub(crate) languages: Vec<LanguageSupport>,
    /// Python modules that courses usually allow, and that this machine lacks.
    pub(crate) modules: Vec<MissingModule>,
}
/// Programs for a language of submissions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct LanguageSupport {
    /// Source file name of an agent called `homework`.
    pub(crate) file: String,
    /// Required programs missing from the folders that agents search: /usr/local/bin, /usr/bin and /bin.
    pub(crate) missing: Vec<String>,
    /// Paths of missing programs that are in other folders of this process's PATH, which agents do not see.
    pub(crate) elsewhere: Vec<PathBuf>,
}
/// Test of a way to read CPU time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct TierTest {
    pub(crate) tier: Tier,
    /// Accuracy of its readings; null: it is not available.
    pub(crate) trial: Option<Trial>,
    /// Why it is not available.
    pub(crate) problem: Option<String>,
}

/// Median times for running a program that does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Launch {
    /// Wall time in the sandbox, in microseconds.
    #[serde(with = "Micros::<u64>")]
    pub(crate) wall: Duration,
    /// CPU time of the referee and the program together, in the sandbox, in microseconds.
    #[serde(with = "Micros::<u64>")]
    pub(crate) cpu: Duration,
    /// Wall time as an ordinary child, in microseconds.
    #[serde(with = "Micros::<u64>")]
    pub(crate) plain_wall: Duration,
    /// CPU time as an ordinary child, in microseconds.
    #[serde(with = "Micros::<u64>")]
    pub(crate) plain_cpu: Duration,
}
/// A run of a program in the sandbox: the output of `master doctor --json -- COMMAND`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct TrialRun {
    pub(crate) tier: Tier,
    /// How the run ended, in words.
    pub(crate) end: String,
    /// CPU time, including that of all its descendants, in microseconds.
    #[serde(with = "Micros::<u64>")]
    pub(crate) cpu: Duration,
    /// Wall time from its start to its end, in microseconds.
    #[serde(with = "Micros::<u64>")]
    pub(crate) wall: Duration,
    /// The first 64 KiB of its standard output.
    pub(crate) stdout: String,
    /// The last 4 KiB of its standard error.
    pub(crate) stderr: String,
}

/// CPU time used to test the accuracy of readings.
const BURN: Duration = Duration::from_millis(50);
const RUNS: usize = 61;

/// Tests everything that a tournament requires.
pub(crate) fn examine(policy: &Policy) -> Result<Diagnosis> {
    let of_tier = |tier| {
        let trial = Sandbox::open(&Policy { tier: Some(tier), ..policy.clone() }).and_then(|open| open.trial(BURN));
        let problem = trial.as_ref().err().map(|error| match error {
            SandboxError::Unavailable(_, why) => why.clone(),
            other => other.to_string(),
        });
        TierTest { tier, trial: trial.ok(), problem }
    };
    let tiers = Tier::ALL.into_iter().map(of_tier).collect();
    let path = env::var_os("PATH").unwrap_or_default();
    let languages = Language::usual().iter().map(|language| LanguageSupport::of(language, &path)).collect();
    let modules = MissingModule::all(&usual_modules());
    let Ok(sandbox) = Sandbox::open(policy) else {
        return Ok(Diagnosis { survey: None, tiers, launch: None, languages, modules });
    };
    let launch = Some(Launch::measure(&sandbox)?);
    Ok(Diagnosis { survey: Some(sandbox.survey()), tiers, launch, languages, modules })
}

/// Runs a program as an agent, in a new working directory.
pub(crate) fn try_out(
    sandbox: &Sandbox,
    program: PathBuf,
    arguments: Vec<OsString>,
    limits: JobLimits,
) -> Result<TrialRun> {
    const KEPT: usize = 64 << 10;
    let folder = tempfile::tempdir().context("cannot create a folder")?;
    let mut cell = sandbox.cell(folder.path(), "agent", DiskLimit::default())?;
    // Makes the program's folder visible, unless that contains the working directory.
    let beside = program.parent().filter(|beside| !folder.path().starts_with(beside));
    let readable = vec![beside.unwrap_or(&program).to_path_buf()];
    let output = Output::Keep { bytes: KEPT };
    let job = Job { program, arguments, readable, output, limits, ..Job::default() };
    let run = cell.run(&job)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&run.stdout), text(&run.stderr));
    Ok(TrialRun { tier: sandbox.tier(), end: run.end.to_string(), cpu: run.cpu, wall: run.wall, stdout, stderr })
}

/// Finds a program by name on this process's PATH.
fn program_by_path(name: &str, path: &OsStr) -> Option<PathBuf> {
    let is_program =
        |file: &PathBuf| file.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0);
    env::split_paths(path).filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)).find(is_program)
}

impl LanguageSupport {
    /// Looks for the programs of a language, first in the agents' PATH and then in `path`.
    fn of(language: &Language, path: &OsStr) -> LanguageSupport {
        let missing: Vec<&str> = language.programs().filter(|name| program(OsStr::new(name)).is_err()).collect();
        LanguageSupport {
            file: language.file.replace("{name}", "homework"),
            elsewhere: missing.iter().filter_map(|name| program_by_path(name, path)).collect(),
            missing: missing.into_iter().map(str::to_owned).collect(),
        }
    }
}

impl Launch {
    fn measure(sandbox: &Sandbox) -> Result<Launch> {
        let program =
            program(OsStr::new("true")).context("the program `true`, needed to measure a launch, is missing")?;
        let folder = tempfile::tempdir().context("cannot create a folder")?;
        let mut cell = sandbox.cell(folder.path(), "launch", DiskLimit::default())?;
        let job = Job { program: program.clone(), ..Job::default() };
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

/// Median wall time of an action, and median CPU time of this process and its children.
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

/// CPU time of this process and its ended children.
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

/// Formats a time in milliseconds with two decimals.
fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

impl Diagnosis {
    /// Overhead of starting an agent; `None` if agents cannot run here.
    pub(crate) fn figure(&self) -> Option<Figure> {
        self.launch.map(|launch| Figure::new("what a launch costs beyond the agent's own time", launch.to_string()))
    }
}

impl TrialRun {
    pub(crate) fn figure(&self) -> Figure {
        let (cpu, wall) = (ms(self.cpu), ms(self.wall));
        let measured = format!("{}; {cpu} CPU read by {}, {wall} wall", self.end, self.tier);
        Figure::new("a program run as an agent", measured)
    }
}

impl fmt::Display for Launch {
    /// Writes the overhead of the sandbox: `1.60 ms wall, 1.50 ms CPU`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Launch { wall, cpu, plain_wall, plain_cpu } = self;
        write!(f, "{} wall, {} CPU", ms(wall.saturating_sub(plain_wall)), ms(cpu.saturating_sub(plain_cpu)))
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.survey {
            None => writeln!(f, "Agents cannot run here.")?,
            Some(survey) => survey.fmt(f)?,
        }
        if let Some(launch) = self.launch {
            writeln!(f, "overhead      {launch} per run (median of {RUNS})")?;
        }
        writeln!(f, "\nWays to read CPU time, best first:")?;
        for TierTest { tier, trial, problem } in &self.tiers {
            match trial {
                Some(Trial { used, read }) => writeln!(f, "  {tier:<10} {} read for {} used", ms(*read), ms(*used))?,
                None => writeln!(f, "  {tier:<10} not available: {}", problem.as_deref().unwrap_or_default())?,
            }
        }
        let here = self.languages.iter().filter(|language| language.missing.is_empty()).map(|language| &*language.file);
        writeln!(f, "\nSource files that can be built and run here: {}", here.collect::<Vec<_>>().join(", "))?;
        let incomplete = self.languages.iter().filter(|language| !language.missing.is_empty());
        for LanguageSupport { file, missing, elsewhere } in incomplete {
            writeln!(f, "  not {file}: agents find no {}", missing.join(", no "))?;
            for program in elsewhere {
                let [local, usual, base] = PROGRAM_FOLDERS;
                let program = program.display();
                writeln!(f, "    agents do not see {program}; help: install it in {local}, {usual} or {base}")?;
            }
        }
        for MissingModule { interpreter, module } in &self.modules {
            writeln!(
                f,
                "  {interpreter} has no {module}; help: agents that import it are not graded here; install it"
            )?;
        }
        let gaps = self.survey.as_ref().map_or(&[][..], |survey| &survey.gaps);
        if gaps.is_empty() && self.survey.is_some() {
            return writeln!(f, "\nNothing is missing: results from this machine can be official.");
        }
        writeln!(f, "\nMissing:")?;
        gaps.iter().try_for_each(|gap| writeln!(f, "  {}\n    remedy: {}", gap.what, gap.remedy))
    }
}

impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "CPU time      read by {}", self.tier)?;
        writeln!(f, "user time     {}", self.user_time)?;
        writeln!(f, "memory        limited {}, {} for all agents together", self.memory, Bytes(self.agents_memory))?;
        writeln!(f, "processes     limited {}", self.processes)?;
        if !self.own_programs.is_empty() {
            let paths: Vec<_> = self.own_programs.iter().map(|path| path.display().to_string()).collect();
            writeln!(f, "hidden        {}", paths.join(", "))?;
        }
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn a_compiler_that_agents_do_not_see_is_named_with_its_place() {
        let home = tempfile::tempdir().unwrap();
        let compiler = home.path().join("a-compiler");
        for (name, mode) in [("a-compiler", 0o755), ("a-text", 0o644)] {
            fs::write(home.path().join(name), "").unwrap();
            fs::set_permissions(home.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let build = ["a-compiler {file}", "a-text {file}", "nowhere-at-all {file}", "sh {file}"].map(words).to_vec();
        let language = Language { file: "{name}.x".to_owned(), build, run: Vec::new() };
        let path = env::join_paths([Path::new("relative"), home.path()]).unwrap();
        let support = LanguageSupport::of(&language, &path);
        assert_eq!(support.missing, ["a-compiler", "a-text", "nowhere-at-all"]);
        assert_eq!(support.elsewhere, std::slice::from_ref(&compiler));
        let diagnosis =
            Diagnosis { survey: None, tiers: Vec::new(), launch: None, languages: vec![support], modules: Vec::new() };
        let expected = format!(
            "  not homework.x: agents find no a-compiler, no a-text, no nowhere-at-all\n    agents do not see {}; \
             help: install it in /usr/local/bin, /usr/bin or /bin\n",
            compiler.display()
        );
        assert!(diagnosis.to_string().contains(&expected), "{diagnosis}");
    }
}
