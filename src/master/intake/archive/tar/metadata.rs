//! Extension headers of a tar, which describe the next entry.

use std::io::Read;

use crate::intake::archive::{ArchiveError, Damage};

/// Maximum size of an extension header in bytes; honest archives need a few hundred.
const LONGEST: u64 = 1 << 16;

const WRONG: ArchiveError = ArchiveError::Damaged(Damage::Metadata);

/// Relevant metadata for the next entry. Times, owners and the like are ignored.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Metadata {
    /// Path that replaces the path in the header.
    pub(super) path: Option<Vec<u8>>,
    pub(super) size: Option<u64>,
    pub(super) sparse: bool,
    /// True if there was any extension header.
    present: bool,
}

impl Metadata {
    pub(super) fn is_empty(&self) -> bool {
        !self.present
    }

    /// Adds the records of an extended header (pax).
    pub(super) fn add_records(&mut self, entry: &mut impl Read) -> Result<(), ArchiveError> {
        let bytes = read(entry)?;
        self.add(&bytes)
    }

    fn add(&mut self, mut bytes: &[u8]) -> Result<(), ArchiveError> {
        if std::mem::replace(&mut self.present, true) {
            return Err(WRONG);
        }
        while !bytes.is_empty() {
            let (key, value, rest) = record(bytes).ok_or(WRONG)?;
            bytes = rest;
            let twice = match key {
                b"path" => self.path.replace(value.to_vec()).is_some(),
                b"size" => {
                    let size = str::from_utf8(value).ok().and_then(|value| value.parse().ok());
                    self.size.replace(size.ok_or(WRONG)?).is_some()
                }
                _ => {
                    self.sparse |= key.starts_with(b"GNU.sparse.");
                    false
                }
            };
            if twice {
                return Err(WRONG);
            }
        }
        Ok(())
    }

    /// Adds a long name in GNU tar's format, with a trailing zero byte.
    pub(super) fn add_long_name(&mut self, entry: &mut impl Read) -> Result<(), ArchiveError> {
        let mut name = read(entry)?;
        name.pop_if(|last| *last == 0);
        // An entry with pax records and a long name would have two names.
        if std::mem::replace(&mut self.present, true) {
            return Err(WRONG);
        }
        self.path = Some(name);
        Ok(())
    }
}

/// Splits off the first record; returns its key and value, and the remaining records. A record is `LENGTH KEY=VALUE`
/// and a line feed; its length includes all of these.
fn record(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let digits = bytes.iter().take(6).position(|&byte| byte == b' ')?;
    let length: usize = str::from_utf8(&bytes[..digits]).ok()?.parse().ok()?;
    let (record, rest) = bytes.split_at_checked(length)?;
    let text = record.get(digits + 1..)?.strip_suffix(b"\n")?;
    let equals = text.iter().position(|&byte| byte == b'=')?;
    Some((&text[..equals], &text[equals + 1..], rest))
}

/// Refuses global (pax) records that would change the names or sizes of all entries.
pub(super) fn check_global(entry: &mut impl Read) -> Result<(), ArchiveError> {
    let mut metadata = Metadata::default();
    metadata.add_records(entry)?;
    let harmless = Metadata { present: true, ..Metadata::default() };
    if metadata == harmless { Ok(()) } else { Err(WRONG) }
}

/// Reads past an extension header that is irrelevant.
pub(super) fn skip(entry: &mut impl Read) -> Result<(), ArchiveError> {
    read(entry).map(drop)
}

fn read(entry: &mut impl Read) -> Result<Vec<u8>, ArchiveError> {
    let mut bytes = Vec::new();
    entry.take(LONGEST + 1).read_to_end(&mut bytes).map_err(ArchiveError::of_read)?;
    if bytes.len() as u64 > LONGEST { Err(WRONG) } else { Ok(bytes) }
}
