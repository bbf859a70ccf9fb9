//! The file format of strategies, described on the guide's page `solved` (src/guide/solved.md).

use std::fmt;

use crate::knowledge::checksum::checksum;

/// First bytes of a file.
const MAGIC: &[u8; 8] = b"klsolved";
const VERSION: u32 = 1;
/// Size of the header in bytes; the forms follow.
const HEAD: usize = 40;
/// Offset of the checksum in the header.
const SUM: usize = 32;

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
    /// Reads and checks a strategy file for this game. Returns its header, and its data: the forms, then the plies.
    pub(super) fn read<'a>(bytes: &'a [u8], game: &str, form_bytes: usize) -> Result<(Head, &'a [u8]), BrokenStrategy> {
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
        let positions = number(&head[24..32]) as u64;
        let expected = positions.checked_mul(form_bytes as u64 + 1);
        if usize::from(head[20]) != form_bytes || expected != Some(data.len() as u64) {
            let found = format!("{} bytes of data with forms of {} bytes", data.len(), head[20]);
            return broken(found, format!("{positions} positions with forms of {form_bytes}"));
        }
        let (written, sum) = (number(&head[SUM..]) as u64, file_sum(head, data));
        if sum != written {
            return broken(format!("the checksum {sum:016x}"), format!("{written:016x}, the recorded one"));
        }
        let head = Head { positions: positions as usize, fewest: head[21] };
        let forms = data[..head.positions * form_bytes].chunks_exact(form_bytes).map(form);
        if !forms.is_sorted_by(|one, next| one < next) {
            return broken("positions out of order".into(), "each once, ascending".into());
        }
        Ok((head, data))
    }
}

/// Encodes these positions, which must be in ascending order, as a file.
pub(super) fn to_bytes(game: &str, form_bytes: usize, fewest: u8, positions: &[(u128, u8)]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + (form_bytes + 1) * positions.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    let mut name = [0; 8];
    name.iter_mut().zip(game.bytes()).for_each(|(place, letter)| *place = letter);
    bytes.extend_from_slice(&name);
    bytes.extend_from_slice(&[form_bytes as u8, fewest, 0, 0]);
    bytes.extend_from_slice(&(positions.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&[0; 8]);
    for (form, _) in positions {
        bytes.extend_from_slice(&form.to_le_bytes()[..form_bytes]);
    }
    bytes.extend(positions.iter().map(|&(_, plies)| plies));
    let (head, data) = bytes.split_at(HEAD);
    let sum = file_sum(head, data);
    bytes[SUM..HEAD].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Reads a form.
pub(super) fn form(bytes: &[u8]) -> u128 {
    number(bytes)
}

fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
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
