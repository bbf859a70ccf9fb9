//! Steps about an agent's files: budgets of all sizes, and data that is missing, stale or garbage.

use std::time::Duration;

use super::bench::TurnFilesBench;
use super::step::StepResult;
use crate::exam::samples;
use kingline::checkers::{Diagram, Position};
use kingline::game::{Game, LineError};
use kingline_players::protocol::turn_files::{CALIBRATION, Mode, OUTPUT, PLAYDATA, TurnRequest};

/// A step about an agent's files.
pub(super) struct FileStep {
    pub(super) section: &'static str,
    pub(super) title: &'static str,
    pub(super) step: fn(&mut TurnFilesBench) -> anyhow::Result<StepResult>,
    /// Reason why a failure is unwise rather than wrong: the contract excludes the situation.
    pub(super) unwise: Option<&'static str>,
}

type Step = fn(&mut TurnFilesBench) -> anyhow::Result<StepResult>;

const fn required(section: &'static str, title: &'static str, step: Step) -> FileStep {
    FileStep { section, title, step, unwise: None }
}

const fn wise(section: &'static str, title: &'static str, step: Step, unwise: &'static str) -> FileStep {
    FileStep { section, title, step, unwise: Some(unwise) }
}

const DELETED: &str = "not required: the master deletes playdata.txt before a game";

pub(super) const STEPS: [FileStep; 9] = [
    required("§2", "it reads seconds in every form that a master writes", forms_of_seconds),
    required("§2", "in a game it answers in time with budgets from 300 s down to 0.01 s", budgets_of_games),
    required(
        "§2",
        "for a single move it answers in time with budgets from 1 s down to 0.01 s",
        budgets_of_single_moves,
    ),
    wise(
        "§2",
        "playdata.txt may be missing in the middle of a game",
        no_playdata,
        "not required: the master keeps it, though the agent may be killed before it writes it",
    ),
    required("§2", "it copes with its own playdata.txt from an earlier turn", own_playdata),
    wise("§3", "playdata.txt from another game does no harm", stale_playdata, DELETED),
    wise(
        "§3",
        "garbage in playdata.txt does no harm",
        garbage_in_playdata,
        "not required: only the agent writes playdata.txt, though it may be killed while writing",
    ),
    wise(
        "§3",
        "it replaces the output.txt from an earlier turn",
        stale_output,
        "not required: the master deletes a stale output.txt",
    ),
    wise(
        "§2",
        "it plays without calibration.txt",
        no_calibration,
        "not required: the master runs calibrate before the first game, though it may fail",
    ),
];

/// A middlegame position from a sample.
const MIDDLE: &str = samples::TEN_MILLISECONDS;
/// A middlegame position from another game: the contract's second example.
const OTHER: &str = samples::DOUBLE_JUMP;
/// Seconds left where the time does not matter.
const EASY: f64 = 30.0;

fn position(input: &str) -> Result<Position, LineError> {
    TurnRequest::parse(input).map(|request| request.position)
}

fn forms_of_seconds(bench: &mut TurnFilesBench) -> anyhow::Result<StepResult> {
    const FORMS: [&str; 8] = ["300", "300.0", "299.93", "293.68", "100.0", "6.6", "5.63999999999997", "0.9"];
    let position = Position::start();
    let mut found = StepResult::did(format!("asked for a game's first turn with {}", FORMS.join(", ")));
    for text in FORMS {
        bench.reset()?;
        let input = format!("GAME\nBLACK\n{text}\n{}", Diagram(&position));
        let left = Duration::from_secs_f64(text.parse()?);
        let asked = bench.turn(format!("GAME, BLACK, {text} s"), &input, &position, left)?;
        bench.add(&mut found, &asked, left);
        if found.is_stuck() {
            break;
        }
    }
    Ok(found)
}

fn budgets_of_games(bench: &mut TurnFilesBench) -> anyhow::Result<StepResult> {
    budgets(bench, Mode::Game, Position::start(), &[300.0, 30.0, 5.2, 1.0, 0.1, 0.03, 0.01, 0.01, 0.01])
}

fn budgets_of_single_moves(bench: &mut TurnFilesBench) -> anyhow::Result<StepResult> {
    budgets(bench, Mode::Single, position(MIDDLE)?, &[1.0, 0.1, 0.03, 0.01, 0.01, 0.01])
}

