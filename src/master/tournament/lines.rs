//! The text format of plans and results: one line of JSON per agent or game.

use std::collections::HashMap;
use std::fmt::Debug;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::array::Shard;
use super::differences::differences;
use super::error::TournamentError;
use crate::league::League;
use crate::record::GameRecord;
use crate::tournament::schedule::{PlannedGame, TournamentRules};
use crate::tournament::store::{Store, StoredAgent};

/// Version of the format.
const FORMAT: u32 = 1;

/// One line of a plan or of results, as JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PlanLine {
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
struct PlanHead {
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
struct NamedGame {
    round: u32,
    pairing: u32,
    opening: u32,
    black: String,
    white: String,
    seed: u64,
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
        match Sheet::read_part(path)? {
            (sheet, Reach::End) => Ok(sheet),
            (_, Reach::Cut(line)) => {
                let what = "found the end of the file, expected its last line: the file is incomplete";
                Err(TournamentError::Line(path.to_owned(), line + 1, what.to_owned()))
            }
        }
    }

    /// Reads the complete lines of a file; there must be at least one.
    pub(super) fn read_part(path: &Path) -> Result<(Sheet, Reach), TournamentError> {
        let bytes = fs::read(path).map_err(TournamentError::file("read", path))?;
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
        let mut reader = LineReader { path, number: 0, indexes: HashMap::new() };
        let mut sheet = reader.head(lines.next().unwrap_or_default())?;
        while let Some(line) = lines.next().filter(|line| line.ends_with(b"\n")) {
            if reader.add(line, &mut sheet)? {
                reader.number += 1;
                return match lines.next() {
                    None => Ok((sheet, Reach::End)),
                    Some(line) => Err(reader.expected("the end of the file", line)),
                };
            }
        }
        Ok((sheet, Reach::Cut(reader.number)))
    }

    /// Checks that `bytes` is the beginning of a plan or of results, or part of a first line that a killed program left
    /// incomplete.
    pub(super) fn check_start(path: &Path, bytes: &[u8]) -> Result<(), TournamentError> {
        const START: &[u8] = b"{\"tournament\":{\"format\":";
        let mut reader = LineReader { path, number: 0, indexes: HashMap::new() };
        match bytes.split_inclusive(|&byte| byte == b'\n').next() {
            Some(line) if line.ends_with(b"\n") => reader.head(line).map(drop),
            Some(cut) if !cut.starts_with(START) && !START.starts_with(cut) => {
                reader.number = 1;
                Err(reader.expected("the first line of results\nhelp: name another file, or move this one away", cut))
            }
            _ => Ok(()),
        }
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

/// A reader that parses and checks one line at a time.
struct LineReader<'a> {
    path: &'a Path,
    /// Number of lines read.
    number: usize,
    /// Indexes of the agents by name.
    indexes: HashMap<String, usize>,
}

impl LineReader<'_> {
    fn head(&mut self, bytes: &[u8]) -> Result<Sheet, TournamentError> {
        let PlanLine::Tournament(head) = self.parse(bytes)? else {
            return Err(self.expected("the first line of a plan or of results", bytes));
        };
        if head.format != FORMAT || head.games == 0 || head.games % 2 == 1 {
            return Err(self.expected(&format!("lines of format {FORMAT} and an even number of games"), bytes));
        }
        let rules = TournamentRules { pairing: head.league.pairing, games: head.games, seed: head.seed };
        Ok(Sheet { league: head.league, rules, shard: head.shard, agents: Vec::new(), entries: Vec::new() })
    }

    /// Adds a line. Returns true if it was the last.
    fn add(&mut self, bytes: &[u8], sheet: &mut Sheet) -> Result<bool, TournamentError> {
        let (place, record) = match self.parse(bytes)? {
            PlanLine::Tournament(_) => return Err(self.expected("an agent, a game or the end", bytes)),
            PlanLine::Agent(agent) => {
                if self.indexes.insert(agent.name.clone(), sheet.agents.len()).is_some() {
                    return Err(self.expected("an agent that is not listed yet", bytes));
                }
                sheet.agents.push(agent);
                return Ok(false);
            }
            PlanLine::End(lines) if lines + 1 == self.number => return Ok(true),
            PlanLine::End(_) => {
                return Err(self.expected(&format!("the end after {} lines", self.number - 1), bytes));
            }
            PlanLine::Game(place) => (place, None),
            PlanLine::Played(place, record) => (place, Some(*record)),
        };
        let known = |name: &str| self.indexes.get(name).copied();
        let (Some(black), Some(white)) = (known(&place.black), known(&place.white)) else {
            return Err(self.expected("a game between agents listed on earlier lines", bytes));
        };
        let NamedGame { round, pairing, opening, seed, .. } = place;
        let game = PlannedGame { round, pairing, opening, agents: [black, white], seed };
        sheet.entries.push(SheetGame { line: self.number, game, record });
        Ok(false)
    }

    fn parse(&mut self, bytes: &[u8]) -> Result<PlanLine, TournamentError> {
        self.number += 1;
        serde_json::from_slice(bytes)
            .map_err(|error| self.expected(&format!("a line of a plan or of results ({error})"), bytes))
    }

    fn expected(&self, what: &str, bytes: &[u8]) -> TournamentError {
        let found = kingline::game::ParseError::new(String::from_utf8_lossy(bytes).trim_end(), what);
        TournamentError::Line(self.path.to_owned(), self.number, found.to_string())
    }
}
