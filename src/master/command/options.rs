//! Options that several commands share.

use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use crate::intake::agent::class_path;
use crate::league::agent_limits::Bytes;
use crate::league::{Format, League};
use crate::sandbox::{MemoryShare, Policy, Sandbox, Tier, enter_user_namespace};
use crate::stop::StopFlag;
use kingline::game::ParseError;
use kingline_players::exit::BadInput;
use kingline_players::files::folder_of;
use kingline_players::terminal::stderr_line;

/// Maximum number of random opening turns; a longer opening leaves hardly any game to play.
const MOST_OPENING: u32 = 40;

/// Options for the rules of a game.
#[derive(Args, Clone, Debug)]
pub(super) struct LeagueOptions {
    /// Game and its rules: checkers, loa6, loa, loa-2015, or a file with a league as JSON. Default: checkers.
    #[arg(long, value_name = "LEAGUE")]
    league: Option<String>,
    /// Seconds that each side has for a game, above 0. Default: the league's.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Seconds that a turn may take, above 0. Default: the league's.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    turn_time: Option<Duration>,
    /// Random turns before the agents take over, 0 to 40. Default: the league's.
    #[arg(long, value_name = "N")]
    opening: Option<u32>,
    /// Ignore blanks, letter case, blank lines and CR in answers. Default: answers must have the exact form.
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    class_path: ClassPathOption,
}

/// Option for agents in Java.
#[derive(Args, Clone, Debug)]
pub(super) struct ClassPathOption {
    /// Jars for agents in Java that come as source, separated by colons: each agent is compiled with them, and gets a copy
    /// of its own. Default: those of the league or the course.
    #[arg(long = "class-path", value_name = "JARS", value_delimiter = ':')]
    jars: Vec<PathBuf>,
}

impl ClassPathOption {
    /// Replaces the class path of a league or a course, if there is a new one.
    pub(super) fn replace(&self, class_path: &mut Vec<PathBuf>) -> Result<(), BadInput> {
        if self.jars.is_empty() {
            return Ok(());
        }
        *class_path = self.jars.iter().map(|jar| absolute(jar).into()).collect();
        class_path::check(class_path).map_err(|error| BadInput::new(format!("--class-path: {error:#}")))
    }

    /// The option as words of a command line that works in any folder.
    pub(super) fn words(&self) -> Vec<String> {
        let jars: Vec<String> = self.jars.iter().map(|jar| absolute(jar)).collect();
        if jars.is_empty() { Vec::new() } else { vec!["--class-path".to_owned(), jars.join(":")] }
    }
}

impl LeagueOptions {
    /// Returns the requested league, if any of these options is given.
    pub(super) fn requested(&self) -> Result<Option<League>> {
        let LeagueOptions { league, time, turn_time, opening, lenient, class_path } = self;
        let is_requested = league.is_some() || time.is_some() || turn_time.is_some() || opening.is_some() || *lenient;
        let is_requested = is_requested || !class_path.jars.is_empty();
        is_requested.then(|| self.league()).transpose()
    }

    pub(super) fn league(&self) -> Result<League> {
        let name = self.league.as_deref().unwrap_or("checkers");
        let mut league = match name.parse() {
            Ok(league) => league,
            Err(error) => LeagueOptions::league_of_file(name, &error)?,
        };
        league.clock.game = self.time.or(league.clock.game);
        league.clock.turn = self.turn_time.or(league.clock.turn);
        league.opening = self.opening.unwrap_or(league.opening);
        self.class_path.replace(&mut league.class_path)?;
        if self.lenient {
            league.format = Format::Lenient;
        }
        let most = league.longest.map_or(MOST_OPENING, |longest| MOST_OPENING.min(longest.saturating_sub(1)));
        if league.opening > most {
            let found = league.opening;
            return Err(
                BadInput::new(format!("the opening: found {found} random turns, expected at most {most}")).into()
            );
        }
        Ok(league)
    }

    fn league_of_file(name: &str, unknown: &ParseError) -> Result<League> {
        let text = fs::read_to_string(name)
            .map_err(|error| BadInput::new(format!("--league: {unknown}; cannot read it as a file: {error}")))?;
        let mut league: League =
            serde_json::from_str(&text).map_err(|error| BadInput::new(format!("{name}: not a league: {error}")))?;
        let beside = |jar: &PathBuf| absolute(&folder_of(Path::new(name)).join(jar)).into();
        league.class_path = league.class_path.iter().map(beside).collect();
        league.check().map_err(|error| BadInput::new(format!("{name}: {error:#}")))?;
        Ok(league)
    }
}

/// Options for confining and measuring agents.
#[derive(Args, Clone, Debug)]
pub(super) struct SandboxOptions {
    /// Measure CPU time only in this way: cgroup-v2, perf or rusage. Default: the best way available.
    #[arg(long, value_name = "TIER")]
    tier: Option<Tier>,
    /// Accept a sandbox that is too weak for official results, and mark the results as unofficial. A sandbox is too
    /// weak in the tier rusage, where agents may not start processes, or if agents can change their own files.
    #[arg(long)]
    any_tier: bool,
    /// Folder that agents may read in addition to system folders, such as an interpreter's folder. May be repeated.
    #[arg(long, value_name = "FOLDER")]
    readable: Vec<PathBuf>,
}

