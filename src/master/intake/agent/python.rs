//! Python modules that a course promises, and that this machine may lack: not the agents' fault.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde::Serialize;

use super::Agent;
use super::imports::{Reach, code, imports, is_name, sources_of};
use super::tree::text;
use crate::doctor::program;

/// A module that an interpreter of this machine cannot import.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MissingModule {
    /// The interpreter: `python3` or `python2`.
    pub interpreter: &'static str,
    /// The module, e.g. `numpy`.
    pub module: String,
}

const INTERPRETERS: [&str; 2] = ["python3", "python2"];

impl fmt::Display for MissingModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MissingModule { interpreter, module } = self;
        write!(f, "this machine has no {module} for {interpreter}")
    }
}

impl std::error::Error for MissingModule {}

impl MissingModule {
    /// Finds the promised module that was missing when an agent wrote this to standard error. Whatever the agent wrote,
    /// it is missing only if the interpreter cannot import it either.
    pub(crate) fn in_traceback(stderr: &[u8], promised: &[String]) -> Option<MissingModule> {
        let text = String::from_utf8_lossy(stderr);
        let (_, named) = text.lines().rev().find_map(|line| line.split_once("Error: No module named "))?;
        // Python 3 quotes the name.
        let interpreter = if named.starts_with('\'') { INTERPRETERS[0] } else { INTERPRETERS[1] };
        let module = named.trim().trim_matches('\'').split('.').next()?;
        promised.iter().find(|promised| *promised == module).and_then(|module| MissingModule::of(interpreter, module))
    }

    /// Finds the promised modules that an agent's Python files import, and that are missing.
    pub(crate) fn imported_by(agent: &Agent, promised: &[String]) -> Vec<MissingModule> {
        let of_python2 =
            agent.player.arguments.first().is_some_and(|script| script.as_encoded_bytes().ends_with(b"2.py"));
        let interpreter = if of_python2 { INTERPRETERS[1] } else { INTERPRETERS[0] };
        let mut imported = BTreeSet::new();
        for script in scripts(agent) {
            for source in sources_of(&agent.folder, &script, Reach::Anywhere) {
                let code = text(&agent.folder, &source).map(|source| code(&source)).unwrap_or_default();
                imported.extend(
                    imports(&code).into_iter().filter_map(|import| import.module.split('.').next().map(str::to_owned)),
                );
            }
        }
        let all = promised.iter().filter(|module| imported.contains(*module));
        all.filter_map(|module| MissingModule::of(interpreter, module)).collect()
    }

    /// The promised modules that are missing for each interpreter.
    pub(crate) fn all(promised: &[String]) -> Vec<MissingModule> {
        let of = |interpreter| promised.iter().filter_map(move |module| MissingModule::of(interpreter, module));
        INTERPRETERS.into_iter().flat_map(of).collect()
    }

    /// Tries to import the module, once in the life of this process.
    fn of(interpreter: &'static str, module: &str) -> Option<MissingModule> {
        static KNOWN: Mutex<BTreeMap<MissingModule, bool>> = Mutex::new(BTreeMap::new());
        let missing = MissingModule { interpreter, module: module.to_owned() };
        let Ok(mut known) = KNOWN.lock() else { return None };
        let is_missing = *known.entry(missing.clone()).or_insert_with(|| cannot_import(interpreter, module));
        is_missing.then_some(missing)
    }
}

/// Names of the scripts that an agent runs: Python programs, or what its `run.sh` names.
fn scripts(agent: &Agent) -> Vec<String> {
    let own = [&agent.player.program].into_iter().map(PathBuf::as_path);
    let own = own.chain(agent.player.arguments.iter().map(Path::new));
    let own = own.filter_map(|path| path.strip_prefix(&agent.folder).unwrap_or(path).to_str());
    let mut scripts = Vec::new();
    for file in own {
        let Some(source) = text(&agent.folder, file).ok() else { continue };
        if file.ends_with(".py")
            || source.lines().next().is_some_and(|line| line.starts_with("#!") && line.contains("python"))
        {
            scripts.push(file.to_owned());
        } else {
            let words = source.split(|letter: char| letter.is_whitespace() || "\"'=;()".contains(letter));
            let is_own = |name: &String| {
                let is_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
                name.ends_with(".py") && is_inside && agent.folder.join(name).is_file()
            };
            // `python3 main.py`, or `python3 -m main`.
            let names = words.map(|word| word.trim_start_matches("./"));
            let names = names.flat_map(|word| [word.to_owned(), format!("{word}.py")]);
            scripts.extend(names.filter(is_own));
        }
    }
    scripts
}

/// Runs the system's interpreter, without any code of an agent. An interpreter that does not exist lacks no module.
fn cannot_import(interpreter: &str, module: &str) -> bool {
    let Some(path) = program(OsStr::new(interpreter)).ok().filter(|_| is_name(module)) else { return false };
    let mut command = Command::new(path);
    command.args(["-E", "-s", "-c", &format!("import {module}")]).current_dir("/").env_clear();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| !status.success())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::intake::agent::{Intake, agent_at};
    use crate::league::League;

    fn promised() -> Vec<String> {
        ["numpy", "no_such_module", "json", "not a name"].map(str::to_owned).to_vec()
    }

    #[test]
    fn a_module_is_missing_only_if_it_was_promised_and_cannot_be_imported() {
        if program(OsStr::new("python3")).is_err() {
            return;
        }
        let found =
            |stderr: &str| MissingModule::in_traceback(stderr.as_bytes(), &promised()).map(|found| found.module);
        let missing = Some("no_such_module".to_owned());
        assert_eq!(found("Traceback\nModuleNotFoundError: No module named 'no_such_module'\n"), missing);
        assert_eq!(found("ImportError: No module named 'no_such_module.inside'"), missing);
        for stderr in [
            "ModuleNotFoundError: No module named 'json'",
            "ModuleNotFoundError: No module named 'another'",
            "ModuleNotFoundError: No module named 'not a name'",
            "ImportError: No module named no_such_module_of_python2",
            "no_such_module",
            "",
        ] {
            assert_eq!(found(stderr), None, "{stderr}");
        }
        let folder = tempfile::tempdir().unwrap();
        let needs = |files: &[(&str, &str)]| {
            files.iter().for_each(|(file, text)| fs::write(folder.path().join(file), text).unwrap());
            let league = League::named("checkers").unwrap();
            let agent = agent_at(folder.path(), &Intake::new(&league).unwrap()).unwrap();
            let missing = MissingModule::imported_by(&agent, &promised());
            missing.into_iter().map(|missing| missing.to_string()).collect::<Vec<_>>()
        };
        let told = ["this machine has no no_such_module for python3"];
        let other = "import json, no_such_module\n";
        assert_eq!(needs(&[("homework.py", "import moves\n"), ("test_moves.py", other)]), [""; 0]);
        assert_eq!(needs(&[("moves.py", other)]), told);
        assert_eq!(needs(&[("run.sh", "exec python3 test_moves.py\n"), ("moves.py", "")]), told);
        assert_eq!(needs(&[("run.sh", "exec python3 -m homework\n")]), [""; 0]);
    }
}
