//! Checks of a program that plays 8x8 Lines of Action by text commands.

use std::fmt::Write;
use std::time::Duration;

use anyhow::Result;

use super::Subject;
use super::common::{left_behind, some_turns};
use super::finding::{Finding, ShownBoard};
use super::scripts::{Automatic, EDITION_2015, EDITION_2020, Edition, Script, ScriptOutput, expected, parse_output};
use super::walk::{StepResult, Walk};
use crate::league::Protocol;
use crate::referee::players::{ConsolePlayer, last_words};
use crate::sandbox::{Cell, JobEnd, Output, Run};
use kingline::game::{Color, Game};
use kingline::loa::{Move, Position};

/// Time limit for a script without automatic moves.
const QUICK: Duration = Duration::from_secs(20);
const STARTS: &str = "it starts, and ends with status 0 at quit";
/// Subject of most findings.
const OUTPUT: &str = "its relevant output:";
const MOST: usize = 1 << 20;

struct ConsoleBench<'a> {
    subject: Subject<'a>,
    cell: Cell,
    edition: &'static Edition,
}

pub(super) fn walk(walk: &mut Walk, subject: Subject) -> Result<()> {
    let Subject { workspace, league, contestant } = subject;
    let cell = workspace.cell(Color::Black, &league.limits, contestant)?;
    let edition = if league.protocol == Protocol::Console2015 { &EDITION_2015 } else { &EDITION_2020 };
    let mut bench = ConsoleBench { subject, cell, edition };
    if let JobEnd::NotStarted(why) = bench.run("quit\n", QUICK)?.end {
        let finding = Finding::plain("the program:", why, "a program that runs here");
        walk.done("§2", STARTS, StepResult::did("started it").wrong(finding));
        walk.skip("§3", "all other steps", "the program cannot be started");
        return Ok(());
    }
    walk.step("§2", STARTS, || bench.ends("quit\n"))?;
    walk.step("§2", "it ends with status 0 at the end of its input", || bench.ends(""))?;
    walk.steps(edition.scripts, |script| bench.script(script))?;
    walk.step("§3", "an automatic side moves on its turn", || bench.automatic(&edition.one_side))?;
    if let Some(both) = &edition.both_sides {
        walk.step("§3", "both sides move automatically, up to the limit", || bench.automatic(both))?;
    }
    let seeded = edition.both_sides.as_ref().unwrap_or(&edition.one_side);
    walk.step("§3", "the same seed gives the same moves", || bench.seed(seeded))?;
    drop(bench);
    left_behind(walk, "§2", subject, &[], "quit\n")?;
    walk.games("§5", |side| {
        let cell = workspace.cell(Color::Black, &league.limits, contestant)?;
        let mut player = ConsolePlayer::new(contestant, league, cell);
        some_turns::<Position<8>>(league, side, &mut player, ShownBoard::Loa)
    })
}

