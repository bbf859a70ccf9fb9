//! Syntax of programs that need no compiler: checked like a build, before the first game. Nothing of the agent runs.

use std::path::Path;

use super::imports::{Reach, sources_of};
use super::tree::text;
use super::{BuildCommand, script};
use crate::doctor;

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
    Some(BuildCommand { program: doctor::program(interpreter.as_ref()).ok()?, words })
}

/// Returns the command that checks a script, by the interpreter in its first line.
pub(super) fn check_of_script(folder: &Path, path: &Path) -> Option<BuildCommand> {
    let name = path.strip_prefix(folder).ok()?.to_str()?;
    check(folder, &script::interpreter_of(path)?, name, name)
}

/// True if a JavaScript program may be a module, which Node.js recognizes only when it runs it.
fn may_be_module(source: &str) -> bool {
    let is_sign = |word: &str| ["import", "export", "await"].contains(&word);
    source.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(is_sign)
}
