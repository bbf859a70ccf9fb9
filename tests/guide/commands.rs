//! The commands of the pages are run as they stand there, and print what the pages show.

use std::collections::BTreeSet;
use std::path::Path;

use super::cargo::Package;
use super::checkout::{Checkout, End, Extent, Run};
use super::exceptions::{EXCEPTIONS, Exceptions, Long, NotRun};
use super::pages::{Page, made_up, root};
use super::steps::{Step, matches, steps};
use crate::support::command::{Dir, Program};
use crate::support::skipped::skipped;

/// Programs of the system that commands need: a word of the command, and a program.
const NEEDED: &[(&str, &str)] = &[("class", "gcc"), ("class", "python3"), ("python3", "python3")];

/// A test for each page, so that a failure names it.
macro_rules! pages {
    ($($test:ident: $page:literal,)*) => {
        const PAGES: &[&str] = &[$($page),*];
        $(
            #[test]
            fn $test() {
                run_page($page);
            }
        )*
    };
}

pages! {
    readme: "README.md",
    class: "src/guide/class.md",
    display: "src/guide/display.md",
    endings: "src/guide/endings.md",
    figures: "src/guide/figures.md",
    formats: "src/guide/formats.md",
    learning: "src/guide/learning.md",
    loa: "src/guide/loa.md",
    master: "src/guide/master.md",
    sandbox: "src/guide/sandbox.md",
    scripts: "src/guide/scripts.md",
    solved: "src/guide/solved.md",
    tournaments: "src/guide/tournaments.md",
    turns: "src/guide/turns.md",
    samples: "samples/README.md",
    slurm: "samples/slurm/README.md",
}

fn run_page(name: &str) {
    let page = Page::read(name);
    if let Some(missing) = missing_here(&page) {
        return skipped(&format!("the commands of {name}"), &missing);
    }
    check(&page, &EXCEPTIONS).unwrap_or_else(|why| panic!("{why}"));
}

/// What this machine lacks for a page's commands.
fn missing_here(page: &Page) -> Option<String> {
    let package = Package::of_this_repository();
    let steps = steps(page).ok()?;
    let commands: Vec<String> = steps.iter().map(|step| plain(step, &package)).collect();
    let lacks =
        |program: &str| !["/usr/local/bin", "/usr/bin", "/bin"].iter().any(|at| Path::new(at).join(program).exists());
    let mut needed = NEEDED.iter().filter(|(word, _)| commands.iter().any(|command| command.contains(word)));
    if let Some((_, program)) = needed.find(|(_, program)| lacks(program)) {
        return Some(format!("there is no {program} here"));
    }
    if commands.iter().all(|command| !command.starts_with("master ")) {
        return None;
    }
    let doctor = Dir::new().run_with_args(Program::Master, &["doctor"]).stdout;
    let official = doctor.contains("Nothing is missing");
    (!official).then(|| format!("results of this machine are not official: {doctor}"))
}

/// Runs all commands of a page, one after another.
///
/// # Errors
/// The first one that fails or prints something else, where it stands, and what it printed.
fn check(page: &Page, exceptions: &Exceptions) -> Result<(), String> {
    let package = Package::of_this_repository();
    let steps = steps(page)?;
    let checkout = Checkout::new(steps.iter().map(|step| step.command.as_str()));
    for step in &steps {
        let at = |why: &str| format!("{}:{}: {}\n{why}", page.name, step.line, step.command);
        let start = std::time::Instant::now();
        check_step(step, &package, &checkout, exceptions).map_err(|why| at(&why))?;
        println!("{}", at(&format!("  took {:.1} s", start.elapsed().as_secs_f64())));
    }
    Ok(())
}

fn check_step(step: &Step, package: &Package, checkout: &Checkout, exceptions: &Exceptions) -> Result<(), String> {
    if ["cd", "export"].contains(&step.command.split(' ').next().unwrap_or_default()) {
        return Err("each command has a shell of its own, at the top: the next ones would not see this".to_owned());
    }
    let plain = plain(step, package);
    let command = match exceptions.not_run(&plain) {
        Some(NotRun { why, instead, .. }) => {
            println!("  not run, {why}; but {instead}");
            (*instead).to_owned()
        }
        None => package.without_cargo(&step.command)?,
    };
    let long = exceptions.long(&plain);
    let run = checkout.run(&command, if long.is_some() { Extent::FirstSeconds } else { Extent::ToTheEnd });
    judge(step, &run).map_err(|why| format!("{why}\nstdout:\n{}stderr:\n{}", run.stdout, run.stderr))?;
    for (name, source) in long.map_or(&[][..], |long| long.leaves) {
        checkout.add(name, &root().join(source));
    }
    Ok(())
}

