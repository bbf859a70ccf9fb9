//! Python modules that a course promises, and that this machine may lack: not the agents' fault.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde::Serialize;
use thiserror::Error;

use super::Agent;
use super::walk::{folder_of, literal, text};
use crate::sandbox::program;

/// A module that an interpreter of this machine cannot import.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Error, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[error("this machine has no {module} for {interpreter}")]
pub struct MissingModule {
    /// The interpreter: `python3` or `python2`.
    pub interpreter: &'static str,
    /// The module, e.g. `numpy`.
    pub module: String,
}

const INTERPRETERS: [&str; 2] = ["python3", "python2"];

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

/// Most sources of a program that are read.
const MOST_SOURCES: usize = 200;

/// Imports that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Imports that run whenever the program starts: those that are not indented.
    AtStart,
    /// All of them.
    Anywhere,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import {
    reach: Reach,
    /// Number of dots before the module's name: 0 for an absolute import.
    dots: usize,
    /// The module, e.g. `numpy.linalg`; empty in `from . import moves`.
    pub(super) module: String,
    /// Names imported from the module; they may be modules themselves.
    names: Vec<String>,
}

/// A program and its own modules, as far as these imports lead; the program first.
pub(super) fn sources_of(folder: &Path, script: &str, reach: Reach) -> Vec<String> {
    let top = folder_of(script);
    let (mut sources, mut seen, mut next) = (vec![script.to_owned()], BTreeSet::from([script.to_owned()]), 0);
    while let Some(source) = sources.get(next).cloned().filter(|_| next < MOST_SOURCES) {
        next += 1;
        let Ok(text) = text(folder, &source) else { continue };
        let all = imports(&code(&text));
        for import in all.iter().filter(|import| reach == Reach::Anywhere || import.reach == Reach::AtStart) {
            let mut package = folder_of(&source);
            (1..import.dots).for_each(|_| package = folder_of(package));
            let package = if import.dots == 0 { top } else { package };
            let parts = import.module.split('.').filter(|part| is_name(part));
            let mut place = package.to_owned();
            let mut found: Vec<String> = Vec::new();
            for part in parts {
                place = joined(&place, part);
                found.extend(module_at(folder, &place));
            }
            let names = import.names.iter().filter(|name| is_name(name));
            found.extend(names.filter_map(|name| module_at(folder, &joined(&place, name))));
            sources.extend(found.into_iter().filter(|file| seen.insert(file.clone())));
        }
    }
    sources
}

/// A path in an import would lead out of the folder.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

fn joined(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}/{name}") }
}

/// The source of the module or package at this place.
fn module_at(folder: &Path, place: &str) -> Option<String> {
    let is_there = |file: &String| fs::symlink_metadata(folder.join(file)).is_ok_and(|about| about.is_file());
    [format!("{place}/__init__.py"), format!("{place}.py")].into_iter().find(is_there)
}

/// The imports in a source without comments and literals.
pub(super) fn imports(code: &str) -> Vec<Import> {
    let mut imports = Vec::new();
    for line in code.lines() {
        let is_indented = line.starts_with([' ', '\t']);
        for statement in line.split(';') {
            let words: Vec<&str> = statement
                .split(|c: char| c.is_whitespace() || ",()".contains(c))
                .filter(|word| !word.is_empty())
                .collect();
            let reach = if is_indented { Reach::Anywhere } else { Reach::AtStart };
            match words[..] {
                ["import", ..] => {
                    // In `a as b`, `b` is no module.
                    let modules = (1..words.len()).filter(|&place| words[place] != "as" && words[place - 1] != "as");
                    let import =
                        |place: usize| Import { reach, dots: 0, module: words[place].to_owned(), names: Vec::new() };
                    imports.extend(modules.map(import));
                }
                ["from", module, ref rest @ ..] => {
                    let name = module.trim_start_matches('.');
                    // Python takes `from . moves` as well.
                    let (name, rest) = match rest {
                        [inner, "import", ..] if name.is_empty() => (*inner, &rest[1..]),
                        _ => (name, rest),
                    };
                    let names = rest.iter().skip(1).map(|&name| name.to_owned()).collect();
                    let dots = module.len() - module.trim_start_matches('.').len();
                    imports.push(Import { reach, dots, module: name.to_owned(), names });
                }
                _ => {}
            }
        }
    }
    imports
}

