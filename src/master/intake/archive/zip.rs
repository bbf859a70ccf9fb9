//! Reads a zip.
//!
//! Names, sizes, checksums and modes come only from the directory at the end. The local header before an entry's
//! content must agree with it, so that no other program can read different files out of the same archive.
//!
//! The `zip` crate (9.8.1) is too lenient. Even with its own check of header consistency, it unpacks these archives
//! from the tests, which only this reader refuses: one with bytes after its end, one with bytes before its first entry,
//! two whose end record gives a different directory size (one of them in zip64), and archives with an entry that is a
//! patch, an entry on another disk, an entry shorter than its size, or bytes after an entry's compressed content.
//! Without that check, it also accepts: two ends, fewer entries in the end record than in the directory, a duplicate
//! file, a different name in the local header, a packed size beyond the archive, an absurd zip64 size, an entry inside
//! another, and one content shared by many entries. Its errors do not name the entry.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `fields` | how are numbers parsed? |
//! | `end` | where is the directory? |
//! | `directory` | which entries are there? |
//! | `content` | what does an entry contain? |

mod content;
mod directory;
mod end;
mod fields;

use std::fs::File;

use super::destination::Destination;
use super::entry_path::EntryPath;
use super::{ArchiveError, EntryError, TreeLimits};
use content::{Content, Place};
use directory::EntryKind;

/// Unpacks a zip of `length` bytes.
pub(super) fn unpack(
    file: &File,
    length: u64,
    destination: &mut Destination,
    limits: &TreeLimits,
) -> Result<(), ArchiveError> {
    let end = end::find(file, length)?;
    let entries = directory::read(file, &end, limits)?;
    // Checked before anything is written. These sizes are not trusted: the bytes actually read are counted as well.
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
