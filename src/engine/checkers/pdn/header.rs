//! Tags of the game being read, with lookups that stay fast for any number of tags.

use std::collections::{HashMap, HashSet};

use super::tag;

/// Tags read so far.
#[derive(Debug, Default)]
pub(super) struct Header<'a> {
    names: HashSet<&'a str>,
    /// Tags that the record merely stores, by name: the number of such tags before it, and its value.
    kept: HashMap<&'a str, (usize, String)>,
}

impl<'a> Header<'a> {
    /// Returns `true` if no tag was read.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns `true` if a tag of this name was read.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(tag::own(name).unwrap_or(name))
    }

    /// Records that a tag of this name was read.
    pub(super) fn note(&mut self, name: &'a str) {
        self.names.insert(tag::own(name).unwrap_or(name));
    }

    /// Stores a value, replacing an earlier one of the same name.
    pub(super) fn keep(&mut self, name: &'a str, value: String) {
        let place = self.kept.len();
        self.kept.entry(name).or_insert((place, String::new())).1 = value;
    }

    /// Returns the stored values with their names, in the order in which the names first appeared.
    pub(super) fn into_tags(self) -> impl Iterator<Item = (&'a str, String)> {
        let mut tags: Vec<_> = self.kept.into_iter().collect();
        tags.sort_unstable_by_key(|&(_, (place, _))| place);
        tags.into_iter().map(|(name, (_, value))| (name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_keep_their_first_places_and_last_values() {
        let mut header = Header::default();
        assert!(header.is_empty());
        for (name, value) in [("B", "1"), ("A", "2"), ("B", "3")] {
            header.keep(name, value.to_owned());
        }
        header.note("Setup");
        assert!(!header.is_empty() && header.has("SetUp") && header.has("setup") && !header.has("Event"));
        let tags: Vec<_> = header.into_tags().collect();
        assert_eq!(tags, [("B", "3".to_owned()), ("A", "2".to_owned())]);
    }
}
