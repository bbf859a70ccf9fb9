//! Header of a game file.

use std::fmt;
use std::path::Path;

use crate::learn::record::RECORD_BYTES;
use crate::learn::seed::game_seed;

/// Number of bytes in a header.
pub(crate) const HEADER_BYTES: usize = 256;
/// First line of a header.
pub(crate) const FORMAT: &str = "kingline games 1";
/// Size in bytes that no game reaches.
pub(super) const LONGEST_GAME: u64 = (RECORD_BYTES as u64) << 10;

/// Description of the games in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) game: String,
    /// Seed; `None` if the games have different ones.
    pub(crate) seed: Option<u64>,
    /// Shard `shard.0` of `shard.1`, 1-based; `None` for a merged file.
    pub(crate) shard: Option<(u32, u32)>,
    /// Nodes per search; `None` if the games have different numbers.
    pub(crate) nodes: Option<u64>,
    /// Evaluation that played: a name, a checksum, or `several`.
    pub(crate) evaluation: String,
}

const SEVERAL: &str = "several";
const MERGED: &str = "merged";

impl Header {
    /// Returns the header of a merged file with games from both files, which must be of the same game.
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

    /// Returns a number that distinguishes a game from those of other seeds, given its number in a file with this
    /// header. It has 32 bits, so two games may share it by chance.
    pub(crate) fn id(&self, game: u32) -> u32 {
        match (self.shard, self.seed) {
            (Some(_), Some(seed)) => (game_seed(seed, game) >> 32) as u32,
            // The merge has already assigned this number.
            _ => game,
        }
    }

    /// Returns the text of the header.
    pub(crate) fn to_text(&self) -> String {
        let text = format!("{FORMAT}\n{}", self.lines().map(|(name, value)| format!("{name} {value}\n")).concat());
        let blanks = HEADER_BYTES.saturating_sub(text.len() + 1);
        text + &" ".repeat(blanks) + "\n"
    }

    /// Returns the names and values of the fields.
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

    /// Parses the text at the beginning of a file; `None` if it is not a header.
    pub(super) fn parse(text: &str) -> Option<Header> {
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
    /// Writes `game checkers, seed 1, shard 1/1, nodes 3000, evaluation hand-written`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().map(|(name, value)| format!("{name} {value}")).join(", "))
    }
}

/// Returns the error for a file that does not begin with a header.
pub(super) fn not_ours(path: &Path) -> String {
    format!("{}: found something else, expected a game file, which begins with \"{FORMAT}\"", path.display())
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
