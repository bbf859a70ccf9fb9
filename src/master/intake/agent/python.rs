//! Python modules that a course promises, and that this machine may lack: not the agents' fault.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde::Serialize;

use super::Agent;
use crate::doctor::program;
use crate::sandbox::read_untrusted;

/// A module that an interpreter of this machine cannot import.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MissingModule {
    /// The interpreter: `python3` or `python2`.
    pub interpreter: &'static str,
    /// The module, e.g. `numpy`.
    pub module: String,
}

const INTERPRETERS: [&str; 2] = ["python3", "python2"];
/// Longest source that is searched for imports, in bytes.
const LONGEST_SOURCE: usize = 1 << 20;

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
        MissingModule::imported_in(&agent.folder, interpreter, promised)
    }

    /// The promised modules that are missing for each interpreter.
    pub(crate) fn all(promised: &[String]) -> Vec<MissingModule> {
        let of = |interpreter| promised.iter().filter_map(move |module| MissingModule::of(interpreter, module));
        INTERPRETERS.into_iter().flat_map(of).collect()
    }

    fn imported_in(folder: &Path, interpreter: &'static str, promised: &[String]) -> Vec<MissingModule> {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let sources: Vec<String> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension() == Some(OsStr::new("py")))
            .filter_map(|path| read_untrusted(&path, LONGEST_SOURCE).ok())
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .collect();
        let imports = |module: &str| sources.iter().flat_map(|source| source.lines()).any(|line| imports(line, module));
        let all = promised.iter().filter(|module| imports(module));
        all.filter_map(|module| MissingModule::of(interpreter, module)).collect()
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

/// True if a line of a source imports this module, or something in it.
fn imports(line: &str, module: &str) -> bool {
    let mut words =
        line.split(|c: char| c.is_whitespace() || [',', '.', ';'].contains(&c)).filter(|word| !word.is_empty());
    match words.next() {
        Some("import") => words.any(|word| word == module),
        Some("from") => words.next() == Some(module),
        _ => false,
    }
}

/// Runs the system's interpreter, without any code of an agent. An interpreter that does not exist lacks no module.
fn cannot_import(interpreter: &str, module: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let Some(path) = program(OsStr::new(interpreter)).ok().filter(|_| is_name(module)) else { return false };
    let mut command = Command::new(path);
    command.args(["-E", "-s", "-c", &format!("import {module}")]).current_dir("/").env_clear();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| !status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn promised() -> Vec<String> {
        ["numpy", "no_such_module", "json", "not a name"].map(str::to_owned).to_vec()
    }

    #[test]
    fn imports_are_found_in_lines() {
        for line in
            ["import numpy", "  import os, numpy as np", "from numpy.linalg import norm", "import numpy.random;"]
        {
            assert!(imports(line, "numpy"), "{line}");
        }
        for line in ["# import numpy", "numpy = 3", "from mine import numpy", "import numpyish", ""] {
            assert!(!imports(line, "numpy"), "{line}");
        }
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
        fs::write(folder.path().join("a.py"), "import json\nimport no_such_module\n").unwrap();
        let missing = MissingModule::imported_in(folder.path(), "python3", &promised());
        assert_eq!(missing, [MissingModule { interpreter: "python3", module: "no_such_module".to_owned() }]);
    }
}
