//! A store file survives interrupted writes, and a damaged one is refused.

use super::*;

const FACTS: [(u128, Fact); 3] = [(7, Fact::Lost(49)), (u128::MAX, Fact::Score(-300)), (0, Fact::Tried)];

fn open(path: &Path) -> Vec<(u128, Fact)> {
    StoreFile::open(path, "loa6").unwrap().1
}

/// A store with all facts in one batch and the first again in a second, and its bytes.
fn two_batches() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let (mut file, _) = StoreFile::open(&path, "loa6").unwrap();
    file.append(&FACTS).unwrap();
    file.append(&FACTS[..1]).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    (folder, path, bytes)
}

#[test]
fn the_next_run_reads_added_facts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    for round in 0..3 {
        let (mut file, facts) = StoreFile::open(&path, "loa6").unwrap();
        assert_eq!(facts, FACTS.repeat(round));
        file.append(&FACTS[..1]).unwrap();
        file.append(&[]).unwrap();
        file.append(&FACTS[1..]).unwrap();
    }
}

#[test]
fn only_a_broken_end_is_removed() {
    let (_folder, path, whole) = two_batches();
    let last = HEAD + RECORD;
    for kept in whole.len() - last..whole.len() {
        std::fs::write(&path, &whole[..kept]).unwrap();
        assert_eq!(open(&path), FACTS);
        StoreFile::open(&path, "loa6").unwrap().0.append(&FACTS[..1]).unwrap();
        assert_eq!(open(&path).len(), 4);
    }
    let mut altered = whole.clone();
    *altered.last_mut().unwrap() ^= 1;
    std::fs::write(&path, &altered).unwrap();
    let error = read(&path, "loa6").unwrap_err().to_string();
    assert!(error.contains(&format!("is damaged: the batch at byte {}: ", whole.len() - last)), "{error}");
    assert_eq!(open(&path), FACTS);
}

#[test]
fn a_file_damaged_before_its_end_is_refused_and_unchanged() {
    let (_folder, path, whole) = two_batches();
    let first = title("loa6").len();
    // The checksum and each record of the first batch.
    for place in first + 8..first + HEAD + 3 * RECORD {
        let mut altered = whole.clone();
        altered[place] ^= 1;
        std::fs::write(&path, &altered).unwrap();
        for error in [read(&path, "loa6").err(), StoreFile::open(&path, "loa6").err()] {
            let error = error.unwrap().to_string();
            assert!(error.contains(&format!("is damaged: the batch at byte {first}: found ")), "{error}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), altered);
    }
}

#[test]
fn a_file_is_replaced_and_read_while_a_run_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let (mut file, _) = StoreFile::open(&path, "loa6").unwrap();
    file.append(&FACTS).unwrap();
    assert_eq!(read(&path, "loa6").unwrap(), FACTS);
    file.replace("loa6", &FACTS[1..]).unwrap();
    assert_eq!(open(&path), FACTS[1..]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn an_interrupted_first_write_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    for text in ["", "king", "kingline solve 1 loa6"] {
        std::fs::write(&path, text).unwrap();
        StoreFile::open(&path, "loa6").unwrap().0.append(&FACTS).unwrap();
        assert_eq!(open(&path), FACTS);
    }
}

#[test]
fn other_files_are_refused_and_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    for text in ["kingline solve 1 loa5\n", "\u{1b}[2J notes", "\n"] {
        std::fs::write(&path, text).unwrap();
        let error = StoreFile::open(&path, "loa6").err().unwrap().to_string();
        assert!(error.ends_with("expected \"kingline solve 1 loa6\"") && !error.contains('\u{1b}'), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn two_runs_do_not_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let _first = StoreFile::open(&path, "loa6").unwrap();
    let error = StoreFile::open(&path, "loa6").err().unwrap().to_string();
    assert!(error.ends_with("is in use by another run"), "{error}");
}
