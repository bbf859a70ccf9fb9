//! Hints for agents that crash at once or do not start because of a common mistake.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use anyhow::Result;

use super::words::with_remark;
use crate::intake::agent::{Agent, MissingModule, named_interpreter};
use crate::league::League;
use crate::record::{FaultKind, Violation};

/// Hint for a script whose lines end in CR LF.
const NO_CRLF: &str = "a script has CRLF line endings; help: run `sed -i 's/\\r$//'` on it";

/// Explains a violation: returns it with a hint if a common mistake caused it.
///
/// # Errors
/// It is this machine's fault: the agent failed for lack of a module that the league promises.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intake::agent::Invocation;

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
            (FaultKind::Crashed, "Traceback", ""),
            (FaultKind::Illegal, class, ""),
        ] {
            let violation = Violation { kind, read: "exit code 1".into(), expected: "a turn".into() };
            let found = with_hint(violation, &agent, stderr.as_bytes()).read;
            assert!(found.starts_with(&format!("exit code 1{hint}")), "{stderr}: {found}");
            assert_eq!(found.len() > "exit code 1".len(), !hint.is_empty(), "{stderr}: {found}");
        }
    }
}
