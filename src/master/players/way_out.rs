//! An agent did not start, or crashed at once: is it one of the usual mistakes, and what mends it?

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::master::agent::{Agent, named_interpreter};
use crate::master::record::{FaultKind, Violation};

/// What mends a script whose lines end in CR LF.
const NO_CRLF: &str = "a script has CRLF line ends; the way out: sed -i 's/\\r$//' on it";

/// The violation, with the way out if it is one of the usual mistakes. `stderr` is the end of what the agent wrote there.
pub(super) fn with_way_out(violation: Violation, agent: &Agent, stderr: &[u8]) -> Violation {
    let text = String::from_utf8_lossy(stderr);
    let way_out = match violation.kind {
        FaultKind::NotStarted => not_started(agent),
        FaultKind::Crashed | FaultKind::NoAnswer | FaultKind::EmptyAnswer => other_class(agent, &text)
            .or_else(|| crlf(&text))
            .or_else(|| no_process(&text))
            .or_else(|| not_executable(agent, &text)),
        _ => None,
    };
    match way_out {
        Some(way_out) => Violation { read: format!("{}; {way_out}", violation.read), ..violation },
        None => violation,
    }
}

/// The interpreter is there, or the agent would have been refused; but agents do not see it.
fn not_started(agent: &Agent) -> Option<String> {
    let interpreter = named_interpreter(&agent.player.program)?;
    let folder = interpreter.parent()?.display();
    Some(format!(
        "its first line names {}, which agents may not see: they see the system's programs and their own files; the way out: \
         `#!/usr/bin/env NAME`, or --readable {folder} for all agents",
        interpreter.display()
    ))
}

/// `java Homework`, where the folder has another class.
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
        None => format!("there is no {wanted}.class; the way out: compile it before it is handed in, or in run.sh"),
        Some(class) if classes.iter().any(|class| class == wanted) => {
            format!("{class}.class is there, but not as {wanted}: is it in a package, or for a newer Java?")
        }
        Some(class) => {
            let all = classes.join(", ");
            format!("there is no class {wanted}, but {all}; the way out: `java {class}` in run.sh")
        }
    })
}

/// A shell that met a CR: bash writes it as `$'\r'`, others as it is.
fn crlf(stderr: &str) -> Option<String> {
    let met =
        ["$'\\r'", "\r: not found", "\\r: not found", "\r: No such file"].iter().any(|sign| stderr.contains(sign));
    met.then(|| NO_CRLF.to_owned())
}

/// It could not start a process.
fn no_process(stderr: &str) -> Option<String> {
    let signs =
        ["Cannot fork", "fork: Operation not permitted", "fork: retry: ", "fork: Resource temporarily", "os.fork()"];
    signs.iter().any(|sign| stderr.contains(sign)).then(|| {
        "it could not start a process: their number is limited, and in the tier rusage there may be none; the way out: fewer, \
         or a machine with another tier, see `master doctor`"
            .to_owned()
    })
}

/// `./engine: Permission denied`, where engine is a file of the agent's without the permission to execute it.
fn not_executable(agent: &Agent, stderr: &str) -> Option<String> {
    let denied = stderr.lines().filter_map(|line| line.trim_end().strip_suffix(": Permission denied"));
    let mut files = denied.filter_map(|line| line.rsplit([' ', ':', '/']).next());
    files.find_map(|file| {
        let about = fs::metadata(agent.folder.join(file)).ok()?;
        let is_plain = about.is_file() && about.permissions().mode() & 0o111 == 0;
        is_plain.then(|| format!("{file} is not executable; the way out: chmod +x {file}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::master::agent::Invocation;

    #[test]
    fn the_usual_mistakes_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["Agent.class", "Agent$1.class", "engine", "run.sh"] {
            fs::write(path(name), "#!/home/x/venv/bin/python\n").unwrap();
        }
        let agent = Agent {
            name: "a".into(),
            folder: folder.path().to_owned(),
            build: Vec::new(),
            player: Invocation { program: path("run.sh"), arguments: Vec::new() },
            calibrate: None,
            hash: String::new(),
        };
        let class = "Error: Could not find or load main class Homework\nCaused by: java.lang.ClassNotFoundException";
        for (kind, stderr, said) in [
            (FaultKind::Crashed, class, "; there is no class Homework, but Agent; the way out: `java Agent` in run.sh"),
            (
                FaultKind::Crashed,
                "x/run.sh: 2: ./engine: Permission denied\n",
                "; engine is not executable; the way out: chmod +x engine",
            ),
            (
                FaultKind::Crashed,
                "run.sh: 2: cd\r: not found\n",
                "; a script has CRLF line ends; the way out: sed -i 's/\\r$//' on it",
            ),
            (
                FaultKind::NoAnswer,
                "run.sh: line 2: $'\\r': command not found",
                "; a script has CRLF line ends; the way out: sed -i 's/\\r$//' on it",
            ),
            (FaultKind::NotStarted, "", "; its first line names /home/x/venv/bin/python, which agents may not see"),
            (FaultKind::EmptyAnswer, "run.sh: 2: Cannot fork\n", "; it could not start a process: "),
            (FaultKind::Crashed, "Traceback", ""),
            (FaultKind::Illegal, class, ""),
        ] {
            let violation = Violation { kind, read: "exit code 1".into(), expected: "a turn".into() };
            let found = with_way_out(violation, &agent, stderr.as_bytes()).read;
            assert!(found.starts_with(&format!("exit code 1{said}")), "{stderr}: {found}");
            assert_eq!(found.len() > "exit code 1".len(), !said.is_empty(), "{stderr}: {found}");
        }
    }
}