/// The command as the tables of exceptions have it: one of `cargo` by the program that it runs.
fn plain(step: &Step, package: &Package) -> String {
    // A wrong one is told when it is run, if it is.
    let command = package.without_cargo(&step.command).unwrap_or_else(|_| step.command.clone());
    command.strip_prefix("target/release/").unwrap_or(&command).to_owned()
}

fn judge(step: &Step, run: &Run) -> Result<(), String> {
    let shown = step.output.as_deref();
    match run.end {
        End::Stopped => return Ok(()),
        End::Exit(0) => {}
        // What goes wrong on purpose shows it.
        End::Exit(_) if shown.is_some_and(|lines| !lines.is_empty()) => {}
        ref end => return Err(format!("{end:?}, expected exit code 0")),
    }
    // On a terminal both come together, and which one first is not known.
    let Run { stdout, stderr, .. } = run;
    let outputs = [stdout.clone(), format!("{stdout}{stderr}"), format!("{stderr}{stdout}")];
    match shown {
        Some(shown) if !outputs.iter().any(|output| matches(shown, output)) => {
            Err(format!("the page shows other output:\n{}", shown.join("\n")))
        }
        _ => Ok(()),
    }
}

#[test]
fn every_page_with_commands_is_run() {
    let with_commands: BTreeSet<String> = Page::all()
        .into_iter()
        .filter(|page| !steps(page).unwrap_or_else(|why| panic!("{why}")).is_empty())
        .map(|page| page.name)
        .collect();
    let run: BTreeSet<String> = PAGES.iter().map(|&page| page.to_owned()).collect();
    let forgotten: Vec<&String> = with_commands.difference(&run).collect();
    assert!(forgotten.is_empty(), "add these to the list of this test: {forgotten:?}");
}

#[test]
fn every_exception_is_needed() {
    let package = Package::of_this_repository();
    let pages = Page::all();
    let steps = pages.iter().flat_map(|page| steps(page).unwrap_or_else(|why| panic!("{why}")));
    let commands: Vec<String> = steps.map(|step| plain(&step, &package)).collect();
    let unused: Vec<&str> =
        EXCEPTIONS.prefixes().filter(|prefix| !commands.iter().any(|command| command.starts_with(prefix))).collect();
    assert!(unused.is_empty(), "no page has a command that begins so: {unused:?}");
}

/// A table for pages that are not in the repository.
const MADE_UP: Exceptions = Exceptions {
    long: &[Long { prefix: "sleep", leaves: &[("left", "Cargo.toml")] }],
    not_run: &[NotRun { prefix: "rm -rf", why: "nobody should", instead: "touch instead" }],
};

#[test]
fn right_commands_pass() {
    let text = "```sh\ncargo build --release --features master\nsleep 60\ngrep -q kingline left # what sleep left\n\
                cp target/release/loa6 mine/homework\nrm -rf /nothing && false\ntest -e instead\n\
                cargo run --release --bin loa6 < samples/loa6/start.request > answer\ntest -s answer\n```\n\n\
                ```console\n$ loa6 < samples/loa6/win-in-three.request\nB1C2\n$ echo out && echo err >&2\nout\nerr\n\
                $ homework nowhere\nhomework: ...nowhere/input.txt: ...\n$ loa < samples/loa/2020-tie.in\n...\n===\n...\n```\n";
    check(&made_up(text), &MADE_UP).expect("right commands");
}

#[test]
fn wrong_commands_and_outputs_are_found() {
    for (block, expected) in [
        ("sh\ntrue\n\nfalse", "README.md:5: false\nExit(1), expected exit code 0"),
        ("sh\nloa8", "not found"),
        ("sh\nhomework --frugality 1", "unexpected argument '--frugality'"),
        ("sh\ncargo run --bin loa8", "there is no bin \"loa8\""),
        ("sh\ntrue && cargo build --release", "knows cargo at the start of a command alone"),
        ("sh\nsleep x", "Exit(1), expected exit code 0"),
        ("sh\ncd samples", "a shell of its own"),
        ("sh\nkill -KILL $$", "Signal(9), expected exit code 0"),
        (
            "console\n$ loa6 < samples/loa6/win-in-three.request\nB1C3",
            "the page shows other output:\nB1C3\nstdout:\nB1C2",
        ),
        ("console\n$ false", "Exit(1), expected exit code 0"),
        ("console\n$ echo a\n$ true", "README.md:3: echo a\nthe page shows other output"),
        ("bash\ntrue", "a block of \"bash\""),
    ] {
        let why = check(&made_up(&format!("\n```{block}\n```\n")), &MADE_UP).expect_err(block);
        assert!(why.contains(expected), "{block}: {why}");
    }
}
