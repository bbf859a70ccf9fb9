//! Options that the pages name in backticks are options of the programs.

use std::collections::{BTreeMap, BTreeSet};

use super::pages::{Page, made_up};
use crate::programs::help::{long_options, with_commands};
use crate::programs::names::NAMED;
use crate::support::command::Program;

/// Of `cargo`, and of test programs; pages name these alone, too.
const CARGO: &[&str] =
    &["--all-features", "--features", "--ignored", "--no-default-features", "--no-deps", "--release"];
/// It tells of options that are no more.
const HISTORY: &str = "src/guide/changes.md";

/// What `--help` of a program and of all of its subcommands lists.
struct Known {
    options: BTreeSet<String>,
    subcommands: BTreeSet<String>,
}

impl Known {
    fn of(program: Program) -> Known {
        let commands = with_commands((program, Vec::new()));
        Known {
            options: commands.iter().flat_map(long_options).collect(),
            subcommands: commands.into_iter().filter_map(|(_, mut words)| words.pop()).collect(),
        }
    }
}

/// All programs.
struct AllKnown(BTreeMap<&'static str, Known>);

impl AllKnown {
    fn ask() -> AllKnown {
        AllKnown(NAMED.iter().map(|&(program, name)| (name, Known::of(program))).collect())
    }

    /// The options of a page that no program has: those of text that begins with a program must be that program's.
    fn unknown(&self, page: &Page) -> Vec<String> {
        let mut unknown = Vec::new();
        for span in page.code_spans() {
            let first = span.what.split_whitespace().next().unwrap_or_default();
            let first = first.strip_prefix("target/release/").unwrap_or(first);
            let is_ours = first.starts_with("--") || self.0.values().any(|known| known.subcommands.contains(first));
            let has = |option: &str| match self.0.get(first) {
                Some(known) => known.options.contains(option),
                None => CARGO.contains(&option) || self.0.values().any(|known| known.options.contains(option)),
            };
            if is_ours || self.0.contains_key(first) {
                let missing = options(&span.what).filter(|option| !has(option));
                unknown
                    .extend(missing.map(|option| format!("{}:{}: {option} in `{}`", page.name, span.line, span.what)));
            }
        }
        unknown
    }
}

/// `--time` of `[--time=SECONDS]`.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    words.filter(|word| word.len() > 2 && word.starts_with("--"))
}

#[test]
fn every_option_that_pages_name_exists() {
    let known = AllKnown::ask();
    let pages = Page::all().into_iter().filter(|page| page.name == "README.md" || page.is_in_rustdoc());
    let pages: Vec<Page> = pages.filter(|page| page.name != HISTORY).collect();
    let unknown: Vec<String> = pages.iter().flat_map(|page| known.unknown(page)).collect();
    assert!(unknown.is_empty(), "no program has:\n{}", unknown.join("\n"));
    let named: usize = pages.iter().flat_map(Page::code_spans).map(|span| options(&span.what).count()).sum();
    assert!(named > 20, "only {named} options were found");
}

#[test]
fn options_of_no_program_are_found() {
    let page = made_up(
        "`--seed` `--seeds N`\n`[--cost=X]` `reference [--cost=X] [--verbose]` `systemd-run --user`\n\
         `master tournament plan a --out x` `tournament plan --nothing` `--release` `--` `target/release/loa --std`\n",
    );
    let unknown = AllKnown::ask().unknown(&page);
    let expected = [
        "README.md:1: --seeds in `--seeds N`",
        "README.md:2: --verbose in `reference [--cost=X] [--verbose]`",
        "README.md:3: --nothing in `tournament plan --nothing`",
        "README.md:3: --std in `target/release/loa --std`",
    ];
    assert_eq!(unknown, expected);
}
