//! How is a zip read?
//!
//! By the directory at its end, from which all is taken: names, sizes, checksums, modes. The header before the content of
//! an entry must agree with it, so that no other program can read other files out of the same archive.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `fields` | how numbers are read |
//! | `end` | where the directory lies |
//! | `directory` | which entries there are |
//! | `content` | what an entry holds |

mod content;
mod directory;
mod end;
mod fields;

use std::fs::File;

use super::destination::Destination;
use super::entry_path::EntryPath;
use super::{ArchiveError, ArchiveLimits, EntryError};
use content::{Content, Place};
use directory::EntryKind;

/// Unpacks a zip of `length` bytes.
pub(super) fn unpack(
    file: &File,
    length: u64,
    destination: &mut Destination,
    limits: &ArchiveLimits,
) -> Result<(), ArchiveError> {
    let end = end::find(file, length)?;
    let entries = directory::read(file, &end, limits)?;
    // Before anything is written. What they say is not trusted: what is read is counted too.
    let total = entries.iter().fold(0, |total: u64, entry| total.saturating_add(entry.size));
    destination.check_room(total)?;
    let places = entries.iter().map(|entry| content::find(file, entry, &end)).collect::<Result<Vec<_>, _>>()?;
    let mut in_order: Vec<&Place> = places.iter().collect();
    in_order.sort_by_key(|place| place.header);
    if let Some(pair) = in_order.windows(2).find(|pair| pair[1].header < pair[0].content.end) {
        return Err(pair[1].entry.refused(EntryError::Overlap));
    }
    for Place { entry, content, .. } in places {
        let path = EntryPath::parse(&entry.name, entry.separators, limits)?;
        if path.is_left_out() {
            destination.leave_out()?;
            continue;
        }
        match entry.kind {
            EntryKind::Folder => destination.folder(&path)?,
            EntryKind::File(executable) => {
                destination.file(&path, &mut Content::new(file, entry, content), executable)?;
            }
        }
    }
    Ok(())
}
