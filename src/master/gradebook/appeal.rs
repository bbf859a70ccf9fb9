//! Everything about one mark, to defend or to correct it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use anyhow::{Context, Result};

use super::report::{fence, plain};
use crate::check::ShownBoard;
use crate::exam::{Answered, Asked, Exam, ExamStore, Mark, Terms};
use crate::intake::agent::Agent;
use crate::league::clock_rules::Spent;
use crate::record::{Evidence, FoundFile, GameRecord, Replay, transcript};
use crate::referee::players::limits;
use kingline::checkers::Position;
use kingline::draw::Paint;
use kingline::game::Color;
use kingline_players::protocol::turn_files::{INPUT, Mode, OUTPUT, PLAYDATA, TurnRequest};

const VERDICT: &str = "verdict.md";
const STDERR: &str = "stderr.txt";

/// Everything known about one mark: files by name, the verdict first.
#[derive(Clone, Debug)]
pub(crate) struct Appeal {
    /// Names and contents. What an agent wrote has its bytes as they were.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// The turn that decided: the only one of a single move, the last of a game.
struct DecidingTurn {
    request: TurnRequest,
    spent: Spent,
    /// 1-based number in a game, counting both sides.
    number: Option<usize>,
}

impl Appeal {
    /// Collects everything about an agent's mark for a question of an exam. `again` are the commands that ask it again.
    ///
    /// # Errors
    /// A recorded game is damaged. `None` if the agent has no answer, at least not with its present files.
    pub(crate) fn collect(
        (store, terms): &(ExamStore, Terms),
        exam: &Exam,
        agent: &Agent,
        question: usize,
        again: &str,
    ) -> Result<Option<Appeal>> {
        let answers = store.answers(agent);
        let Some(mark) = exam.mark(question, answers) else { return Ok(None) };
        let Some((asked, answer)) = deciding(exam, question, answers) else { return Ok(None) };
        let turn = match (asked, answer) {
            (Asked::Move(question), Answered::Move(answer)) => {
                Some(DecidingTurn { request: question.request.clone(), spent: answer.spent, number: None })
            }
            (Asked::Game(game), Answered::Game(answer)) => last_turn(game.side, &answer.record)?,
            _ => None,
        };
        let (mut files, mut notes) = (Vec::new(), Vec::new());
        match &turn {
            Some(turn) => {
                notes.push(format!("`{INPUT}`: as the agent got it"));
                files.push((INPUT.to_owned(), turn.request.to_string().into_bytes()));
            }
            None => notes.push("the agent had no turn in this game".to_owned()),
        }
        match answer.evidence() {
            Some(evidence) => {
                for (name, file) in [(PLAYDATA, &evidence.playdata), (OUTPUT, &evidence.output)] {
                    match file {
                        FoundFile::Content(bytes) => files.push((name.to_owned(), bytes.0.clone())),
                        FoundFile::Missing(why) => notes.push(format!("no `{name}`: {}", plain(why))),
                    }
                }
                files.push((STDERR.to_owned(), evidence.stderr.0.clone()));
                notes.push(format!(
                    "`{PLAYDATA}` is from before the turn, `{OUTPUT}` and `{STDERR}` from after it, byte by byte; a line \
                     in the middle counts the bytes that are left out of a long file"
                ));
            }
            None => notes.push("the store does not have what the agent found and left in this turn".to_owned()),
        }
        for (name, record) in mark.saved_games() {
            notes.push(format!("`{name}`: the whole game"));
            files.push((name, transcript::write(record)?.into_bytes()));
        }
        if let [_, _, ..] = mark.records[..] {
            notes.push(
                "the other files are those of the last game that was not won, or else of the last game".to_owned(),
            );
        }
        let verdict = verdict(terms, agent, &mark, turn.as_ref(), answer.evidence(), &notes, again)?;
        files.insert(0, (VERDICT.to_owned(), verdict.into_bytes()));
        Ok(Some(Appeal { files }))
    }
}

/// The answer that decided a question: the only one or, of a threshold, the last game that was not won.
fn deciding<'a>(
    exam: &'a Exam,
    question: usize,
    answers: &'a BTreeMap<usize, Answered>,
) -> Option<(Asked<'a>, &'a Answered)> {
    let given = answers.range(exam.answers_to(question));
    let given: Vec<_> = given.filter_map(|(&index, answer)| Some((exam.asked_by(index)?, answer))).collect();
    let is_won = |asked: &Asked, answer: &Answered| match (asked, answer) {
        (Asked::Game(game), Answered::Game(answer)) => game.halves(&answer.record) == 2,
        _ => false,
    };
    let not_won = given.iter().rev().find(|(asked, answer)| !is_won(asked, answer));
    not_won.or(given.last()).copied()
}

