//! Checks a script's interpreter and its line endings.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::python::{Reach, sources_of};
use super::walk::text;
use super::{BuildCommand, Trouble};
use crate::sandbox::{self, open_untrusted};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunBy {
    /// The interpreter named in its first line runs it.
    Itself,
    /// `/bin/sh` runs it, because it is not executable.
    Shell,
}

/// Number of bytes read from a script, enough for its first lines.
const HEAD: u64 = 4096;
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];

/// Fails if a script cannot be run.
pub(super) fn runnable(path: &Path, by: RunBy) -> Result<(), Trouble> {
    let head = head(path).map_err(|error| Trouble::Unreadable(path.to_owned(), error))?;
    let interpreter = interpreter(&head);
    if let Some(found) = before_first_line(&head) {
        return Err(Trouble::ScriptStart(path.to_owned(), found));
    }
    let first = head.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
    if by == RunBy::Itself {
        let Some(interpreter) = &interpreter else { return Ok(()) };
        if ends_in_crlf(first) {
            return Err(Trouble::CrlfLines(path.to_owned()));
        }
        if interpreter.program.is_absolute() && !interpreter.program.exists() {
            return Err(Trouble::NoInterpreter(path.to_owned(), interpreter.program.clone()));
        }
    }
    if by == RunBy::Shell && interpreter.as_ref().is_some_and(|interpreter| !interpreter.is_shell()) {
        return Err(Trouble::NotExecutable(path.to_owned()));
    }
    let is_for_shell = by == RunBy::Shell || interpreter.is_some_and(|interpreter| interpreter.is_shell());
    let mut lines = head.split_inclusive(|&byte| byte == b'\n');
    let command = lines.find(|line| !matches!(line.trim_ascii().first(), None | Some(b'#')));
    let is_broken = is_for_shell && command.is_some_and(ends_in_crlf);
    if is_broken { Err(Trouble::CrlfLines(path.to_owned())) } else { Ok(()) }
}

/// Describes the bytes before the `#!` of a script that names an interpreter other than a shell. The kernel does not
/// recognize such a script, so a shell would run it.
fn before_first_line(head: &[u8]) -> Option<&'static str> {
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        return Some("is text in UTF-16, expected UTF-8");
    }
    let (rest, found) = match head.strip_prefix("\u{feff}".as_bytes()) {
        Some(rest) => (rest, "begins with a byte order mark, expected `#!`"),
        None => (head.trim_ascii_start(), "begins with blanks or blank lines, expected `#!`"),
    };
    let is_moved = rest.len() < head.len() && interpreter(rest).is_some_and(|interpreter| !interpreter.is_shell());
    is_moved.then_some(found)
}

pub(crate) fn is_script(path: &Path) -> bool {
    head(path).is_ok_and(|head| head.starts_with(b"#!"))
}

/// The interpreter named in a script's first line, if any.
pub(crate) fn named_interpreter(path: &Path) -> Option<PathBuf> {
    Some(interpreter(&head(path).ok()?)?.program)
}

/// The interpreter that runs a script, as its first line names it: a path, or the argument of `env`.
pub(super) fn interpreter_of(path: &Path) -> Option<String> {
    let interpreter = interpreter(&head(path).ok()?)?;
    let is_env = interpreter.program.ends_with("env");
    let program = interpreter.program.to_str()?.to_owned();
    Some(if is_env { interpreter.argument } else { program })
}

/// A first line such as `#!/usr/bin/env python3`.
struct Interpreter {
    program: PathBuf,
    argument: String,
}

impl Interpreter {
    fn is_shell(&self) -> bool {
        let name = self.program.file_name().unwrap_or_default().to_string_lossy();
        SHELLS.contains(&&*name) || name == "env" && SHELLS.contains(&self.argument.as_str())
    }
}

fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    open_untrusted(&path.canonicalize()?, u64::MAX)?.0.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

fn interpreter(head: &[u8]) -> Option<Interpreter> {
    let line = head.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace();
    Some(Interpreter { program: words.next()?.into(), argument: words.next().unwrap_or_default().to_owned() })
}

