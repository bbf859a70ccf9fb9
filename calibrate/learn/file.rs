//! How are the records of games kept in a file?
//!
//! A file begins with 256 bytes of text, which say what is in it, a line each, padded with blanks and an LF; then come
//! the records, whole games one after the other. A killed run leaves at most one broken game at the end, which the next
//! run removes.
//!
//! ```text
//! kingline games 1
//! game checkers
//! seed 1                   or: several
//! shard 3/8                or: merged
//! nodes 3000               or: several
//! evaluation 0123456789abcdef   the checksum of its weights, or: hand-written, or: several
//! ```
//!
//! In a shard the games are in the order of their numbers, which count from 0. In a merged file each has the number
//! that [`Header::id`] gives it: numbers of several seeds would mean several games.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `writer` | how games are added, by one run after another |
//! | `reader` | how they are read back, also from a damaged file |

mod reader;
mod writer;

use std::fmt;
use std::path::Path;

pub(crate) use reader::{Fault, GameReader, Games, Passed, read};
pub(crate) use writer::GameWriter;

use super::mix;
use super::record::RECORD_BYTES;

const HEADER_BYTES: usize = 256;
/// The first line.
const FORMAT: &str = "kingline games 1";
/// Bytes of the longest game, and more.
const LONGEST_GAME: u64 = (RECORD_BYTES as u64) << 10;

/// What a file says of the games in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) game: String,
    /// None: games of several seeds.
    pub(crate) seed: Option<u64>,
    /// Shard `shard.0` of `shard.1`, from 1; none: a merged file.
    pub(crate) shard: Option<(u32, u32)>,
    /// Of a search; none: several.
    pub(crate) nodes: Option<u64>,
    /// What played them: a name or a checksum, or `several`.
    pub(crate) evaluation: String,
}

const SEVERAL: &str = "several";
const MERGED: &str = "merged";

impl Header {
    /// That of a merged file of games from both; they are of the same game.
    pub(crate) fn merged_with(&self, other: &Header) -> Header {
        let same = self.evaluation == other.evaluation;
        Header {
            game: self.game.clone(),
            seed: self.seed.filter(|_| self.seed == other.seed),
            shard: None,
            nodes: self.nodes.filter(|_| self.nodes == other.nodes),
            evaluation: if same { self.evaluation.clone() } else { SEVERAL.to_owned() },
        }
    }

    /// What distinguishes the game with this number in a file of this header from games of other seeds. It has 32 bits:
    /// two games may have the same, but only by chance.
    pub(crate) fn id(&self, game: u32) -> u32 {
        match (self.shard, self.seed) {
            (Some(_), Some(seed)) => (mix(seed, game) >> 32) as u32,
            // It was given when the file was merged.
            _ => game,
        }
    }

    /// What a file begins with.
    pub(crate) fn to_text(&self) -> String {
        let text = format!("{FORMAT}\n{}", self.lines().map(|(name, value)| format!("{name} {value}\n")).concat());
        let blanks = HEADER_BYTES.saturating_sub(text.len() + 1);
        text + &" ".repeat(blanks) + "\n"
    }

    /// Names and values.
    pub(crate) fn lines(&self) -> [(&'static str, String); 5] {
        let Header { game, seed, shard, nodes, evaluation } = self;
        let number = |number: &Option<u64>| number.map_or(SEVERAL.to_owned(), |number| number.to_string());
        let shard = shard.map_or(MERGED.to_owned(), |(number, of)| format!("{number}/{of}"));
        [
            ("game", game.clone()),
            ("seed", number(seed)),
            ("shard", shard),
            ("nodes", number(nodes)),
            ("evaluation", evaluation.clone()),
        ]
    }

    fn parse(text: &str) -> Option<Header> {
        let number = |text: &str| if text == SEVERAL { Some(None) } else { text.parse().ok().map(Some) };
        let shard = |text: &str| {
            let (number, of) = text.split_once('/')?;
            Some((number.parse().ok()?, of.parse().ok()?))
        };
        let mut lines = text.lines();
        (lines.next()? == FORMAT).then_some(())?;
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        Some(Header {
            game: field("game")?.to_owned(),
            seed: number(field("seed")?)?,
            shard: match field("shard")? {
                MERGED => None,
                text => Some(shard(text)?),
            },
            nodes: number(field("nodes")?)?,
            evaluation: field("evaluation")?.to_owned(),
        })
    }
}

impl fmt::Display for Header {
    /// `game checkers, seed 1, shard 1/1, nodes 3000, evaluation hand-written`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().map(|(name, value)| format!("{name} {value}")).join(", "))
    }
}

fn not_ours(path: &Path) -> String {
    format!("{}: found something else, expected a file of games that begins with \"{FORMAT}\"", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_round_trip() {
        let shard = Header {
            game: "checkers".to_owned(),
            seed: Some(u64::MAX),
            shard: Some((3, 8)),
            nodes: Some(3000),
            evaluation: "hand-written".to_owned(),
        };
        let merged = shard.merged_with(&Header { seed: Some(2), evaluation: "other".to_owned(), ..shard.clone() });
        assert_eq!(merged.to_string(), "game checkers, seed several, shard merged, nodes 3000, evaluation several");
        for header in [shard, merged] {
            assert_eq!(header.to_text().len(), HEADER_BYTES);
            assert_eq!(Header::parse(&header.to_text()), Some(header));
        }
    }
}
