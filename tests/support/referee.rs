//! Fixtures for tests of the referee: agents' folders, leagues, and runs of `master`.

use std::fs;

use kingline_master::league::League;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::command::{Dir, Ran};
use super::programs::Program;

/// Commands of an agent that always answers the same, which is right in the first position.
pub(crate) const ANSWER: &str = "printf 'E c3 b4\\n' > output.txt\n";

impl Dir {
    /// Runs `master` here, without input.
    pub(crate) fn master(&self, arguments: &[&str]) -> Ran {
        self.run_with_args(Program::Master, arguments)
    }

    /// Text of a file, which must exist.
    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        self.read(name).unwrap_or_else(|| panic!("no {name}"))
    }

    /// Makes an agent's folder with one of our programs, as this file.
    pub(crate) fn agent(&self, name: &str, program: Program, file: &str) {
        self.make_dir(name);
        fs::copy(program.path(), self.path(name).join(file)).expect("a copy of a program");
    }

    /// Makes an agent that is a script, with one of our programs beside it as `engine`.
    pub(crate) fn scripted(&self, name: &str, program: Program, script: &str) {
        self.agent(name, program, "engine");
        self.script(name, script);
    }

    /// Writes the script of an agent.
    pub(crate) fn script(&self, name: &str, script: &str) {
        self.write_program(&format!("{name}/run.sh"), &format!("#!/bin/sh\n{script}\n"));
    }

    /// Writes league.json: a league like checkers, with these fields instead of its own.
    pub(crate) fn league(&self, fields: &Value) {
        let mut league = serde_json::to_value(League::named("checkers")).expect("a league");
        let fields = fields.as_object().expect("fields").clone();
        league.as_object_mut().expect("a league").extend(fields);
        self.write("league.json", league.to_string());
    }
}

impl Ran {
    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}
