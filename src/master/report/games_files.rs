//! The data of all games: scripts for the pages, and one compressed file with all transcripts to take away.
//!
//! A page that is opened from a folder can load scripts, but nothing else. Large data in a script is JSON, compressed by
//! gzip and written in base 64; `records.js` unpacks it. A game's number in the store decides which file it is in, so that
//! links stay valid and a new game changes one file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde_json::{Value, json};

use super::Tournament;
use super::film::ShownGame;
use super::folder::SiteFolder;
use super::names::{SHOWN, cut};
use crate::league::clock_rules::ClockRules;
use crate::record::{ChosenBy, GameRecord, Turn, on_a_line, transcript};
use crate::tournament::store::{GameId, Summary};
use kingline::game::Color;
use kingline_players::game_name::GameName;
use kingline_players::review::{
    Mark, MarkCounts, Review, ReviewedMove, accuracy_in_words, better_lines, decisive_move, judgment, of_black,
};
use kingline_players::terminal::{escaped, escaped_json};

/// Numbers of games in one file.
pub(super) const GAMES_A_FILE: i64 = 300;
/// Numbers of games in one list.
const GAMES_A_LIST: i64 = 30 * GAMES_A_FILE;

pub(super) fn file_of(GameId(id): GameId) -> i64 {
    id.div_euclid(GAMES_A_FILE)
}

pub(super) fn list_of(GameId(id): GameId) -> i64 {
    id.div_euclid(GAMES_A_LIST)
}

/// A script that hands `data` to the pages under this name. Text in it can neither end a script element nor break a
/// line or hide.
pub(super) fn script(name: &str, data: &Value) -> String {
    format!("kingline.put(\"{name}\", {});\n", escaped_json(&data.to_string()).replace('<', "\\u003c"))
}

/// A script that hands large data to the pages under this name.
fn packed_script(name: &str, data: &impl Serialize) -> Result<String> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut packed, data)?;
    Ok(script(name, &BASE64_STANDARD.encode(packed.finish()?).into()))
}

#[derive(Serialize)]
struct ListedGame<'a> {
    id: i64,
    round: u32,
    agents: [usize; 2],
    winner: Option<Color>,
    half_points: Option<[u32; 2]>,
    /// Name of its ending in records.
    end: &'a str,
    length: u32,
    faults: u32,
}

impl ListedGame<'_> {
    fn of(game: &Summary) -> ListedGame<'_> {
        ListedGame {
            id: game.id.0,
            round: game.round,
            agents: game.agents,
            winner: game.winner,
            half_points: game.half_points,
            end: &game.reason,
            length: game.turns,
            faults: game.faults.iter().sum(),
        }
    }
}

/// Writes a list of games, and returns its name.
pub(super) fn write_list(folder: &mut SiteFolder, games: &[&Summary]) -> Result<String> {
    let name = format!("list-{}", list_of(games[0].id));
    let file = format!("data/{name}.js");
    folder.write(&file, &packed_script(&name, &games.iter().map(|game| ListedGame::of(game)).collect::<Vec<_>>())?)?;
    Ok(file)
}

/// A game as its page shows it. Times are in microseconds unless steps of the clock are named.
#[derive(Serialize)]
struct GameOnPage<'a> {
    #[serde(flatten)]
    listed: ListedGame<'a>,
    pairing: u32,
    /// As text, since scripts round numbers of this size.
    seed: String,
    verdict: String,
    tier: &'a str,
    budgets: [Option<u64>; 2],
    left: [Option<u64>; 2],
    /// Number of random turns before those of the agents.
    random: usize,
    /// Reason why the boards cannot be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    start: Option<&'a str>,
    turns: Vec<TurnOnPage>,
    /// The game as PDN or SGF.
    transcript: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<Value>,
}

#[derive(Serialize)]
struct TurnOnPage {
    side: Color,
    /// The move as agents write it, or as it was recorded in a game that cannot be replayed.
    #[serde(rename = "move")]
    mv: Option<String>,
    /// Missing in a random turn. CPU and wall time are in steps of the clock.
    #[serde(flatten)]
    agents: Option<AgentsTurn>,
}

#[derive(Serialize)]
struct AgentsTurn {
    cpu: u64,
    wall: u64,
    /// Time left after the turn, where the clock gives another.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<Option<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultOnPage>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Serialize)]
struct FaultOnPage {
    kind: String,
    read: String,
    expected: String,
    /// True if the referee moved at random instead.
    replaced: bool,
}

impl AgentsTurn {
    /// A turn of a side that had so much time left before; sets what it has left after it.
    fn of(turn: &Turn, clock: &ClockRules, left: &mut Option<Duration>) -> AgentsTurn {
        let step = clock.resolution.as_nanos().max(1);
        let [cpu, wall] = [turn.spent.cpu, turn.spent.wall].map(|time| (time.as_nanos() / step) as u64);
        let fault = turn.fault.as_ref().map(|fault| FaultOnPage {
            kind: fault.kind.to_string(),
            read: shown(&fault.read, SHOWN),
            expected: shown(&fault.expected, SHOWN),
            replaced: turn.chosen_by == ChosenBy::Referee,
        });
        let notes = turn.notes.iter().map(|note| shown(note, 3 * SHOWN)).collect();
        let charged = clock.charged(clock.counts.of(&turn.spent));
        let computed = left.map(|left| left.saturating_sub(charged));
        *left = turn.left;
        let left = (turn.left != computed).then(|| turn.left.map(micros));
        AgentsTurn { cpu, wall, left, fault, notes }
    }
}

fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}

