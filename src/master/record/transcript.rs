//! Recorded games as positions, as transcripts for other programs (PDN for checkers, SGF for Lines of Action), and in the
//! notation of agents.

use std::fmt::Write;
use std::str::FromStr;

use anyhow::{Context, Result};
use jiff::Timestamp;

use super::fault::Fault;
use super::game::{EndReason, GameRecord, Turn};
use kingline::checkers::{self, Route, pdn};
use kingline::draw::Board;
use kingline::game::{Color, Game, Outcome, ParseError, Rules};
use kingline::loa::{self, sgf};
use kingline_players::game_name::GameName;
use kingline_players::protocol::request;
use kingline_players::review::AnyRecord;
use kingline_players::terminal::escaped;

/// File extension for transcripts of this game, without the dot.
pub fn extension(game: GameName) -> &'static str {
    match game {
        GameName::Checkers => "pdn",
        GameName::Loa | GameName::Loa6 => "sgf",
    }
}

/// Writes the game as PDN or SGF, with names, result, reason, seed, clocks, and the date if it is known.
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
    game.set_rules(Rules::Course);
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
    let date = |second| Some(Timestamp::from_second(second).ok()?.strftime("%Y.%m.%d").to_string());
    let all = [
        ("Date", record.started.and_then(date).and_then(one)),
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

pub(crate) struct Replay<G: Game> {
    /// Positions before the first move and after each move; never empty.
    pub(crate) positions: Vec<G>,
    pub(crate) moves: Vec<G::Move>,
}

impl<G: Game + FromStr<Err = ParseError>> Replay<G> {
    /// Replays a recorded game.
    ///
    /// # Errors
    /// The start is not a valid position, or a move is illegal for its side. The error names the 1-based turn, counting
    /// the opening.
    pub(crate) fn of(record: &GameRecord) -> Result<Replay<G>> {
        let start: G = record.start.parse().context("the start of the game")?;
        let mut replay = Replay { positions: vec![start], moves: Vec::new() };
        let opening = record.opening.iter().map(|mv| (None, mv));
        let turns = record.turns.iter().filter_map(|turn| Some((Some(turn.side), turn.mv.as_ref()?)));
        let mut position = start;
        for (index, (side, text)) in opening.chain(turns).enumerate() {
            let of_turn = || format!("turn {}", index + 1);
            if side.is_some_and(|side| side != position.turn()) {
                return Err(ParseError::new(text, format!("a move of {}", position.turn()))).with_context(of_turn);
            }
            let mv = position.parse_move(text).with_context(of_turn)?;
            position = position.play(mv);
            replay.positions.push(position);
            replay.moves.push(mv);
        }
        Ok(replay)
    }

    pub(crate) fn last(&self) -> G {
        self.positions[self.positions.len() - 1]
    }
}

/// A game whose moves can be written in the agents' notation.
pub(crate) trait Written: Board + FromStr<Err = ParseError> {
    /// Writes a legal move in the agents' notation or close to it: `a3-b4`, `f6xd4xf2`; `D1B3` for 6x6 Lines of Action.
    fn as_agents_write(&self, mv: Self::Move) -> String;

    /// Adds the notation of records if it differs: `a3-b4 (21-17)`.
    fn with_record(&self, mv: Self::Move) -> String {
        let (agents, record) = (self.as_agents_write(mv), self.notation(mv).to_string());
        if agents == record { agents } else { format!("{agents} ({record})") }
    }
}

impl Written for checkers::Position {
    fn as_agents_write(&self, mv: Self::Move) -> String {
        Route::of(self, mv).to_string()
    }
}

impl<const N: usize> Written for loa::Position<N> {
    /// In 6x6, rows are numbered from the top (§1).
    fn as_agents_write(&self, mv: Self::Move) -> String {
        if N == 6 { request::write_answer(mv).trim_end().to_owned() } else { mv.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::game::Game;

    #[test]
    fn both_notations_are_written_if_they_differ() {
        fn written<G: Written>(position: G, text: &str) -> String {
            position.with_record(position.parse_move(text).unwrap())
        }
        assert_eq!(written(checkers::Position::start(), "9-13"), "b6-a5 (9-13)");
        let jump: checkers::Position = "B:W18,27,30:B14".parse().unwrap();
        assert_eq!(written(jump, "14x32"), "c5xe3xg1 (14x32)");
        assert_eq!(written(loa::Position::<6>::start(), "d6-b4"), "D1B3 (d6-b4)");
        assert_eq!(written(loa::Position::<8>::start(), "b1-b3"), "b1-b3");
    }
}
