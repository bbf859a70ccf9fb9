//! The text format of plans and results: one line of JSON per agent or game.

use std::collections::HashMap;
use std::fmt::Debug;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::array::Shard;
use super::differences::differences;
use super::error::TournamentError;
use super::sheet_reader::SheetReader;
use crate::league::League;
use crate::record::GameRecord;
use crate::tournament::schedule::{PlannedGame, TournamentRules};
use crate::tournament::store::{Store, StoredAgent};

/// Version of the format.
const FORMAT: u32 = 1;

/// One line of a plan or of results, as JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PlanLine {
    /// The first line: the tournament.
    Tournament(Box<PlanHead>),
    /// An agent that takes part.
    Agent(StoredAgent),
    /// A game to be played.
    Game(NamedGame),
    /// A game that was played.
    Played(NamedGame, Box<GameRecord>),
    /// The last line: the number of lines before it.
    End(usize),
}

/// First line of a file: the tournament that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PlanHead {
    format: u32,
    kingline: String,
    league: League,
    games: u32,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<Shard>,
}

/// A game with the names of its agents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NamedGame {
    pub(super) round: u32,
    pub(super) pairing: u32,
    pub(super) opening: u32,
    pub(super) black: String,
    pub(super) white: String,
    pub(super) seed: u64,
}

/// Contents of a plan or of a file of results.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) league: League,
    pub(super) rules: TournamentRules,
    /// Shard that the results belong to; `None` in a plan.
    pub(super) shard: Option<Shard>,
    pub(super) agents: Vec<StoredAgent>,
    pub(super) entries: Vec<SheetGame>,
}

/// A game in a plan or in results.
#[derive(Clone, Debug)]
pub(super) struct SheetGame {
    /// 1-based line number.
    pub(super) line: usize,
    pub(super) game: PlannedGame,
    /// The record of the game; `None` if it is still to be played.
    pub(super) record: Option<GameRecord>,
}

/// Point up to which a file is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// The file is complete.
    End,
    /// The file is cut off after the line with the given 1-based number.
    Cut(usize),
}

impl Sheet {
    /// Returns the tournament of a store, without games.
    pub(super) fn of(store: &Store) -> Result<Sheet, TournamentError> {
        let (league, rules, agents) = (store.league().clone(), *store.rules(), store.agents()?);
        Ok(Sheet { league, rules, shard: None, agents, entries: Vec::new() })
    }

    /// Reads a complete file.
    pub(super) fn read(path: &Path) -> Result<Sheet, TournamentError> {
        let (mut reader, mut sheet) = SheetReader::open(path)?;
        while let Some(game) = reader.game()? {
            sheet.entries.push(game);
        }
        reader.is_complete().map(|()| sheet)
    }

    /// Reads the complete lines of a file; there must be at least one.
    pub(super) fn read_part(path: &Path) -> Result<(Sheet, Reach), TournamentError> {
        let (mut reader, mut sheet) = SheetReader::open(path)?;
        while let Some(game) = reader.game()? {
            sheet.entries.push(game);
        }
        Ok((sheet, reader.reach()))
    }

    /// Checks that `bytes` is the beginning of a plan or of results, or part of a first line that a killed program left
    /// incomplete.
    pub(super) fn check_start(path: &Path, bytes: &[u8]) -> Result<(), TournamentError> {
        const START: &[u8] = b"{\"tournament\":{\"format\":";
        match bytes.split_inclusive(|&byte| byte == b'\n').next() {
            Some(line) if line.ends_with(b"\n") => Sheet::of_head(path, line).map(drop),
            Some(cut) if !cut.starts_with(START) && !START.starts_with(cut) => {
                let what = "the first line of results\nhelp: name another file, or move this one away";
                Err(expected(path, 1, what, cut))
            }
            _ => Ok(()),
        }
    }