/// Options for the page.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct PageOptions {
    /// Show the games in the browser. Needs the feature `display`.
    #[arg(long)]
    pub(super) display: bool,
    /// Port of the page on this machine. Default: 6280, or a free one.
    #[arg(long, value_name = "N", requires = "display")]
    pub(super) port: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Experiments: any tier is accepted, and reported.
    Private,
    /// Official marks and standings.
    Official,
}

impl SandboxOptions {
    /// Opens the sandbox, if this machine is good enough, and returns the flag that ends all its jobs. Hides `private`,
    /// the folders of agents and results, from agents, even inside folders that agents may read. Must be called only
    /// once, before a second thread starts.
    pub(super) fn sandbox(&self, purpose: Purpose, private: &[&Path]) -> Result<(Sandbox, StopFlag)> {
        let mut policy = self.policy()?;
        policy.hidden =
            private.iter().filter_map(|path| path.canonicalize().ok()).flat_map(|path| with_siblings(&path)).collect();
        if purpose == Purpose::Official && !self.any_tier {
            policy.weakest = Tier::Perf;
        }
        let sandbox = Sandbox::open(&policy).context("agents cannot be confined here (see `master doctor`)")?;
        if purpose == Purpose::Official && !self.any_tier && !sandbox.is_official() {
            let found =
                "agents can leave data for their next games, since there is neither root access nor user namespaces";
            return Err(BadInput::new(format!(
                "{found}\nhelp: run `master doctor`, or accept unofficial results with --any-tier"
            ))
            .into());
        }
        Ok((sandbox, policy.stop))
    }

    /// These options as words of a command line that works in any folder.
    pub(super) fn words(&self) -> Vec<String> {
        let tier = self.tier.iter().flat_map(|tier| ["--tier".to_owned(), tier.to_string()]);
        let any = self.any_tier.then(|| "--any-tier".to_owned());
        let readable = self.readable.iter().flat_map(|folder| ["--readable".to_owned(), absolute(folder)]);
        tier.chain(any).chain(readable).collect()
    }

    /// Returns the policy, with any tier allowed. Must be called only once, before a second thread starts.
    pub(super) fn policy(&self) -> Result<Policy> {
        // If this fails, the sandbox does without user namespaces and reports that.
        let _ = enter_user_namespace();
        let stop = StopFlag::on_signals().context("cannot handle signals")?;
        Ok(Policy { tier: self.tier, readable: self.readable.clone(), stop, ..Policy::default() })
    }
}

/// Returns how many games run at once if there should be `wanted`. Reports on standard error if memory suffices only for
/// fewer, or for less than the league allows each agent.
pub(super) fn games_at_once(sandbox: &Sandbox, league: &League, wanted: NonZeroUsize) -> NonZeroUsize {
    let share = sandbox.share_memory(league.memory_of(wanted.get()));
    if let Some(report) = report(league, wanted, share, sandbox.agents_memory()) {
        stderr_line(format_args!("master: {report}"));
    }
    NonZeroUsize::new(share.at_once).unwrap_or(NonZeroUsize::MIN)
}

/// Describes how a share differs from what was wanted; `total` is the memory of all agents.
fn report(league: &League, wanted: NonZeroUsize, share: MemoryShare, total: u64) -> Option<String> {
    let (MemoryShare { at_once, each }, limit) = (share, league.limits.memory);
    let total = Bytes(total);
    if each < limit {
        return Some(format!(
            "an agent has {} of memory instead of {}, and results are unofficial: agents have {total} together here\n\
             help: set limits.memory in the league or course to at most {each}, or give this machine or the master's \
             control group more memory",
            Bytes(each),
            Bytes(limit),
        ));
    }
    (at_once < wanted.get()).then(|| {
        format!(
            "{at_once} games at once instead of {wanted}: an agent may use {} of memory, and agents have {total} \
             together here\n\
             help: set a lower limits.memory in the league or course, or give this machine or the master's control \
             group more memory",
            Bytes(limit),
        )
    })
}

/// A path that is valid in any folder, as text.
pub(super) fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}

/// The path of something beside a file or folder, whose name has this ending in addition.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// Returns a path and, below /opt, its parent folder, since an agent's folder may lie beside those of others.
/// Elsewhere, the parent may be a system folder, without which no program runs.
fn with_siblings(path: &Path) -> Vec<PathBuf> {
    let class = path.parent().filter(|class| class.starts_with("/opt") && *class != Path::new("/opt"));
    class.into_iter().chain([path]).map(Path::to_path_buf).collect()
}

/// Parses a positive number of seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    /// About four months.
    const MOST: f64 = 1e7;
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= MOST);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| ParseError::new(text, format!("seconds, a number above 0, at most {MOST}")).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_reported_with_numbers() {
        let league = League::named("checkers").unwrap();
        let report = |wanted, at_once, each| {
            let share = MemoryShare { at_once, each };
            report(&league, NonZeroUsize::new(wanted).unwrap(), share, 21 << 30).unwrap_or_default()
        };
        assert_eq!(report(2, 2, 4 << 30), "");
        let fewer = report(64, 5, 4 << 30);
        let start = "5 games at once instead of 64: an agent may use 4 GiB of memory, and agents have 21 GiB together";
        assert!(fewer.starts_with(start) && fewer.contains("\nhelp: set a lower limits.memory"), "{fewer}");
        let less = report(64, 1, 600 << 20);
        let start = "an agent has 600 MiB of memory instead of 4 GiB, and results are unofficial";
        assert!(less.starts_with(start) && less.contains("limits.memory in the league or course to at most"), "{less}");
    }
}