impl ConsoleBench<'_> {
    /// Sends a complete script at once and waits for the program to end, at most for `within`.
    fn run(&mut self, script: &str, within: Duration) -> Result<Run> {
        let Subject { league, contestant, .. } = self.subject;
        let limits = league.limits.of_job(None, within);
        let (input, output) = (script.as_bytes().to_vec(), Output::Keep { bytes: MOST });
        Ok(self.cell.run(&contestant.job(&self.cell, &contestant.agent().player, input, output, limits))?)
    }

    fn output_of(&self, run: &Run) -> ScriptOutput {
        parse_output(&String::from_utf8_lossy(&run.stdout), &String::from_utf8_lossy(&run.stderr), self.edition.counts)
    }

    fn ends(&mut self, script: &str) -> Result<StepResult> {
        let run = self.run(script, QUICK)?;
        let mut found = did(script, &run);
        if run.end != JobEnd::Exited(0) {
            let read = format!("{}{}", run.end, last_words(&run));
            found = found.wrong(Finding::plain("the end of the program:", read, "exit code 0"));
        }
        Ok(found)
    }

    /// Checks the output of a script without automatic moves.
    fn script(&mut self, script: Script) -> Result<StepResult> {
        let (Script::Events(lines) | Script::Errors(lines) | Script::Prompts(lines)) = script;
        let run = self.run(lines, QUICK)?;
        let (stdout, stderr) = expected(self.edition.dialect, lines)?;
        let (read, right) = (self.output_of(&run), parse_output(&stdout, &stderr, self.edition.counts));
        let mut found = did(lines, &run);
        if let Script::Prompts(_) = script {
            if read.prompts != right.prompts {
                let (read, right) =
                    (format!("{} prompts", read.prompts), format!("{} prompts, one before each line", right.prompts));
                found = found.wrong(Finding::plain("its prompts:", read, right));
            }
            return Ok(found);
        }
        if let Some((read, right)) = first_difference(&read.events, &right.events) {
            found = found.wrong(Finding::plain(OUTPUT, format!("{read}{}", how_it_ended(&run)), right));
        }
        if matches!(script, Script::Errors(_)) && read.errors.len() != right.errors.len() {
            let count = |errors: &[String]| format!("{} `Error: ...` lines on standard error", errors.len());
            let expected = format!("{}, like\n{}", count(&right.errors), right.errors.join("\n"));
            let read = format!("{}{}", count(&read.errors), how_it_ended(&run));
            found = found.wrong(Finding::plain("its errors:", read, expected));
        }
        Ok(found)
    }

    /// Checks that the automatic moves in a script are legal, and that playing them by hand gives the same output.
    fn automatic(&mut self, automatic: &Automatic) -> Result<StepResult> {
        let script = automatic.script;
        let run = self.run(script, self.time_for(automatic.moves))?;
        let mut found = did(script, &run);
        let mut events = self.output_of(&run).events.into_iter().peekable();
        let mut position = Position::<8>::start();
        let mut by_hand = automatic.before.to_owned();
        for mv in automatic.manual {
            position = position.play(position.parse_move(mv)?);
        }
        for _ in 0..automatic.moves {
            let read = events.next().unwrap_or_else(|| "no move".to_owned());
            let Some(mv) = read.strip_prefix(self.mark(position.turn())).and_then(|mv| as_written(&position, mv))
            else {
                let expected = format!("a legal move, in a line like {}a2-c2", self.mark(position.turn()));
                let finding = Finding::plain(OUTPUT, format!("{read}{}", how_it_ended(&run)), expected);
                return Ok(found.wrong(finding.with(Some(ShownBoard::Loa(position)))));
            };
            writeln!(by_hand, "{mv}")?;
            position = position.play(mv);
            if position.outcome().is_some() {
                break;
            }
        }
        let (stdout, _) = expected(self.edition.dialect, &(by_hand + automatic.after))?;
        let right = parse_output(&stdout, "", self.edition.counts).events;
        if let Some((read, right)) = first_difference(&events.collect::<Vec<_>>(), &right) {
            let finding = Finding::plain(OUTPUT, format!("{read}{}", how_it_ended(&run)), right);
            found = found.wrong(finding.with(Some(ShownBoard::Loa(position))));
        }
        Ok(found)
    }

    fn seed(&mut self, automatic: &Automatic) -> Result<StepResult> {
        let script = format!("seed 42\n{}", automatic.script);
        let mut found = StepResult::did("");
        let mut seen = Vec::new();
        for _ in 0..2 {
            let run = self.run(&script, self.time_for(automatic.moves))?;
            found.did = format!("twice {}", did(&script, &run).did);
            found.ran(&run);
            if found.is_stuck() {
                let read = format!("it did not end{}", how_it_ended(&run));
                return Ok(found.wrong(Finding::plain(OUTPUT, read, "the same output, twice")));
            }
            seen.push(self.output_of(&run).events);
        }
        if let Some((second, first)) = first_difference(&seen[1], &seen[0]) {
            let (second, first) = (format!("the second time {second}"), format!("as the first time {first}"));
            found = found.wrong(Finding::plain(OUTPUT, second, first));
        }
        Ok(found)
    }

    fn time_for(&self, moves: usize) -> Duration {
        let clock = &self.subject.league.clock;
        let turn = clock.turn.unwrap_or(clock.patience);
        turn.saturating_mul(u32::try_from(moves).unwrap_or(u32::MAX)).saturating_add(QUICK)
    }

    /// Prefix of an automatic move in the output.
    fn mark(&self, side: Color) -> &'static str {
        self.edition.marks[side.index()]
    }
}

fn did(script: &str, run: &Run) -> StepResult {
    let mut found = StepResult::did(format!("gave it the lines {}", script.trim_end().replace('\n', " / ")));
    found.ran(run);
    found
}

/// Describes the end of a run, if that may explain missing output.
fn how_it_ended(run: &Run) -> String {
    if run.end == JobEnd::Exited(0) { String::new() } else { format!("; {}{}", run.end, last_words(run)) }
}

/// The first entry that differs, as read and as expected.
fn first_difference(read: &[String], right: &[String]) -> Option<(String, String)> {
    let index = (0..read.len().max(right.len())).find(|&index| read.get(index) != right.get(index))?;
    let shown = |list: &[String]| match list.get(index) {
        Some(entry) => visible(entry),
        None if index == 0 => "nothing".to_owned(),
        None => "nothing more".to_owned(),
    };
    Some((shown(read), shown(right)))
}

fn visible(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let bare = line.trim_end_matches(' ');
        bare.to_owned() + &"\u{b7}".repeat(line.len() - bare.len())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The legal move that is `text` in the contract's notation.
fn as_written(position: &Position<8>, text: &str) -> Option<Move> {
    position.legal_moves().into_iter().find(|mv| mv.to_string() == text)
}