    /// Reads the first line of a file.
    pub(super) fn of_head(path: &Path, bytes: &[u8]) -> Result<Sheet, TournamentError> {
        let PlanLine::Tournament(head) = parse(path, 1, bytes)? else {
            return Err(expected(path, 1, "the first line of a plan or of results", bytes));
        };
        if head.format != FORMAT || head.games == 0 || head.games % 2 == 1 {
            let what = format!("lines of format {FORMAT} and an even number of games");
            return Err(expected(path, 1, &what, bytes));
        }
        let rules = TournamentRules { pairing: head.league.pairing, games: head.games, seed: head.seed };
        Ok(Sheet { league: head.league, rules, shard: head.shard, agents: Vec::new(), entries: Vec::new() })
    }

    /// Describes the first sign that `other` belongs to another tournament, if there is one.
    pub(super) fn difference(&self, other: &Sheet) -> Option<String> {
        let differs =
            |what: &str, here: &dyn Debug, there: &dyn Debug| format!("its {what} is {there:?}, not {here:?}");
        if self.league != other.league {
            let name = |sheet: &Sheet| sheet.league.name.clone();
            return Some(if name(self) == name(other) {
                let differs = differences(&other.league, &self.league).join("; ").replace(" as requested", "");
                format!("its league {} has different rules or clocks: {differs}", other.league.name)
            } else {
                differs("league", &self.league.name, &other.league.name)
            });
        }
        if self.rules.seed != other.rules.seed {
            return Some(differs("seed", &self.rules.seed, &other.rules.seed));
        }
        // A plan made before the number of games grew is still part of this tournament.
        if self.rules.games < other.rules.games {
            return Some(differs("number of games", &self.rules.games, &other.rules.games));
        }
        let hashes: HashMap<&str, &str> = self.agents.iter().map(|agent| (&*agent.name, &*agent.hash)).collect();
        other.agents.iter().find_map(|agent| match hashes.get(&*agent.name) {
            None => Some(format!("its agent {:?} is not in this tournament", agent.name)),
            Some(hash) if *hash != agent.hash => Some(format!("its agent {:?} has different files", agent.name)),
            Some(_) => None,
        })
    }

    /// Returns the lines that precede the games.
    pub(super) fn top(&self) -> io::Result<Vec<u8>> {
        let head = PlanHead {
            format: FORMAT,
            kingline: env!("CARGO_PKG_VERSION").to_owned(),
            league: self.league.clone(),
            games: self.rules.games,
            seed: self.rules.seed,
            shard: self.shard,
        };
        let mut bytes = line(&PlanLine::Tournament(Box::new(head)))?;
        for agent in &self.agents {
            bytes.extend(line(&PlanLine::Agent(agent.clone()))?);
        }
        Ok(bytes)
    }

    /// Returns the line of a game.
    pub(super) fn game(&self, game: &PlannedGame, record: Option<&GameRecord>) -> io::Result<Vec<u8>> {
        let [black, white] = game.agents.map(|agent| self.agents[agent].name.clone());
        let &PlannedGame { round, pairing, opening, seed, .. } = game;
        let place = NamedGame { round, pairing, opening, black, white, seed };
        line(&match record {
            None => PlanLine::Game(place),
            Some(record) => PlanLine::Played(place, Box::new(record.clone())),
        })
    }

    /// Returns the last line of a file, which `lines` other lines precede.
    pub(super) fn end(lines: usize) -> io::Result<Vec<u8>> {
        line(&PlanLine::End(lines))
    }
}

fn line(line: &PlanLine) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Parses line `number` of a file.
pub(super) fn parse(path: &Path, number: usize, bytes: &[u8]) -> Result<PlanLine, TournamentError> {
    serde_json::from_slice(bytes)
        .map_err(|error| expected(path, number, &format!("a line of a plan or of results ({error})"), bytes))
}

/// Returns the error about line `number` of a file, which has other content than `what`.
pub(super) fn expected(path: &Path, number: usize, what: &str, bytes: &[u8]) -> TournamentError {
    let found = kingline::game::ParseError::new(String::from_utf8_lossy(bytes).trim_end(), what);
    TournamentError::Line(path.to_owned(), number, found.to_string())
}
