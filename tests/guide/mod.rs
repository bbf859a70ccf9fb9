//! Documentation pages: their commands run, their links, paths and options exist, and their figures have commands.

mod circles;
mod commands;
mod figures;
mod links;
mod options;

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

use crate::support::command::{Dir, Ran};
use crate::support::programs::{Program, library_sample, paths_in, root};

struct Page {
    /// Path relative to the repository root.
    name: String,
    text: String,
}

impl Page {
    fn read(name: &str) -> Page {
        let text = fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Page { name: name.to_owned(), text }
    }

    /// README.md, the guide, and the pages beside samples and honest agents.
    fn all() -> Vec<Page> {
        let guide = paths_in("src/players/guide", ".md");
        let guide = guide.iter().map(|path| path.strip_prefix(root()).ok().and_then(Path::to_str).expect("a page"));
        let others = [
            "README.md",
            "samples/README.md",
            "samples/schemas/README.md",
            "samples/slurm/README.md",
            "tests/honest/README.md",
        ];
        others.into_iter().map(Page::read).chain(guide.map(Page::read)).collect()
    }

    /// Language and text of each block of code.
    fn blocks(&self) -> impl Iterator<Item = (&str, &str)> {
        self.text.split("```").skip(1).step_by(2).map(|block| block.split_once('\n').expect("a language"))
    }
}

/// A directory that looks like a checkout with built programs, and has a `cargo` that builds nothing.
struct Checkout {
    dir: Dir,
    /// Packages, targets and features for cargo.sh.
    known: String,
}

impl Checkout {
    /// Copies the samples, since commands write beside them, and links the rest.
    fn new() -> Checkout {
        let dir = Dir::new();
        dir.run_command(Command::new("cp").arg("-r").arg(root().join("samples")).arg(".")).exits_with(0);
        // git ignores a .gitignore that is a link.
        dir.copy(root().join(".gitignore"), ".gitignore");
        for name in ["home", "stand-ins", "target", "target/release"] {
            dir.make_dir(name);
        }
        let link = |from: &Path, to: &str| dir.link(from, to);
        ["Cargo.toml", "README.md", "src", "calibrate", "tests"].iter().for_each(|name| link(&root().join(name), name));
        Program::ALL.iter().for_each(|program| link(program.path(), &format!("target/release/{}", program.name())));
        link(&library_sample("search"), "target/release/search");
        dir.write_program("stand-ins/cargo", include_str!("cargo.sh"));
        Checkout { dir, known: known() }
    }

    /// Runs a shell line for at most `seconds` seconds. A line that takes longer is stopped with exit code 124.
    fn run(&self, line: &str, seconds: &str) -> Ran {
        let top = self.dir.path("").display().to_string();
        let path = format!("{top}stand-ins:{top}target/release:{}", env::var("PATH").expect("a PATH"));
        let mut command = Command::new("timeout");
        command.args(["--kill-after=30", seconds, "sh", "-c", line]);
        command.env("PATH", path).env("HOME", self.dir.path("home")).env("KNOWN", &self.known);
        self.dir.run_command(&mut command)
    }
}

/// `package:NAME` for each package of the workspace. `KIND:NAME` and `PACKAGE:KIND:NAME` for its targets and features.
fn known() -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root());
    let metadata: Value = serde_json::from_slice(&cargo.output().expect("cargo").stdout).expect("JSON of cargo");
    let mut words = Vec::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let name = text(&package["name"]);
        words.push(format!("package:{name}"));
        let features = package["features"].as_object().expect("features").keys();
        let targets = package["targets"].as_array().expect("targets").iter();
        let targets = targets.map(|target| format!("{}:{}", text(&target["kind"][0]), text(&target["name"])));
        for word in features.map(|feature| format!("feature:{feature}")).chain(targets) {
            words.extend([format!("{name}:{word}"), word]);
        }
    }
    words.join(" ")
}
