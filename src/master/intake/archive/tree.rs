//! The tree of an archive's entries, checked for contradictions.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::entry_path::EntryPath;
use super::{ArchiveError, EntryError, EntryName, TreeLimits};

/// The files and folders of an archive so far.
pub(super) struct Tree<'a> {
    limits: &'a TreeLimits,
    /// Nodes by lower-case path.
    nodes: HashMap<String, Node>,
    left_out: u64,
}

struct Node {
    path: String,
    kind: NodeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    File,
    Folder,
}

impl<'a> Tree<'a> {
    pub(super) fn new(limits: &'a TreeLimits) -> Tree<'a> {
        Tree { limits, nodes: HashMap::new(), left_out: 0 }
    }

    /// Counts an entry that is left out.
    pub(super) fn leave_out(&mut self) -> Result<(), ArchiveError> {
        self.left_out += 1;
        self.check_count()
    }

    /// Adds an entry; returns the new folders that it requires, outermost first. A folder may be added more than once.
    pub(super) fn add<'p>(&mut self, path: &'p EntryPath, kind: NodeKind) -> Result<Vec<&'p str>, ArchiveError> {
        let mut new = Vec::new();
        if path.is_root() {
            return match kind {
                NodeKind::Folder => Ok(new),
                NodeKind::File => Err(ArchiveError::Entry(path.name(), EntryError::NoName)),
            };
        }
        let itself = (kind == NodeKind::Folder).then(|| path.as_str());
        for (depth, folder) in path.folders().chain(itself).enumerate() {
            if depth >= self.limits.depth {
                return Err(ArchiveError::Entry(path.name(), EntryError::Deep(self.limits.depth)));
            }
            if self.is_new(folder, NodeKind::Folder)? {
                new.push(folder);
            }
        }
        if kind == NodeKind::File && !self.is_new(path.as_str(), kind)? {
            return Err(ArchiveError::Entry(path.name(), EntryError::Twice));
        }
        Ok(new)
    }

    fn is_new(&mut self, path: &str, kind: NodeKind) -> Result<bool, ArchiveError> {
        match self.nodes.entry(path.to_lowercase()) {
            Entry::Vacant(vacant) => {
                vacant.insert(Node { path: path.to_owned(), kind });
                self.check_count()?;
                Ok(true)
            }
            Entry::Occupied(found) => {
                let found = found.get();
                let why = if found.path != path {
                    EntryError::OnlyCase(EntryName::new(found.path.as_bytes()))
                } else if found.kind != kind {
                    EntryError::FileAndFolder
                } else {
                    return Ok(false);
                };
                Err(ArchiveError::Entry(EntryName::new(path.as_bytes()), why))
            }
        }
    }

    fn check_count(&self) -> Result<(), ArchiveError> {
        let most = self.limits.entries;
        if self.nodes.len() as u64 + self.left_out > most { Err(ArchiveError::TooMany(most)) } else { Ok(()) }
    }

    pub(super) fn has_files(&self) -> bool {
        self.nodes.values().any(|node| node.kind == NodeKind::File)
    }

    /// The top-level folder that contains everything else, if there is one.
    pub(super) fn only_folder(&self) -> Option<&str> {
        let mut top = self.nodes.values().filter(|node| !node.path.contains('/'));
        match (top.next(), top.next()) {
            (Some(Node { path, kind: NodeKind::Folder }), None) => Some(path),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry_path::Separators;
    use super::*;

    const LIMITS: TreeLimits = TreeLimits { bytes: 100, entries: 6, depth: 2, name: 10, path: 20 };

    /// Adds these entries in order; names of folders end in `/`.
    fn tree(entries: &[&str]) -> Result<Tree<'static>, ArchiveError> {
        let mut tree = Tree::new(&LIMITS);
        for entry in entries {
            let path = EntryPath::parse(entry.as_bytes(), Separators::Slash, &LIMITS)?;
            tree.add(&path, if entry.ends_with('/') { NodeKind::Folder } else { NodeKind::File })?;
        }
        Ok(tree)
    }

    fn refused(entries: &[&str]) -> String {
        match tree(entries) {
            Ok(_) => panic!("{entries:?} are accepted"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn folders_are_new_once() {
        let mut tree = Tree::new(&LIMITS);
        let path = EntryPath::parse(b"a/b/c", Separators::Slash, &LIMITS).unwrap();
        assert_eq!(tree.add(&path, NodeKind::File).unwrap(), ["a", "a/b"]);
        let path = EntryPath::parse(b"a/b", Separators::Slash, &LIMITS).unwrap();
        assert_eq!(tree.add(&path, NodeKind::Folder).unwrap(), [""; 0]);
    }

    #[test]
    fn entries_that_contradict_each_other_are_refused() {
        for (entries, why) in [
            (&["a", "a"][..], "twice"),
            (&["a/b", "a/./b"], "twice"),
            (&["a", "A"], "only in letter case"),
            (&["a/b", "A/c"], "only in letter case"),
            (&["\u{fc}", "\u{dc}"], "only in letter case"),
            (&["a", "a/"], "a file and a folder"),
            (&["a", "a/b"], "a file and a folder"),
            (&["a/b", "a"], "a file and a folder"),
            (&["a/b/c/d"], "2 nested folders"),
            (&["a/b/c/"], "2 nested folders"),
            (&["1", "2", "3", "4", "5", "6", "7"], "6 files and folders"),
            (&["1/1", "2/2", "3/3", "4"], "6 files and folders"),
        ] {
            let text = refused(entries);
            assert!(text.contains(why), "{entries:?}: {text}");
        }
    }

    #[test]
    fn entries_left_out_are_counted() {
        let mut tree = tree(&["1", "2"]).unwrap();
        for _ in 0..4 {
            tree.leave_out().unwrap();
        }
        assert!(matches!(tree.leave_out(), Err(ArchiveError::TooMany(6))));
    }

    #[test]
    fn the_only_folder_is_the_submission() {
        for (entries, expected) in [
            (&["a/b"][..], Some("a")),
            (&["a/", "a/b/c"], Some("a")),
            (&["./", "a/b", "a/c"], Some("a")),
            (&["a/b", "c"], None),
            (&["a/b", "c/d"], None),
            (&["a"], None),
            (&[], None),
        ] {
            assert_eq!(tree(entries).unwrap().only_folder(), expected, "{entries:?}");
        }
        assert!(!tree(&["a/", "b/"]).unwrap().has_files() && tree(&["a/b"]).unwrap().has_files());
    }
}