/// Text from agents with its invisible characters escaped, at most this long.
fn shown(text: &str, longest: usize) -> String {
    cut(&escaped(&on_a_line(text)), longest)
}

/// The turns of a game, random ones first. Scripts compute boards and clocks.
fn turns(record: &GameRecord, film: Option<&ShownGame>, clock: &ClockRules) -> Vec<TurnOnPage> {
    let opening = record.opening.iter().map(|mv| (None, Some(mv)));
    let all = opening.chain(record.turns.iter().map(|turn| (Some(turn), turn.mv.as_ref())));
    let (mut moves, mut left) = (0, record.budgets);
    let mut side = film.map_or(Color::Black, |film| film.first);
    let turn = |(turn, mv): (Option<&Turn>, Option<&String>)| {
        let own = turn.map_or(side, |turn| turn.side);
        side = !own;
        moves += usize::from(mv.is_some());
        let mv = mv.map(|mv| film.map_or_else(|| shown(mv, SHOWN), |film| film.moves[moves - 1].clone()));
        let agents = turn.map(|turn| AgentsTurn::of(turn, clock, &mut left[own.index()]));
        TurnOnPage { side: own, mv, agents }
    };
    all.map(turn).collect()
}

/// The review: Black's chances in thousandths before each move and after the last, and in words after each move; marks
/// and judgments of the moves that have one, by index; and what is below the turns.
fn review_on_page(review: &Review) -> Value {
    let chances = review.chances_of_black().into_iter().map(|chances| (chances * 1000.0).round() as u32);
    let marks = review.moves.iter().enumerate().filter_map(|(index, mv)| {
        let mark = mv.mark.filter(|&mark| mark != Mark::Forced)?;
        Some(json!([index, Mark::class(Some(mark)), mark.sign(), mark.to_string(), judgment(mv), lines_of(mv)]))
    });
    let sides = Color::ALL.map(|side| {
        let counts = MarkCounts::of(review, side).numbers();
        json!([accuracy_in_words(review.accuracy[side.index()]), counts])
    });
    json!({
        "chances": chances.collect::<Vec<u32>>(),
        "after": review.moves.iter().map(of_black).collect::<Vec<String>>(),
        "marks": marks.collect::<Vec<Value>>(),
        "sides": sides,
        "turning": review.turning_point.zip(decisive_move(review)),
        "nodes": review.nodes,
    })
}

/// The better line and the one that follows the move, each with its name.
fn lines_of(mv: &ReviewedMove) -> Vec<String> {
    let lines = ["Better", "Now"].into_iter().zip(better_lines(mv)).filter(|(_, line)| !line.is_empty());
    lines.map(|(name, line)| format!("{name}: {}.", line.join(" "))).collect()
}

/// The games of one file, collected for writing.
pub(super) struct GamesFile {
    number: i64,
    games: Vec<Value>,
    transcripts: GzEncoder<Vec<u8>>,
}

impl GamesFile {
    pub(super) fn new(number: i64) -> GamesFile {
        let transcripts = GzEncoder::new(Vec::new(), Compression::default());
        GamesFile { number, games: Vec::new(), transcripts }
    }

    /// Adds the next game. A game that cannot be replayed has no transcript.
    pub(super) fn add(
        &mut self,
        tournament: &Tournament,
        summary: &Summary,
        record: &GameRecord,
        review: Option<&Review>,
    ) -> Result<()> {
        let film = ShownGame::of(record);
        let transcript = transcript::write(record).ok();
        if let Some(text) = &transcript {
            self.transcripts.write_all(text.as_bytes())?;
            self.transcripts.write_all(b"\n")?;
        }
        self.games.push(serde_json::to_value(GameOnPage {
            listed: ListedGame::of(summary),
            pairing: summary.pairing,
            seed: record.seed.to_string(),
            verdict: shown(&record.verdict_in_words(), 4 * SHOWN),
            tier: &record.tier,
            budgets: record.budgets.map(|time| time.map(micros)),
            left: record.left.map(|time| time.map(micros)),
            random: record.opening.len(),
            error: film.as_ref().err().map(|error| shown(&format!("{error:#}"), SHOWN)),
            start: film.as_ref().ok().map(|film| &*film.boards[0]),
            turns: turns(record, film.as_ref().ok(), &tournament.league.clock),
            transcript,
            review: review.filter(|review| !review.moves.is_empty()).map(review_on_page),
        })?);
        Ok(())
    }

    /// Writes the script; returns the compressed transcripts.
    pub(super) fn write(self, folder: &mut SiteFolder) -> Result<Vec<u8>> {
        let name = format!("games-{}", self.number);
        folder.write(&format!("data/{name}.js"), &packed_script(&name, &self.games)?)?;
        self.into_transcripts()
    }

    pub(super) fn into_transcripts(self) -> Result<Vec<u8>> {
        Ok(self.transcripts.finish()?)
    }
}

pub(super) fn archive_name(game: GameName) -> String {
    format!("games.{}.gz", transcript::extension(game))
}

/// Copies a member of the earlier compressed file, the transcripts of one file of games, into the new one. Such files
/// may be joined in this way.
pub(super) fn copy_member(earlier: &Path, offset: u64, length: u64, file: &mut impl Write) -> io::Result<()> {
    let mut earlier = File::open(earlier)?;
    earlier.seek(SeekFrom::Start(offset))?;
    io::copy(&mut earlier.take(length), file).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let data = serde_json::json!({ "name": "</script><!--\u{2028}\u{202e}\"\\" });
        let expected = "kingline.put(\"x\", {\"name\":\"\\u003c/script>\\u003c!--\\u2028\\u202e\\\"\\\\\"});\n";
        assert_eq!(script("x", &data), expected);
    }
}
