//! Transcripts of recorded games for other programs: PDN for checkers, SGF for Lines of Action.

use std::fmt::Write;

use anyhow::Result;

use super::fault::Fault;
use super::game::{EndReason, GameRecord, Turn};
use super::replay::Replay;
use kingline::checkers::{self, pdn};
use kingline::game::{Color, Outcome};
use kingline::loa::{self, sgf};
use kingline_players::game_name::GameName;
use kingline_players::review::AnyRecord;
use kingline_players::terminal::escaped;

/// File extension for transcripts of this game, without the dot.
pub fn extension(game: GameName) -> &'static str {
    match game {
        GameName::Checkers => "pdn",
        GameName::Loa | GameName::Loa6 => "sgf",
    }
}

/// Writes the game as PDN or SGF, with names, result, reason, seed and clocks, but without a date.
///
/// # Errors
/// A recorded move is illegal; the error names the move and the reason.
pub fn write(record: &GameRecord) -> Result<String> {
    Ok(match to_record(record)? {
        AnyRecord::Checkers(game) => game.to_string(),
        AnyRecord::Loa(game) => game.to_string(),
        AnyRecord::Loa6(game) => game.to_string(),
    })
}

/// Returns the game as other parts of the engine read it.
pub(crate) fn to_record(record: &GameRecord) -> Result<AnyRecord> {
    Ok(match record.game {
        GameName::Checkers => AnyRecord::Checkers(to_pdn(record)?),
        GameName::Loa => AnyRecord::Loa(to_sgf(record)?),
        GameName::Loa6 => AnyRecord::Loa6(to_sgf(record)?),
    })
}

fn to_pdn(record: &GameRecord) -> Result<pdn::Record> {
    let replay = Replay::<checkers::Position>::of(record)?;
    let mut game = pdn::Record::new(replay.positions[0]);
    let [black, white] = &record.names;
    for (name, value) in [("Event", &record.league), ("Black", black), ("White", white)] {
        game.set_tag(name, &escaped(value))?;
    }
    for (name, value) in remarks(record) {
        game.set_tag(name, &escaped(&value.join("; ")))?;
    }
    for (&mv, turn) in replay.moves.iter().zip(with_opening(record)) {
        game.push(mv)?;
        turn.and_then(|turn| turn.left).into_iter().for_each(|left| game.set_clock(left));
    }
    game.set_result(result(record));
    Ok(game)
}

fn to_sgf<const N: usize>(record: &GameRecord) -> Result<sgf::Record<N>> {
    let replay = Replay::<loa::Position<N>>::of(record)?;
    let mut game = sgf::Record::new(replay.positions[0]);
    let mut comment = String::new();
    for (name, values) in remarks(record) {
        for value in values {
            writeln!(comment, "{name}: {}", escaped(&value))?;
        }
    }
    let event = escaped(&record.league);
    let players = record.names.each_ref().map(|name| escaped(name));
    game.set_about(sgf::About { event, players, comment: comment.trim_end().to_owned() });
    for (&mv, turn) in replay.moves.iter().zip(with_opening(record)) {
        game.play(mv);
        turn.and_then(|turn| turn.left).into_iter().for_each(|left| game.set_clock(left));
    }
    game.set_result(result(record));
    Ok(game)
}

/// Turn of each move; `None` for moves of the opening.
fn with_opening(record: &GameRecord) -> impl Iterator<Item = Option<&Turn>> {
    record.opening.iter().map(|_| None).chain(record.turns.iter().map(Some))
}

/// Result by the rules of the game; `None` if the game is unfinished.
fn result(record: &GameRecord) -> Option<Outcome> {
    match (&record.verdict.reason, record.verdict.winner) {
        (_, Some(winner)) => Some(Outcome::Win(winner)),
        // §1 of 6x6: there are no draws, so a game without a winner is unfinished.
        (EndReason::Drawn { .. }, None) if record.game != GameName::Loa6 => Some(Outcome::Draw),
        (_, None) => None,
    }
}

/// Further facts about the game: names that serve as PDN tags, each with one or more lines.
fn remarks(record: &GameRecord) -> Vec<(&'static str, Vec<String>)> {
    let one = |value: String| Some(vec![value]);
    let budget = |side: Color| record.budgets[side.index()].and_then(|time| one(format!("{} s", time.as_secs_f64())));
    let faults = record.turns.iter().filter_map(|turn| turn.fault.as_ref()).map(Fault::to_string);
    let notes = record.turns.iter().enumerate().flat_map(|(index, turn)| {
        let number = record.opening.len() + index + 1;
        turn.notes.iter().map(move |note| format!("{} in turn {number}: {note}", turn.side))
    });
    let all = [
        ("Termination", one(record.verdict_in_words())),
        ("BlackTime", budget(Color::Black)),
        ("WhiteTime", budget(Color::White)),
        ("RandomTurns", one(record.opening.len().to_string())),
        ("Seed", one(record.seed.to_string())),
        ("Measured", one(record.tier.clone())),
        ("Faults", Some(faults.collect())),
        ("Notes", Some(notes.collect())),
    ];
    let known = all.into_iter().filter_map(|(name, values)| Some((name, values?)));
    known.filter(|(_, values)| !values.is_empty()).collect()
}