fn verdict(
    terms: &Terms,
    agent: &Agent,
    mark: &Mark,
    turn: Option<&DecidingTurn>,
    evidence: Option<&Evidence>,
    notes: &[String],
    again: &str,
) -> Result<String> {
    let (points, of) = (mark.points, mark.of);
    let mut text = format!("# {}, {}: {points} of {of} points\n\n", plain(&agent.name), plain(&mark.name()));
    let _ = writeln!(text, "{}\n", plain(&mark.result));
    text += "| | |\n| --- | --- |\n";
    let mut row = |what: &str, words: String| {
        let _ = writeln!(text, "| {what} | {} |", plain(&words));
    };
    if let Some(turn) = turn {
        let left = turn.request.left;
        let wall = limits(&terms.course.league()?, left).wall;
        turn.number.into_iter().for_each(|number| row("turn", number.to_string()));
        row("CPU time", of_limit(turn.spent.cpu, left));
        row("wall time", of_limit(turn.spent.wall, wall));
    }
    if let Some(evidence) = evidence {
        row("end of the program", evidence.ended.clone());
    }
    row("CPU time is measured by", terms.measurement.clone());
    row("files of the agent", agent.hash.clone());
    row("seed, secret until all are graded", terms.seed.to_string());
    text.push('\n');
    mark.notes.iter().for_each(|note| {
        let _ = writeln!(text, "Note, not a fault: {}\n", plain(note));
    });
    match (&mark.lost, turn) {
        (Some(lost), _) => fence(&mut text, "", &lost.in_words(Paint::Plain)),
        (None, Some(turn)) => fence(&mut text, "", &ShownBoard::Checkers(turn.request.position).draw(Paint::Plain)),
        (None, None) => {}
    }
    text += "## Files\n\n";
    notes.iter().for_each(|note| {
        let _ = writeln!(text, "- {note}");
    });
    text += "\n## To ask again\n\nThe same question with the same seed; a question in a game asks for the whole game, a threshold for all of its games:\n\n";
    fence(&mut text, "sh", again);
    text.truncate(text.trim_end().len());
    Ok(text + "\n")
}

fn of_limit(time: Duration, limit: Duration) -> String {
    format!("{:.3} s of {:.3} s", time.as_secs_f64(), limit.as_secs_f64())
}

/// The last turn of a side in a game, if it had any.
fn last_turn(side: Color, record: &GameRecord) -> Result<Option<DecidingTurn>> {
    let mut own = record.turns.iter().enumerate().filter(|(_, turn)| turn.side == side);
    let Some((place, turn)) = own.next_back() else { return Ok(None) };
    let replay = Replay::<Position>::of(record).context("the recorded game")?;
    let ply = record.opening.len() + place;
    let position = *replay.positions.get(ply).context("the recorded game has too few moves")?;
    let left = own.next_back().map_or(record.budgets[side.index()], |(_, before)| before.left);
    let request = TurnRequest { mode: Mode::Game, left: left.unwrap_or_default(), position, warnings: Vec::new() };
    Ok(Some(DecidingTurn { request, spent: turn.spent, number: Some(ply + 1) }))
}
