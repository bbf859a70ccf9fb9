//! Runs the commands on the documentation pages as written.
//!
//! `trycmd` runs only transcripts (`console` blocks, each line split into words without a shell), while the pages have
//! plain `sh` blocks with wildcards, redirections and pipes, where later lines read files written by earlier ones. Python
//! runs with the packages that `.ci/run` installs.

use std::path::Path;

use super::{Checkout, Page};
use crate::support::command::*;
use crate::support::programs::python_with;
use crate::support::table::rows;

const LANGUAGES: [&str; 8] = ["sh", "console", "text", "json", "toml", "sql", "rust", "python"];

/// Reason for a command that is stopped after three seconds.
const LONG: &str = "takes minutes, or runs until it is stopped";
/// Reason for a command that only some builds have.
const DISPLAY: &str = "needs the feature display";

/// Commands that are not run to their end: first words, reason, and a command to run afterward or instead.
fn exceptions() -> Vec<[&'static str; 3]> {
    rows(include_str!("exceptions.txt"), "commands")
}

/// Shell command that makes the folders of the reader's agents named on the pages.
const AGENTS: &str = "for agent in mine theirs agents/ada agents/ben agents/cleo; do
    mkdir -p $agent && cp -L target/release/reference $agent/homework || exit; done";

/// Command, with its output if it is in a `console` block.
type Step = (String, Option<String>);

fn steps(page: &Page) -> Vec<Step> {
    let mut steps = Vec::new();
    for (language, text) in page.blocks() {
        assert!(LANGUAGES.contains(&language), "{}: a block of {language:?}, expected one of {LANGUAGES:?}", page.name);
        let text = text.replace("\\\n", " ");
        match language {
            "sh" => steps.extend(text.lines().filter(|line| !line.is_empty()).map(|line| (line.to_owned(), None))),
            "console" => steps.extend(text.split("$ ").skip(1).map(|step| {
                let (command, output) = step.split_once('\n').expect("a line");
                (command.to_owned(), Some(output.to_owned()))
            })),
            "python" => match python_with("draughts.engine") {
                Ok(_) => steps.push((format!("python3 - <<'END'\n{text}END"), None)),
                Err(why) => skipped(&format!("the Python of {}", page.name), &why),
            },
            _ => {}
        }
    }
    steps
}

/// Runs the commands of a page, one after another.
///
/// # Errors
/// Fails if a command fails, or leaves a file that .gitignore lacks. The error contains the first failed command and its
/// output.
fn run(steps: &[Step]) -> Result<(), String> {
    let (checkout, exceptions) = (Checkout::new(), exceptions());
    if steps.iter().any(|(command, _)| command.contains(" mine/") || command.contains(" agents")) {
        checkout.run(AGENTS, "60").exits_with(0);
    }
    checkout.run("! command -v git || { git init --quiet && git add --all; }", "60").exits_with(0);
    for (command, output) in steps {
        let applies = |reason: &str| !(reason == DISPLAY && kingline_players::HAS_DISPLAY);
        let exception = exceptions.iter().find(|[prefix, reason, _]| command.starts_with(prefix) && applies(reason));
        let (line, seconds, after) = match exception {
            None => (command.as_str(), "120", None),
            Some([_, LONG, after]) => (command.as_str(), "3", Some(after)),
            Some([.., after]) => ("true", "3", Some(after)),
        };
        let mut ran = checkout.run(line, seconds);
        if let (Some(after), Some(0 | 124)) = (after, ran.code) {
            ran = checkout.run(after, "120");
        }
        if ran.code != Some(0) || output.as_ref().is_some_and(|output| *output != ran.stdout) {
            return Err(format!("{command}\n{ran:#?}"));
        }
    }
    let left = "! command -v git >/dev/null || git ls-files --others --exclude-standard -- ':!home'";
    let left = checkout.run(left, "60").exits_with(0).stdout.clone();
    if left.is_empty() { Ok(()) } else { Err(format!(".gitignore lacks\n{left}")) }
}

/// Returns the reason if this machine cannot run the agents in samples/class or give official results.
fn missing() -> Option<String> {
    let doctor = Dir::new().run_with_args(Program::Master, &["doctor"]).stdout;
    let lacks = |program: &&str| !["/usr/local/bin", "/usr/bin"].iter().any(|at| Path::new(at).join(program).exists());
    let program = ["gcc", "python3"].into_iter().find(lacks).map(|program| format!("there is no {program} here"));
    program.or((!doctor.contains("Nothing is missing")).then_some(doctor))
}

#[test]
fn every_command_runs() {
    let (missing, mut commands, mut failures) = (missing(), Vec::new(), Vec::new());
    // The tests in figures.rs check the commands on that page.
    for page in Page::all().iter().filter(|page| page.name != "src/players/guide/figures.md") {
        let steps = steps(page);
        match &missing {
            Some(why) if steps.iter().any(|(command, _)| command.contains("master ")) => {
                skipped(&format!("the commands of {}", page.name), why);
            }
            _ => failures.extend(run(&steps).err().map(|why| format!("{}: {why}", page.name))),
        }
        commands.extend(steps.into_iter().map(|(command, _)| command));
    }
    assert!(commands.len() > 40, "only {} commands", commands.len());
    let exceptions = exceptions();
    let unused = exceptions.iter().filter(|[prefix, ..]| !commands.iter().any(|command| command.starts_with(prefix)));
    failures.extend(unused.map(|[prefix, ..]| format!("no page has a command that begins with {prefix:?}")));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
