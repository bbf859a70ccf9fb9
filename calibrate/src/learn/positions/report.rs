//! Report on game files.

use std::fmt;
use std::path::PathBuf;

use serde::{Serialize, Serializer};

use super::census::Census;
use super::outputs::Written;
use crate::learn::file::{Fault, Header};
use kingline_players::terminal::in_thousands;

/// Contents of the files that were read, and the files that were written.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) files: Vec<FileReport>,
    /// Counts over all files.
    pub(super) all: Census,
    pub(super) written: Vec<Written>,
}

/// Contents of a file.
#[derive(Serialize)]
pub(super) struct FileReport {
    pub(super) path: PathBuf,
    #[serde(serialize_with = "as_object")]
    pub(super) header: Header,
    #[serde(flatten)]
    pub(super) census: Census,
    /// Damaged records before the broken tail.
    #[serde(rename = "damaged")]
    pub(super) faults: Vec<Fault>,
}

/// Serializes the fields of a header as an object.
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
        /// Largest number of listed faults.
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