fn budgets(bench: &mut TurnFilesBench, mode: Mode, position: Position, seconds: &[f64]) -> anyhow::Result<StepResult> {
    let listed: Vec<String> = seconds.iter().map(f64::to_string).collect();
    let mut found = StepResult::did(format!("asked with {} s", listed.join(", ")));
    for &left in seconds {
        bench.ask_after_reset(&mut found, mode, position, left)?;
        if found.is_stuck() {
            break;
        }
    }
    Ok(found)
}

fn no_playdata(bench: &mut TurnFilesBench) -> anyhow::Result<StepResult> {
    let mut found = StepResult::did(format!("asked for a turn in the middle of a game, without {PLAYDATA}"));
    bench.ask_after_reset(&mut found, Mode::Game, position(MIDDLE)?, EASY)?;
    Ok(found)
}

fn own_playdata(bench: &mut TurnFilesBench) -> anyhow::Result<StepResult> {
    let mut found = StepResult::did(format!("asked for two turns of one game, the second with its own {PLAYDATA}"));
    bench.reset()?;
    let start = Position::start();
    let first = bench.ask("", Mode::Game, start, EASY)?;
    first.add_to(&mut found);
    if let Ok(mv) = first.answer.mv {
        let after = start.play(mv);
        let replies = after.legal_moves();
        let position = after.play(replies[0]);
        bench.ask("the second turn: ", Mode::Game, position, EASY)?.add_to(&mut found);
    }
    Ok(found)
}

fn stale_playdata(bench: &mut TurnFilesBench) -> anyhow::Result<StepResult> {
    let did = format!("asked for turns of several games, as both sides, each with the {PLAYDATA} from the game before");
    let mut found = StepResult::did(did);
    bench.ask_after_reset(&mut found, Mode::Game, Position::start(), EASY)?;
    for position in [position(OTHER)?, position(MIDDLE)?.flipped(), Position::start()] {
        if found.is_stuck() {
            break;
        }
        bench.ask("after a turn of another game: ", Mode::Game, position, EASY)?.add_to(&mut found);
    }
    Ok(found)
}

fn garbage_in_playdata(bench: &mut TurnFilesBench) -> anyhow::Result<StepResult> {
    let long = "9".repeat(100_000);
    let garbage: [(&str, &[u8]); 5] = [
        ("nothing", b""),
        ("a line ending", b"\n"),
        ("words", b"not what it wrote\nnan\n-1\n"),
        ("invalid UTF-8", b"\xff\xfe\x00\x80\n\x00\xc3"),
        ("100000 digits", long.as_bytes()),
    ];
    let names: Vec<&str> = garbage.iter().map(|(name, _)| *name).collect();
    let mut found = StepResult::did(format!("asked with a {PLAYDATA} that contains {}", names.join(", ")));
    for (name, bytes) in garbage {
        bench.reset()?;
        bench.player.cell().write(PLAYDATA, bytes)?;
        let asked = bench.ask(&format!("{PLAYDATA} contains {name}: "), Mode::Game, position(MIDDLE)?, EASY)?;
        asked.add_to(&mut found);
        if found.is_stuck() {
            break;
        }
    }
    Ok(found)
}

/// Asks for a second turn while output.txt still contains the first one.
fn stale_output(bench: &mut TurnFilesBench) -> anyhow::Result<StepResult> {
    const MOST: usize = 1 << 12;
    let mut found =
        StepResult::did(format!("asked for two turns, the second with the first one's {OUTPUT} still in place"));
    bench.reset()?;
    if !bench.ask("", Mode::Game, Position::start(), EASY)?.add_to(&mut found) {
        return Ok(found);
    }
    let before = bench.player.cell().read(OUTPUT, MOST).ok();
    let second = position(OTHER)?;
    let left = Duration::from_secs_f64(EASY);
    let input = TurnRequest { mode: Mode::Game, left, position: second, warnings: Vec::new() }.to_string();
    let mut asked = bench.turn("the second turn:", &input, &second, left)?;
    if before.is_some() && bench.player.cell().read(OUTPUT, MOST).ok() == before {
        asked.asked = format!("the second turn; {OUTPUT} is unchanged since the first:");
    }
    asked.add_to(&mut found);
    Ok(found)
}

fn no_calibration(bench: &mut TurnFilesBench) -> anyhow::Result<StepResult> {
    let mut found = StepResult::did(format!("asked without {CALIBRATION}"));
    bench.reset()?;
    bench.player.cell().remove(CALIBRATION)?;
    bench.ask("", Mode::Single, position(MIDDLE)?, EASY)?.add_to(&mut found);
    Ok(found)
}