fn ends_in_crlf(line: &[u8]) -> bool {
    line.ends_with(b"\r\n") || line.ends_with(b"\r")
}

/// Parses the files that are its arguments, and nothing else. Errors come without the lines of this program.
pub(super) const PARSE: &str =
    "import sys; sys.tracebacklimit = 0; [compile(open(name, 'rb').read(), name, 'exec') for name in sys.argv[1:]]";

/// Returns the command that checks a program, which is called `name` once it has its right name; `None` if its
/// language cannot be checked. A shell reads its script line by line, so that errors after an `exit` do not matter.
pub(super) fn check(folder: &Path, interpreter: &str, handed_in: &str, name: &str) -> Option<BuildCommand> {
    let called = interpreter.rsplit('/').next()?;
    let words = if called.starts_with("python") {
        let own = sources_of(folder, handed_in, Reach::AtStart).into_iter().skip(1);
        // Without the options, it would import modules of the agent.
        let first = [called, "-ESs", "-c", PARSE, name].map(str::to_owned);
        first.into_iter().chain(own).collect()
    } else if called.starts_with("node") && !may_be_module(&text(folder, handed_in).ok()?) {
        [called, "--check", name].map(str::to_owned).to_vec()
    } else {
        return None;
    };
    Some(BuildCommand { program: sandbox::program(interpreter.as_ref()).ok()?, words })
}

/// Returns the command that checks a script, by the interpreter in its first line.
pub(super) fn check_of_script(folder: &Path, path: &Path) -> Option<BuildCommand> {
    let name = path.strip_prefix(folder).ok()?.to_str()?;
    check(folder, &interpreter_of(path)?, name, name)
}

/// True if a JavaScript program may be a module, which Node.js recognizes only when it runs it.
fn may_be_module(source: &str) -> bool {
    let is_sign = |word: &str| ["import", "export", "await"].contains(&word);
    source.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(is_sign)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn scripts_that_cannot_be_run_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.sh");
        let own = folder.path().join("python").display().to_string();
        fs::write(&own, "").unwrap();
        for (text, itself, shell) in [
            ("#!/bin/sh\nexec ./a\n", None, None),
            ("#!/bin/sh\r\nexec ./a\r\n", Some("CRLF"), Some("CRLF")),
            ("#!/bin/sh\n# comment\r\n\r\nexec ./a\r\n", Some("CRLF"), Some("CRLF")),
            ("#!/usr/bin/env bash\nexec ./a\r\n", Some("CRLF"), Some("CRLF")),
            // The shell treats this line as a comment, and Python accepts such line endings.
            ("#!/bin/sh\r\nexec ./a\n", Some("CRLF"), None),
            ("#!/bin/cat\nprint(1)\r\n", None, Some("chmod +x")),
            ("exec ./a\r\n", None, Some("CRLF")),
            ("#!/home/nobody/venv/bin/python\nprint(1)\n", Some("/home/nobody/venv/bin/python"), Some("chmod +x")),
            ("\u{feff}#!/usr/bin/python3\n", Some("begins with a byte order mark"), Some("a byte order mark")),
            ("\n#!/usr/bin/env python3\n", Some("begins with blanks"), Some("begins with blanks")),
            ("\u{feff}#!/bin/sh\nexec ./a\n", None, None),
            ("#! bin/python\n", None, Some("chmod +x")),
            (&format!("#!{own}\n"), None, Some("chmod +x")),
            ("\u{7f}ELF\r\n", None, Some("CRLF")),
            ("", None, None),
        ] {
            fs::write(&path, text).unwrap();
            for (by, expected) in [(RunBy::Itself, itself), (RunBy::Shell, shell)] {
                let found = runnable(&path, by).err().map(|why| why.to_string());
                let is_right = match (&found, expected) {
                    (Some(found), Some(expected)) => found.contains(expected),
                    (found, expected) => found.is_none() && expected.is_none(),
                };
                assert!(is_right, "{text:?}, {by:?}: {found:?}, expected {expected:?}");
            }
        }
    }
}
