//! The file format of strategies, described on the guide's page `solved` (src/players/guide/solved.md).

use std::fmt;

use crate::knowledge::checksum::checksum;

/// Stands for the plies of a position that is not won for the side to move: the other side can at least go on without
/// end. Any number of plies is smaller.
pub const ENDLESS: u8 = 121;

const MAGIC: &[u8; 8] = b"klsolved";
const VERSION: u32 = 3;
/// Size of the header in bytes; the index and the entries follow.
const HEAD: usize = 40;
const SUM: usize = 32;
/// Number of positions that are decoded one after another.
const BLOCK: usize = 64;
/// Size of a block's place in the index: the code of its first position, and the offset of its first entry.
const PLACE: usize = 12;
/// Lengths of a number in bytes, by the two low bits of the byte before it. Of all choices, these make the smallest file.
const LENGTHS: [usize; 4] = [3, 4, 5, 8];
/// Zeros at the end, so that any number can be read as eight bytes.
const PADDING: [u8; 8] = [0; 8];

/// Explains why bytes are not a strategy, with the found and the expected content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenStrategy {
    found: String,
    expected: String,
}

/// Positions of a file, in ascending order of codes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Records<'a> {
    index: &'a [u8],
    entries: &'a [u8],
    pub(super) positions: usize,
    pub(super) fewest: u8,
}

impl<'a> Records<'a> {
    /// Reads and checks a strategy file for this game, whose codes are below `codes`.
    pub(super) fn read(bytes: &'a [u8], game: &str, codes: u64) -> Result<Records<'a>, BrokenStrategy> {
        let broken = |found: String, expected: String| Err(BrokenStrategy { found, expected });
        if bytes.get(..MAGIC.len()) != Some(MAGIC) {
            return broken("something else".into(), "a strategy, which begins with \"klsolved\"".into());
        }
        let Some((head, data)) = bytes.split_at_checked(HEAD) else {
            return broken(format!("{} bytes", bytes.len()), format!("at least {HEAD}"));
        };
        let version = number(&head[8..12]) as u32;
        if version != VERSION {
            return broken(format!("format version {version}"), format!("version {VERSION}"));
        }
        let found = String::from_utf8_lossy(&head[12..20]).trim_end_matches('\0').escape_default().to_string();
        if found != game {
            return broken(format!("a strategy for \"{found}\""), format!("one for \"{game}\""));
        }
        let (sum, written) = (file_sum(head, data), number(&head[SUM..]));
        if sum != written {
            return broken(format!("the checksum {sum:016x}"), format!("{written:016x}, the recorded one"));
        }
        let positions = number(&head[24..32]) as usize;
        let index = positions.div_ceil(BLOCK).checked_mul(PLACE).and_then(|length| data.split_at_checked(length));
        let records = index.map(|(index, entries)| Records { index, entries, positions, fewest: head[20] });
        let (mut count, mut before) = (0, None);
        let mut is_next = |(code, plies): (u64, u8)| {
            count += 1;
            before.replace(code).is_none_or(|before| before < code) && code < codes && plies <= ENDLESS
        };
        let is_ascending = records.is_some_and(|records| records.iter().all(&mut is_next));
        let Some(records) = records.filter(|_| !is_ascending || count == positions) else {
            return broken(format!("{count} positions"), format!("{positions}, the recorded number"));
        };
        if !is_ascending {
            return broken("positions out of order".into(), "each once, ascending".into());
        }
        Ok(records)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = (u64, u8)> + 'a {
        (0..self.positions.div_ceil(BLOCK)).flat_map(move |block| self.block(block))
    }

    pub(super) fn find(self, wanted: u64) -> Option<u8> {
        let (mut low, mut high) = (0, self.positions.div_ceil(BLOCK));
        while low < high {
            let middle = low.midpoint(high);
            if self.first_code(middle) <= wanted { low = middle + 1 } else { high = middle }
        }
        let found = self.block(low.checked_sub(1)?).find(|&(code, _)| code >= wanted);
        found.filter(|&(code, _)| code == wanted).map(|(_, plies)| plies)
    }

    fn first_code(self, block: usize) -> u64 {
        number(&self.index[PLACE * block..][..8])
    }

    fn block(self, block: usize) -> Entries<'a> {
        let at = number(&self.index[PLACE * block..][8..PLACE]) as usize;
        let left = BLOCK.min(self.positions - BLOCK * block);
        Entries { bytes: self.entries.get(at..).unwrap_or_default(), code: self.first_code(block), left }
    }
}

/// Entries of a block from one on. An entry is a byte, with half of the plies above the two bits of a length, and a number
/// of that length: twice the difference to the code before, plus one for odd plies.
struct Entries<'a> {
    bytes: &'a [u8],
    /// Code of the position before, or of the first one.
    code: u64,
    left: usize,
}

impl Iterator for Entries<'_> {
    type Item = (u64, u8);

    #[inline]
    fn next(&mut self) -> Option<(u64, u8)> {
        self.left = self.left.checked_sub(1)?;
        let (&first, rest) = self.bytes.split_first()?;
        let length = LENGTHS[usize::from(first & 3)];
        let step = u64::from_le_bytes(*rest.first_chunk()?) & u64::MAX >> (64 - 8 * length);
        self.bytes = &rest[length..];
        self.code = self.code.saturating_add(step >> 1);
        Some((self.code, (first >> 2) * 2 + (step & 1) as u8))
    }
}

/// Encodes codes and plies of positions, which must be in ascending order, as a file.
pub(super) fn to_bytes(game: &str, fewest: u8, positions: &[(u64, u8)]) -> Vec<u8> {
    let (mut index, mut entries, mut before) = (Vec::new(), Vec::new(), 0);
    for (place, &(code, plies)) in positions.iter().enumerate() {
        debug_assert!(plies <= ENDLESS, "{plies} plies");
        if place % BLOCK == 0 {
            index.extend_from_slice(&code.to_le_bytes());
            index.extend_from_slice(&(entries.len() as u32).to_le_bytes());
            before = code;
        }
        let step = (code - before) << 1 | u64::from(plies & 1);
        let class = LENGTHS.iter().position(|&length| length == 8 || step >> (8 * length) == 0).unwrap_or(3);
        entries.push((plies / 2) << 2 | class as u8);
        entries.extend_from_slice(&step.to_le_bytes()[..LENGTHS[class]]);
        before = code;
    }
    let mut bytes = Vec::with_capacity(HEAD + index.len() + entries.len() + PADDING.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    let mut name = [0; 8];
    name.iter_mut().zip(game.bytes()).for_each(|(place, letter)| *place = letter);
    bytes.extend_from_slice(&name);
    bytes.extend_from_slice(&[fewest, 0, 0, 0]);
    bytes.extend_from_slice(&(positions.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&[0; 8]);
    bytes.extend([index, entries, PADDING.to_vec()].concat());
    let (head, data) = bytes.split_at(HEAD);
    let sum = file_sum(head, data);
    bytes[SUM..HEAD].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn file_sum(head: &[u8], data: &[u8]) -> u64 {
    checksum(&head[..SUM]).rotate_left(1) ^ checksum(data)
}

impl fmt::Display for BrokenStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {}, expected {}", self.found, self.expected)
    }
}

impl std::error::Error for BrokenStrategy {}
