//! Violations in a turn: limits that were exceeded, what an agent printed, and hints at common mistakes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use anyhow::Result;

use crate::intake::agent::{Agent, MissingModule, named_interpreter};
use crate::league::League;
use crate::league::agent_limits::{AgentLimits, Bytes};
use crate::league::clock_rules::{Allowance, ClockRules, Spent, TimeUsage};
use crate::record::{Failure, FaultKind, Violation};
use crate::referee::player::Answer;
use crate::sandbox::{CpuTime, JobEnd, JobLimits, Run};
use kingline_players::terminal::is_deceptive;

/// A turn may sleep for this multiple of its CPU time limit, plus the league's patience, before it counts as hung.
const WALL_PER_CPU: u32 = 3;

/// Maximum number of attempts at a turn or a game if the machine spoils it.
pub(crate) const TRIES: u32 = 3;
/// Under a wall clock, a turn is spoiled if the referee could not observe it for this long: the agent may have been
/// stopped as well, or may have had that time for free.
const LONGEST_UNSEEN: Duration = Duration::from_secs(1);

/// The error that a player returns if the machine spoiled every attempt at its turn.
pub(crate) fn overloaded() -> anyhow::Error {
    Failure::Overloaded { tries: TRIES }.into()
}

/// Returns true if the machine spoiled a turn that ended with `end` and went unobserved for `unseen`.
pub(crate) fn is_spoiled(clock: &ClockRules, end: Option<&JobEnd>, unseen: Duration) -> bool {
    end.is_some_and(JobEnd::is_machines) || clock.counts == Allowance::Wall && unseen >= LONGEST_UNSEEN
}

/// Plays a turn by `attempt`, and again if the machine spoiled it.
///
/// # Errors
/// The machine spoiled every try. It is the agent that uses up the memory if it was alone each time.
pub(super) fn unspoiled(clock: &ClockRules, mut attempt: impl FnMut() -> Result<Run>) -> Result<Run> {
    let mut is_the_agents = true;
    for number in 1..=TRIES {
        let run = attempt()?;
        if !is_spoiled(clock, Some(&run.end), run.unseen) {
            return Ok(run);
        }
        is_the_agents &= run.end == JobEnd::MachineOutOfMemory && run.was_alone;
        if is_the_agents && number == TRIES {
            return Ok(Run { end: JobEnd::OverMemory, ..run });
        }
    }
    Err(overloaded())
}

/// Limits of a turn that may take `within` by the league's clock.
pub(crate) fn limits(league: &League, within: Duration) -> JobLimits {
    let asleep = within.saturating_mul(WALL_PER_CPU).saturating_add(league.clock.patience);
    let (cpu, counts, wall) = match league.clock.counts {
        Allowance::Cpu => (Some(within), CpuTime::UserAndSystem, asleep),
        Allowance::User => (Some(within), CpuTime::User, asleep),
        Allowance::Wall => (None, CpuTime::UserAndSystem, within),
    };
    JobLimits { counts, ..league.limits.of_job(cpu, wall) }
}

/// The answer of an agent whose turn was this run, as `read` reads it if the run ended well.
///
/// # Errors
/// It is this machine's fault that there is no move.
pub(super) fn answer_of<M>(
    run: &Run,
    agent: &Agent,
    league: &League,
    within: Duration,
    read: impl FnOnce() -> Result<M, Violation>,
) -> anyhow::Result<Answer<M>> {
    let usage = TimeUsage { spent: Spent { cpu: run.cpu, wall: run.wall }, waited: run.waited };
    let mv = match wrong_end(&run.end, league, within, usage).map_or_else(read, Err) {
        Ok(mv) => Ok(mv),
        Err(wrong) => Err(explained(wrong, agent, &run.stderr, league)?),
    };
    let notes = mv.is_ok().then(|| oddity(&run.end)).flatten().into_iter().collect();
    Ok(Answer { mv, spent: usage.spent, waited: usage.waited, peak: run.peak, notes })
}

