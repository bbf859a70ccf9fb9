//! Options that the pages name.

use std::collections::BTreeSet;

use super::Page;
use crate::support::help::{long_options, with_commands};
use crate::support::programs::Program;

/// Options of `cargo`, test programs, Slurm, HyperQueue and `systemd-run`.
const OTHERS: &str = "--all-features --features --ignored --locked --no-default-features --no-deps --nocapture --offline \
    --open --path --profile --release --target --test --test-threads --workspace --bin --array --requeue --wait --user \
    --scope";

#[test]
fn every_option_on_the_pages_exists() {
    let commands = Program::ALL.into_iter().flat_map(|program| with_commands((program, Vec::new())));
    let mut known: BTreeSet<String> = commands.flat_map(|command| long_options(&command)).collect();
    known.extend(OTHERS.split(' ').map(str::to_owned));
    let mut unknown = Vec::new();
    for page in Page::all() {
        let words = page.text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
        let options = words.filter(|word| word.starts_with("--") && word[2..].starts_with(char::is_alphabetic));
        unknown
            .extend(options.filter(|option| !known.contains(*option)).map(|option| format!("{}: {option}", page.name)));
    }
    assert!(unknown.is_empty(), "no program has these options:\n{}", unknown.join("\n"));
}