/// A source without comments and the content of literals, each statement on a line.
pub(super) fn code(source: &str) -> String {
    let (mut code, mut rest, mut depth) = (String::new(), source, 0usize);
    while let Some(letter) = rest.chars().next() {
        let mut length = letter.len_utf8();
        match letter {
            '#' => length = rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => {
                let quotes = if rest.starts_with(&letter.to_string().repeat(3)) { 3 } else { 1 };
                length = literal(rest, letter, quotes);
                code.push_str("\"\"");
            }
            '\\' if rest[1..].trim_start_matches('\r').starts_with('\n') => {
                length += rest[1..].find('\n').unwrap_or(0) + 1;
            }
            '\n' if depth > 0 => code.push(' '),
            _ => {
                depth = match letter {
                    '(' | '[' | '{' => depth + 1,
                    ')' | ']' | '}' => depth.saturating_sub(1),
                    _ => depth,
                };
                code.push(letter);
            }
        }
        rest = &rest[length..];
    }
    code
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

    #[test]
    fn imports_are_found_outside_comments_and_literals() {
        for (source, expected) in [
            ("import numpy", "numpy"),
            ("  import os, numpy as np", " os numpy"),
            ("from numpy.linalg import norm", "numpy.linalg[norm]"),
            ("import a.b; from . import c", "a.b .[c]"),
            ("from ..a import (b,  # c\n    d)\nimport e", "..a[b d] e"),
            ("from .b import (c as d)", ".b[c as d]"),
            ("import a, \\\n    b", "a b"),
            ("x = {\n\"import a\": 'b\\' import c',\n}\nimport d", "d"),
            ("\"\"\"\nimport a\n\\\"\"\"\nimport b\n\"\"\"\nimport c", "c"),
            ("# import numpy\nnumpy = 3\nimported = 'it'", ""),
            ("x = 'open\nimport a", "a"),
            ("\"\"\"\nimport a", ""),
        ] {
            let found: Vec<String> = imports(&code(source)).iter().map(shown).collect();
            assert_eq!(found.join(" "), expected.trim_start(), "{source}");
        }
    }

    fn shown(import: &Import) -> String {
        let Import { dots, module, names, .. } = import;
        let names = if names.is_empty() { String::new() } else { format!("[{}]", names.join(" ")) };
        format!("{}{module}{names}", ".".repeat(*dots))
    }

    #[test]
    fn a_program_has_the_modules_that_it_imports_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("engine/deep")).unwrap();
        for (file, source) in [
            ("homework.py", "import board, os\nfrom engine import search\ndef late():\n    import book\n"),
            ("board.py", "from engine.deep.table import x\nfrom engine import ../../secret\n"),
            ("book.py", "import numpy\n"),
            ("test_board.py", "import board, numpy\n"),
            ("engine/__init__.py", ""),
            ("engine/search.py", "from . import moves\nfrom .. import board\nfrom .deep import table\n"),
            ("engine/moves.py", "import homework\n"),
            ("engine/unused.py", ""),
            ("engine/deep/table.py", "x = 1\n"),
        ] {
            fs::write(folder.path().join(file), source).unwrap();
        }
        let mut sources = sources_of(folder.path(), "homework.py", Reach::AtStart);
        assert_eq!(sources.remove(0), "homework.py");
        sources.sort();
        let mut expected =
            ["board.py", "engine/__init__.py", "engine/deep/table.py", "engine/moves.py", "engine/search.py"].to_vec();
        assert_eq!(sources, expected);
        let mut all = sources_of(folder.path(), "homework.py", Reach::Anywhere).split_off(1);
        all.sort();
        expected.insert(1, "book.py");
        assert_eq!(all, expected);
    }
}