/// Violation in a turn that the sandbox had to end or could not start; `None` if the machine spoiled it.
pub(crate) fn wrong_end(end: &JobEnd, league: &League, within: Duration, usage: TimeUsage) -> Option<Violation> {
    let in_time = league.clock.in_time(within);
    let AgentLimits { memory, disk, files, .. } = league.limits;
    let (kind, expected) = match (end, league.clock.counts) {
        (JobEnd::Exited(_) | JobEnd::Signalled(_) | JobEnd::Starved | JobEnd::MachineOutOfMemory, _) => return None,
        (JobEnd::OverCpu, _) | (JobEnd::OverWall, Allowance::Wall) => (FaultKind::OverTime, in_time),
        (JobEnd::OverWall, Allowance::Cpu | Allowance::User) => (FaultKind::Hung, in_time),
        (JobEnd::OverMemory, _) => (FaultKind::OverMemory, format!("at most {} of memory", Bytes(memory))),
        (JobEnd::OverDisk, _) => (FaultKind::OverDisk, format!("at most {} in {files} files", Bytes(disk))),
        (JobEnd::OverOutput, _) => (FaultKind::OverOutput, "only an answer".into()),
        (JobEnd::NotStarted(_), _) => (FaultKind::NotStarted, "a program that runs here".into()),
    };
    // Not the words of the kind once more.
    let read = match (kind, end) {
        (FaultKind::OverTime, _) => format!("{end}: {usage}"),
        (FaultKind::Hung, _) => usage.to_string(),
        (FaultKind::OverOutput, _) => "it was ended in the middle of the line".into(),
        (_, JobEnd::NotStarted(why)) => why.clone(),
        _ => end.to_string(),
    };
    Some(Violation { kind, read, expected })
}

/// Note about a turn with a correct answer but an unclean exit.
pub(crate) fn oddity(end: &JobEnd) -> Option<String> {
    (!is_clean(end)).then(|| end.to_string())
}

pub(crate) fn is_clean(end: &JobEnd) -> bool {
    *end == JobEnd::Exited(0)
}

/// Hint for a script whose lines end in CR LF.
const NO_CRLF: &str = "a script has CRLF line endings; help: run `sed -i 's/\\r$//'` on it";

/// Explains a violation: returns it with a hint if a common mistake caused it.
pub(super) fn explained(violation: Violation, agent: &Agent, stderr: &[u8], league: &League) -> Result<Violation> {
    let may_be_machines = matches!(violation.kind, FaultKind::Crashed | FaultKind::NoAnswer | FaultKind::EmptyAnswer);
    match MissingModule::in_traceback(stderr, &league.modules).filter(|_| may_be_machines) {
        Some(missing) => Err(missing.into()),
        None => Ok(with_hint(violation, agent, stderr)),
    }
}

/// Adds a hint to the violation if a common mistake caused it. `stderr` is the end of the agent's standard error.
fn with_hint(violation: Violation, agent: &Agent, stderr: &[u8]) -> Violation {
    let text = String::from_utf8_lossy(stderr);
    let hint = match violation.kind {
        FaultKind::NotStarted => not_started(agent),
        FaultKind::Crashed | FaultKind::NoAnswer | FaultKind::EmptyAnswer => other_class(agent, &text)
            .or_else(|| crlf(&text))
            .or_else(|| no_module(&text))
            .or_else(|| no_process(&text))
            .or_else(|| other_file_system(&text))
            .or_else(|| not_executable(agent, &text)),
        _ => None,
    };
    match hint {
        Some(hint) => Violation { read: with_remark(&violation.read, &hint), ..violation },
        None => violation,
    }
}

/// Hint for a script whose interpreter agents cannot see. Intake has checked that the interpreter exists.
fn not_started(agent: &Agent) -> Option<String> {
    let interpreter = named_interpreter(&agent.player.program)?;
    let folder = interpreter.parent()?.display();
    Some(format!(
        "its first line names {}, which agents cannot see: only the system's programs and their own files are visible; \
         help: use `#!/usr/bin/env NAME`, or pass --readable {folder} for all agents",
        interpreter.display()
    ))
}

/// Hint for `java Homework` in a folder with another class.
fn other_class(agent: &Agent, stderr: &str) -> Option<String> {
    let (_, rest) = stderr.split_once("Could not find or load main class ")?;
    let wanted = rest.split_whitespace().next()?;
    let entries = fs::read_dir(&agent.folder).ok()?.filter_map(Result::ok);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut classes: Vec<String> = names
        .filter_map(|name| name.strip_suffix(".class").map(ToOwned::to_owned))
        .filter(|class| !class.contains('$'))
        .collect();
    classes.sort();
    Some(match classes.first() {
        None => format!("there is no {wanted}.class; help: compile it before handing it in, or in run.sh"),
        Some(class) if classes.iter().any(|class| class == wanted) => {
            format!("{class}.class exists, but not as {wanted}: is it in a package, or compiled for a newer Java?")
        }
        Some(class) => {
            let all = classes.join(", ");
            format!("there is no class {wanted}, only {all}; help: run `java {class}` in run.sh")
        }
    })
}

/// Hint for a shell that read a CR: bash prints it as `$'\r'`, other shells print it unchanged.
fn crlf(stderr: &str) -> Option<String> {
    let met =
        ["$'\\r'", "\r: not found", "\\r: not found", "\r: No such file"].iter().any(|sign| stderr.contains(sign));
    met.then(|| NO_CRLF.to_owned())
}

