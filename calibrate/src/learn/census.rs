//! Contents of game files, and the report on them.

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;

use kingline::game::Color;
use kingline_players::terminal::in_thousands;
use serde::{Serialize, Serializer};

use super::file::Header;
use super::game::View;
use super::reader::{Fault, Skipped};
use super::record::{GameResult, Record};

/// Counts over the positions of one or more files.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct Census {
    /// Complete games.
    pub(super) games: u64,
    /// Games that Black won.
    pub(super) won_by_black: u64,
    /// Games that White won.
    pub(super) won_by_white: u64,
    /// Drawn games.
    pub(super) drawn: u64,
    /// Positions.
    pub(super) positions: u64,
    /// Number of positions that also occur earlier, in this file or a previous one.
    pub(super) duplicates: u64,
    /// Positions by the number of pieces.
    pub(super) phases: Vec<PhaseCensus>,
    /// Number of records that were skipped because their game has a damaged record.
    pub(super) lost: u64,
    /// Number of bytes after the last complete game.
    pub(super) broken_tail: u64,
}

/// Counts over the positions with some numbers of pieces.
#[derive(Clone, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct PhaseCensus {
    /// Name of the phase: its range of pieces.
    pub(super) pieces: String,
    /// Positions.
    pub(super) positions: u64,
    /// Positions with level material.
    pub(super) level: u64,
    /// Number of positions in which neither side can capture.
    pub(super) quiet: u64,
    /// Positions that are both.
    pub(super) level_and_quiet: u64,
}

impl Census {
    /// Returns a census with all counts 0.
    pub(super) fn new(view: &View) -> Census {
        let phase = |pieces| PhaseCensus { pieces, ..PhaseCensus::default() };
        Census { phases: view.phase_names().into_iter().map(phase).collect(), ..Census::default() }
    }

    /// Counts a game. `is_new` tells for each of its positions whether it has not occurred before.
    pub(super) fn count(&mut self, game: &[Record], is_new: &[bool], view: &View) {
        self.games += 1;
        *match game.last().map(|record| (record.result, record.turn)) {
            None | Some((GameResult::Drawn, _)) => &mut self.drawn,
            Some((GameResult::Won, Color::Black) | (GameResult::Lost, Color::White)) => &mut self.won_by_black,
            Some((GameResult::Won, Color::White) | (GameResult::Lost, Color::Black)) => &mut self.won_by_white,
        } += 1;
        for (record, is_new) in game.iter().zip(is_new) {
            self.positions += 1;
            self.duplicates += u64::from(!is_new);
            let pieces = record.pieces.map(u64::count_ones).iter().sum();
            let phase = &mut self.phases[view.phase(pieces)];
            let (level, quiet) = ((view.is_level)(record.pieces), !record.captures && !record.threatened);
            phase.positions += 1;
            phase.level += u64::from(level);
            phase.quiet += u64::from(quiet);
            phase.level_and_quiet += u64::from(level && quiet);
        }
    }

    pub(super) fn skip(&mut self, skipped: &Skipped) {
        self.lost += skipped.records;
        self.broken_tail += skipped.tail;
    }
}

/// Set of positions: pieces and turn.
#[derive(Default)]
pub(super) struct Seen(HashSet<([u64; 2], Color)>);

impl Seen {
    pub(super) fn contains(&self, record: &Record) -> bool {
        self.0.contains(&(record.pieces, record.turn))
    }

    /// Inserts a position. Returns true if it is new.
    pub(super) fn insert(&mut self, record: &Record) -> bool {
        self.0.insert((record.pieces, record.turn))
    }
}

/// Contents of game files: the output of `calibrate positions --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "Positions"))]
pub(crate) struct Report {
    /// The files that were read.
    pub(super) files: Vec<FileReport>,
    /// Counts over all files.
    pub(super) all: Census,
    /// The files that were written.
    pub(super) written: Vec<Written>,
}

/// Contents of a file.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct FileReport {
    /// Path.
    pub(super) path: PathBuf,
    /// Header of the file: game, seed, shard, nodes of each search, and evaluation, which is a checksum of the weights.
    #[serde(serialize_with = "as_object")]
    #[cfg_attr(feature = "schemas", schemars(with = "std::collections::BTreeMap<String, String>"))]
    pub(super) header: Header,
    #[serde(flatten)]
    pub(super) census: Census,
    /// Damaged records before the broken tail.
    #[serde(rename = "damaged")]
    pub(super) faults: Vec<Fault>,
}

/// A written file.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct Written {
    /// Path.
    pub(super) path: PathBuf,
    /// Games.
    pub(super) games: u64,
    /// Positions.
    pub(super) positions: u64,
}

fn as_object<S: Serializer>(header: &Header, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(header.lines())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut blocks: Vec<String> = self.files.iter().map(ToString::to_string).collect();
        if self.files.len() > 1 {
            blocks.push(format!("in all, {} files\n{}", self.files.len(), self.all));
        }
        let written = |Written { path, games, positions }: &Written| {
            let [games, positions] = [*games, *positions].map(in_thousands);
            format!("{}: {games} games, {positions} positions written", path.display())
        };
        blocks.extend(self.written.iter().map(written));
        f.write_str(&blocks.join("\n"))
    }
}

impl fmt::Display for FileReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LISTED: usize = 10;
        let FileReport { path, header, census, faults } = self;
        write!(f, "{}\n  {header}\n{census}", path.display())?;
        faults.iter().take(LISTED).try_for_each(|fault| write!(f, "\n  damaged: {fault}"))?;
        if faults.len() > LISTED { write!(f, "\n  damaged: {} more", faults.len() - LISTED) } else { Ok(()) }
    }
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |count: u64, all: u64| {
            format!("{} ({:.1} %)", in_thousands(count), 100.0 * count as f64 / all.max(1) as f64)
        };
        let [black, white, drawn] =
            [self.won_by_black, self.won_by_white, self.drawn].map(|count| of(count, self.games));
        writeln!(f, "  {} games: Black won {black}, White won {white}, drawn {drawn}", in_thousands(self.games))?;
        let duplicates = of(self.duplicates, self.positions);
        writeln!(f, "  {} positions, duplicates {duplicates}", in_thousands(self.positions))?;
        write!(f, "  {:<12} {:>12} {:>12} {:>12} {:>12}", "pieces", "positions", "level", "quiet", "level, quiet")?;
        for phase in &self.phases {
            let counts = [phase.positions, phase.level, phase.quiet, phase.level_and_quiet].map(in_thousands);
            let [positions, level, quiet, both] = counts;
            write!(f, "\n  {:<12} {positions:>12} {level:>12} {quiet:>12} {both:>12}", phase.pieces)?;
        }
        if self.lost > 0 {
            write!(f, "\n  {} records skipped, in games with damaged ones", in_thousands(self.lost))?;
        }
        if self.broken_tail > 0 {
            write!(f, "\n  {} bytes of a broken game at the end", in_thousands(self.broken_tail))?;
        }
        Ok(())
    }
}
