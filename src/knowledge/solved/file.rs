//! The file format of strategies, described on the guide's page `solved` (src/guide/solved.md).

use std::fmt;

use crate::knowledge::checksum::checksum;

/// Stands for the plies of a position that is not won for the side to move: the other side can at least go on without
/// end. Any number of plies is smaller.
pub const ENDLESS: u8 = 121;

/// First bytes of a file.
const MAGIC: &[u8; 8] = b"klsolved";
const VERSION: u32 = 2;
/// Size of the header in bytes; the records follow.
const HEAD: usize = 40;
/// Offset of the checksum in the header.
const SUM: usize = 32;
/// Size of a record in bytes.
const RECORD: usize = 8;
/// Factor of the code in a record. On 6x6, the largest record is just below 2⁶⁴.
const PLIES: u64 = ENDLESS as u64 + 1;

/// Explains why bytes are not a strategy, with the found and the expected content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenStrategy {
    found: String,
    expected: String,
}

/// The header of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) positions: usize,
    pub(super) fewest: u8,
}

impl Head {
    /// Reads and checks a strategy file for this game, whose codes are below `codes`. Returns its header and its records.
    pub(super) fn read<'a>(bytes: &'a [u8], game: &str, codes: u64) -> Result<(Head, Records<'a>), BrokenStrategy> {
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
        let positions = number(&head[24..32]);
        if positions.checked_mul(RECORD as u64) != Some(data.len() as u64) {
            return broken(format!("{} bytes of data", data.len()), format!("{positions} positions of {RECORD} bytes"));
        }
        let (written, sum) = (number(&head[SUM..]), file_sum(head, data));
        if sum != written {
            return broken(format!("the checksum {sum:016x}"), format!("{written:016x}, the recorded one"));
        }
        let (head, records) = (Head { positions: positions as usize, fewest: head[20] }, Records(data));
        let all = || (0..head.positions).map(|place| records.at(place).0);
        if !all().is_sorted_by(|one, next| one < next) || all().next_back().is_some_and(|code| code >= codes) {
            return broken("positions out of order".into(), "each once, ascending".into());
        }
        Ok((head, records))
    }
}

/// Positions of a file, in ascending order of codes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Records<'a>(&'a [u8]);

impl Records<'_> {
    /// Returns the code of the position at this place, and its plies.
    pub(super) fn at(self, place: usize) -> (u64, u8) {
        let record = number(&self.0[place * RECORD..][..RECORD]);
        (record / PLIES, (record % PLIES) as u8)
    }
}

/// Encodes codes and plies of positions, which must be in ascending order, as a file.
pub(super) fn to_bytes(game: &str, fewest: u8, positions: &[(u64, u8)]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + RECORD * positions.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    let mut name = [0; 8];
    name.iter_mut().zip(game.bytes()).for_each(|(place, letter)| *place = letter);
    bytes.extend_from_slice(&name);
    bytes.extend_from_slice(&[fewest, 0, 0, 0]);
    bytes.extend_from_slice(&(positions.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&[0; 8]);
    for &(code, plies) in positions {
        debug_assert!(plies <= ENDLESS, "{plies} plies");
        bytes.extend_from_slice(&(code * PLIES + u64::from(plies)).to_le_bytes());
    }
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