/// Hint for a Python program that imports what is not there.
fn no_module(stderr: &str) -> Option<String> {
    let (_, named) = stderr.lines().rev().find_map(|line| line.split_once("Error: No module named "))?;
    let module = named.trim().trim_matches('\'');
    Some(format!(
        "the module {module} is neither in Python's own library nor among the agent's files; help: hand it in as well, or do \
         without it"
    ))
}

/// Hint for a program that could not start a process.
fn no_process(stderr: &str) -> Option<String> {
    let signs =
        ["Cannot fork", "fork: Operation not permitted", "fork: retry: ", "fork: Resource temporarily", "os.fork()"];
    signs.iter().any(|sign| stderr.contains(sign)).then(|| {
        "it could not start a process: the number of processes is limited, and the rusage tier allows none; help: \
         start fewer, or use a machine with another tier (see `master doctor`)"
            .to_owned()
    })
}

/// Hint for a file that could not be renamed from /tmp to the working directory.
fn other_file_system(stderr: &str) -> Option<String> {
    ["cross-device link", "EXDEV"].iter().any(|sign| stderr.contains(sign)).then(|| {
        "/tmp and the current folder are on different file systems, so no file can be renamed from one to the other; \
         help: write the file in the current folder, or copy it"
            .to_owned()
    })
}

/// Hint for `./engine: Permission denied` if engine is an agent's file without execute permission.
fn not_executable(agent: &Agent, stderr: &str) -> Option<String> {
    let denied = stderr.lines().filter_map(|line| line.trim_end().strip_suffix(": Permission denied"));
    let mut files = denied.filter_map(|line| line.rsplit([' ', ':', '/']).next());
    files.find_map(|file| {
        let about = fs::metadata(agent.folder.join(file)).ok()?;
        let is_plain = about.is_file() && about.permissions().mode() & 0o111 == 0;
        is_plain.then(|| format!("{file} is not executable; help: run `chmod +x {file}`"))
    })
}

const SHOWN: usize = 1000;

/// End of a program's standard error, as `; stderr: ...`; empty if it wrote nothing.
pub(crate) fn last_words(run: &Run) -> String {
    let text = lines(&run.stderr, run);
    let Some((cut, _)) = text.char_indices().rev().nth(SHOWN) else { return labeled("stderr", &text) };
    // A line without its beginning would only confuse, unless it is the only one.
    let end = &text[cut..];
    let end = end.split_once('\n').map_or_else(|| format!("...{end}"), |(_, rest)| format!("...\n{rest}"));
    labeled("stderr", &end)
}

/// Output of a program that gave no answer: the start of standard output, if it was kept, and the end of standard
/// error.
pub(crate) fn printed(run: &Run) -> String {
    let (text, errors) = (lines(&run.stdout, run), last_words(run));
    if text.is_empty() && errors.is_empty() {
        return "; it printed nothing".to_owned();
    }
    let start = match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text,
    };
    labeled("stdout", &start) + &errors
}

/// Adds a remark to what was read: behind it, or below it if that ends with lines of the agent.
pub(crate) fn with_remark(read: &str, remark: &str) -> String {
    let joint = if read.contains('\n') { "\n" } else { "; " };
    format!("{read}{joint}{remark}")
}

/// A stream with its name: behind what was said before if it is a line, otherwise below it.
fn labeled(name: &str, text: &str) -> String {
    match text {
        "" => String::new(),
        text if text.contains('\n') => format!("; {name}:\n{text}"),
        text => format!("; {name}: {text}"),
    }
}

/// Lines of an agent without deceptive characters, and with paths as its author knows them.
fn lines(bytes: &[u8], run: &Run) -> String {
    let text = run.text(bytes).replace('\t', "    ");
    let safe = text.lines().map(|line| line.chars().filter(|&letter| !is_deceptive(letter)).collect::<String>());
    let lines: Vec<String> = safe.map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect();
    lines.join("\n").trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intake::agent::Invocation;
    use crate::sandbox::{JobEnd, Peak};

    #[test]
    fn common_mistakes_get_a_hint() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["Agent.class", "Agent$1.class", "engine", "run.sh"] {
            fs::write(path(name), "#!/home/x/venv/bin/python\n").unwrap();
        }
        let agent = Agent {
            name: "a".into(),
            folder: folder.path().to_owned(),
            build: Vec::new(),
            build_calibrate: Vec::new(),
            found: Vec::new(),
            notes: Vec::new(),
            player: Invocation { program: path("run.sh"), arguments: Vec::new() },
            calibrate: None,
            hash: String::new(),
        };
        let class = "Error: Could not find or load main class Homework\nCaused by: java.lang.ClassNotFoundException";
        for (kind, stderr, hint) in [
            (FaultKind::Crashed, class, "; there is no class Homework, only Agent; help: run `java Agent` in run.sh"),
            (
                FaultKind::Crashed,
                "x/run.sh: 2: ./engine: Permission denied\n",
                "; engine is not executable; help: run `chmod +x engine`",
            ),
            (
                FaultKind::Crashed,
                "run.sh: 2: cd\r: not found\n",
                "; a script has CRLF line endings; help: run `sed -i 's/\\r$//'` on it",
            ),
            (
                FaultKind::NoAnswer,
                "run.sh: line 2: $'\\r': command not found",
                "; a script has CRLF line endings; help: run `sed -i 's/\\r$//'` on it",
            ),
            (FaultKind::NotStarted, "", "; its first line names /home/x/venv/bin/python, which agents cannot see"),
            (FaultKind::EmptyAnswer, "run.sh: 2: Cannot fork\n", "; it could not start a process: "),
            (
                FaultKind::Crashed,
                "Traceback\nModuleNotFoundError: No module named 'board'\n",
                "; the module board is neither in Python's own library nor among the agent's files; help: hand it in",
            ),
            (
                FaultKind::Crashed,
                "OSError: [Errno 18] Invalid cross-device link: '/tmp/x'",
                "; /tmp and the current folder",
            ),
            (FaultKind::Crashed, "Traceback", ""),
            (FaultKind::Illegal, class, ""),
        ] {
            let violation = Violation { kind, read: "exit code 1".into(), expected: "a turn".into() };
            let found = with_hint(violation, &agent, stderr.as_bytes()).read;
            assert!(found.starts_with(&format!("exit code 1{hint}")), "{stderr}: {found}");
            assert_eq!(found.len() > "exit code 1".len(), !hint.is_empty(), "{stderr}: {found}");
        }
    }

    fn run(stdout: &str, stderr: &str) -> Run {
        Run {
            end: JobEnd::Exited(0),
            was_alone: true,
            folder: "/tmp/.tmpX/black".into(),
            cpu: Default::default(),
            wall: Default::default(),
            waited: Default::default(),
            unseen: Default::default(),
            peak: Peak::default(),
            stdout: stdout.into(),
            stderr: stderr.into(),
        }
    }

    #[test]
    fn streams_are_shown_on_lines_of_their_own() {
        let trace =
            "Traceback:\n  File \"/tmp/.tmpX/black/homework.py\", line 3\n\traise Lost\n\nin /tmp/.tmpX/black\n";
        for (stdout, stderr, shown) in [
            ("", " \n", "; it printed nothing"),
            ("E c3 b4\n", "", "; stdout: E c3 b4"),
            ("a\tb\r\nJ d4 f2\n", "\u{1b}[31mno\n", "; stdout:\na    b\nJ d4 f2; stderr: [31mno"),
            ("", "a trace", "; stderr: a trace"),
            ("", trace, "; stderr:\nTraceback:\n  File \"homework.py\", line 3\n    raise Lost\nin ."),
        ] {
            assert_eq!(printed(&run(stdout, stderr)), shown);
        }
    }

    #[test]
    fn the_start_of_stdout_and_the_end_of_stderr_are_shown() {
        let long = format!("start{}\nend", "-\n".repeat(SHOWN));
        let shown = printed(&run(&long, &long));
        assert!(shown.starts_with("; stdout:\nstart-\n-") && shown.ends_with("-\nend"), "{shown}");
        assert!(shown.contains("...; stderr:\n...\n-\n"), "{shown}");
        assert!(shown.len() < 2 * SHOWN + 50, "{shown}");
        let line = "-".repeat(2 * SHOWN);
        assert!(last_words(&run("", &line)).starts_with("; stderr: ...---"), "one line has no other place to be cut");
    }

    #[test]
    fn who_runs_alone_and_uses_up_the_memory_three_times_is_to_blame() {
        let clock = crate::league::League::named("checkers").unwrap().clock;
        let ends = |all: &[(JobEnd, bool)]| {
            let mut left = all.to_vec();
            let attempt = || {
                let (end, was_alone) = left.remove(0);
                Ok(Run { end, was_alone, ..run("", "") })
            };
            unspoiled(&clock, attempt).ok().map(|run| run.end)
        };
        let alone = (JobEnd::MachineOutOfMemory, true);
        let [beside, starved] = [(JobEnd::MachineOutOfMemory, false), (JobEnd::Starved, true)];
        assert_eq!(ends(&[alone.clone(), alone.clone(), alone.clone()]), Some(JobEnd::OverMemory));
        assert_eq!(ends(&[alone.clone(), (JobEnd::Exited(0), true)]), Some(JobEnd::Exited(0)));
        for other in [beside, starved] {
            assert_eq!(ends(&[alone.clone(), other.clone(), alone.clone()]), None, "{other:?}");
        }
    }
}
