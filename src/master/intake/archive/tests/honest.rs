//! Archives that students submit.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use ::zip::ZipWriter;
use ::zip::write::SimpleFileOptions;
use proptest::prelude::*;
use proptest::sample::Index;

use super::{
    ArchiveError, Item, TreeLimits, Unpacking, WINDOWS, bzip2, expect_unpacked, gzip, item, listing, records, tar,
    tar_entry, tar_item, tar_of, with_header, xz, zip, zip_from,
};
use crate::intake::archive::unpack;

const SCRIPT: &str = "#!/usr/bin/env python3\n";

/// An executable `homework` and a folder with one file, inside a folder.
fn unix(folder: &str) -> Vec<Item> {
    let named = |name: &str| format!("{folder}{name}");
    vec![
        item(named("data/"), 0o042_775, ""),
        item(named("homework"), 0o106_750, SCRIPT),
        item(named("data/run.sh"), 0o100_600, SCRIPT),
    ]
}

const UNIX_FILES: [(&str, u32, &str); 3] =
    [("data/", 0o755, ""), ("homework", 0o755, SCRIPT), ("data/run.sh", 0o644, SCRIPT)];

#[test]
fn an_enclosing_folder_is_dropped_and_modes_are_kept() {
    for folder in ["", "./", "alice/", "./alice smith \u{fc}/"] {
        expect_unpacked(&zip(&unix(folder)), &UNIX_FILES);
        expect_unpacked(&tar_of(&unix(folder)), &UNIX_FILES);
        for compressed in [gzip, bzip2, xz] {
            expect_unpacked(&compressed(&tar_of(&unix(folder))), &UNIX_FILES);
        }
    }
    let deeper = UNIX_FILES.map(|(path, mode, content)| (format!("bob/{path}"), mode, content));
    let mut expected: Vec<_> = deeper.iter().map(|(path, mode, content)| (path.as_str(), *mode, *content)).collect();
    expected.push(("bob/", 0o755, ""));
    expect_unpacked(&zip(&unix("alice/bob/")), &expected);
}

#[test]
fn files_that_a_mac_adds_are_left_out() {
    let files = ["alice/homework", "alice/.DS_Store", "alice/._homework", "__MACOSX/alice/._homework"];
    let items = files.map(|name| item(name, 0o100_644, "1"));
    expect_unpacked(&zip(&items), &[("homework", 0o644, "1")]);
    expect_unpacked(&gzip(&tar_of(&items)), &[("homework", 0o644, "1")]);
}

#[test]
fn files_of_a_windows_zip_get_their_modes_by_content() {
    let archive = zip_from(
        WINDOWS,
        &[
            item("alice\\", 0, ""),
            item("alice\\homework", 0, SCRIPT),
            item("alice\\data\\agent", 0, b"\x7fELF\x02"),
            item("alice\\homework.py", 0, "print()"),
            item("alice\\Thumbs.db", 0, "1"),
            item("alice/python", 0o100_666, SCRIPT),
        ],
    );
    expect_unpacked(
        &archive,
        &[
            ("homework", 0o755, SCRIPT),
            ("data/", 0o755, ""),
            ("data/agent", 0o755, "\x7fELF\x02"),
            ("homework.py", 0o644, "print()"),
            ("python", 0o755, SCRIPT),
        ],
    );
}

#[test]
fn streamed_and_large_zips_with_a_comment() {
    // A streamed zip has its sizes after the content.
    let mut streamed = ZipWriter::new_stream(Vec::new());
    streamed.start_file("homework", SimpleFileOptions::default().unix_permissions(0o755).large_file(true)).unwrap();
    streamed.write_all(b"1").unwrap();
    streamed.set_comment("made by a program").unwrap();
    expect_unpacked(&streamed.finish().unwrap().into_inner(), &[("homework", 0o755, "1")]);
}

#[test]
fn long_names_and_old_forms_of_tar() {
    let long = format!("{}/{}", "f".repeat(120), "h".repeat(200));
    let slashed = with_header(tar_item(&item("old/", 0o100_644, "")), |header| header.as_old_mut().linkflag = [0]);
    let packed = tar(&[
        tar_entry(b'g', "pax_global_header", 0, &records(&[("comment", "a commit")])),
        tar_entry(b'x', "PaxHeaders/1", 0, &records(&[("mtime", "1.5"), ("path", &long), ("size", "1")])),
        tar_item(&item("short", 0o100_644, "1")),
        tar_entry(b'L', "././@LongLink", 0, format!("{long}2\0").as_bytes()),
        tar_item(&item("short", 0o100_644, "2")),
        tar_entry(b'7', "contiguous", 0o755, b"3"),
        slashed,
    ]);
    let folder = format!("{}/", "f".repeat(120));
    expect_unpacked(
        &packed,
        &[
            (&folder, 0o755, ""),
            (&long, 0o644, "1"),
            (&format!("{long}2"), 0o644, "2"),
            ("contiguous", 0o755, "3"),
            ("old/", 0o755, ""),
        ],
    );
}

#[test]
fn existing_files_are_never_touched() {
    let unpacking = Unpacking::new(&zip(&unix("")));
    let limits = TreeLimits::default();
    let refused = |text: &str| {
        let error = unpacking.unpack(&limits).unwrap_err();
        assert!(error.to_string().contains(text) && error.is_machine_fault(), "{error}");
    };
    fs::create_dir(unpacking.target()).unwrap();
    refused("already exists");
    fs::remove_dir(unpacking.target()).unwrap();
    fs::write(unpacking.target(), "mine").unwrap();
    refused("already exists");
    fs::remove_file(unpacking.target()).unwrap();
    symlink(unpacking.around.path(), unpacking.target()).unwrap();
    let error = unpack(&unpacking.archive(), &unpacking.target(), &limits).unwrap_err();
    assert!(matches!(error, ArchiveError::Exists(path) if path == unpacking.target()));
    fs::remove_file(unpacking.target()).unwrap();
    let error = unpack(&unpacking.archive(), &unpacking.folder().join("missing/into"), &limits).unwrap_err();
    assert!(error.to_string().contains("missing/into") && error.is_machine_fault(), "{error}");
    let error = unpack(&unpacking.folder().join("missing"), &unpacking.target(), &limits).unwrap_err();
    assert!(error.to_string().contains("cannot be read: No such file"), "{error}");
    let error = unpack(&unpacking.folder(), &unpacking.target(), &limits).unwrap_err();
    assert!(error.to_string().contains("not a regular file"), "{error}");
    assert_eq!(unpacking.unpack(&limits).unwrap().len(), UNIX_FILES.len());
}

/// Writes a submission to `folder`, as it should look after packing and unpacking.
fn submission(folder: &Path) {
    let deep = "n".repeat(80);
    let long = format!("{deep}/{}", "m".repeat(60));
    fs::create_dir_all(folder.join("data/deep")).unwrap();
    fs::create_dir(folder.join(&deep)).unwrap();
    for (path, mode, content) in [
        ("homework", 0o755, SCRIPT.to_owned()),
        ("data/deep/numbers.txt", 0o644, "0123456789\n".repeat(100_000)),
        ("\u{fc}bung.py", 0o644, String::new()),
        (&long, 0o644, "long".to_owned()),
    ] {
        fs::write(folder.join(path), content).unwrap();
        fs::set_permissions(folder.join(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    for path in ["data", "data/deep", &deep] {
        fs::set_permissions(folder.join(path), fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// Expects a submission to survive packing by `program` and unpacking; `ARCHIVE` in `arguments` stands for the archive.
fn expect_round_trip(program: &str, arguments: &[&str]) {
    let unpacking = Unpacking::new(b"");
    fs::remove_file(unpacking.archive()).unwrap();
    let folder = unpacking.around.path().join("alice");
    submission(&folder);
    let archive = unpacking.archive();
    let arguments = arguments.iter().map(|&argument| match argument {
        "ARCHIVE" => archive.as_os_str(),
        argument => argument.as_ref(),
    });
    let mut command = Command::new(program);
    match command.args(arguments).current_dir(unpacking.around.path()).env("LC_ALL", "C.UTF-8").output() {
        Err(_) => return println!("no {program} here"),
        Ok(done) => assert!(done.status.success(), "{program}: {done:?}"),
    }
    assert_eq!(unpacking.unpack(&TreeLimits::default()).unwrap(), listing(&folder), "{program}");
}

#[test]
fn archives_packed_by_other_programs() {
    for form in ["gnu", "oldgnu", "pax", "ustar"] {
        let form = format!("--format={form}");
        expect_round_trip("tar", &[&form, "-cf", "ARCHIVE", "alice"]);
        expect_round_trip("tar", &[&form, "-czf", "ARCHIVE", "-C", "alice", "."]);
    }
    expect_round_trip("zip", &["-qr", "ARCHIVE", "alice"]);
    expect_round_trip("python3", &["-m", "zipfile", "-c", "ARCHIVE", "alice/"]);
    expect_round_trip("python3", &["-m", "tarfile", "-c", "ARCHIVE", "alice/"]);
    let made = "import shutil, sys; shutil.make_archive(sys.argv[1], 'gztar', '.', 'alice')";
    let renamed = format!("{made}; import os; os.rename(sys.argv[1] + '.tar.gz', sys.argv[1])");
    expect_round_trip("python3", &["-c", &renamed, "ARCHIVE"]);
}

/// Windows packs names in the code page of its command line.
#[test]
fn names_in_cp437_are_decoded_with_a_note() {
    let unpacking = Unpacking::new(&zip(&[item(b"t\x81r.py", 0o100_644, ""), item("homework.py", 0o100_644, "")]));
    let note = unpack(&unpacking.archive(), &unpacking.target(), &TreeLimits::default()).unwrap();
    assert!(note.is_some_and(|note| note.contains("CP437")), "{note:?}");
    assert_eq!(listing(&unpacking.target()).into_keys().collect::<Vec<_>>(), ["homework.py", "t\u{fc}r.py"]);
}

/// Limits barely larger than the archives need.
const LIMITS: TreeLimits = TreeLimits { bytes: 3000, entries: 8, depth: 2, name: 30, path: 60 };

fn honest() -> [Vec<u8>; 5] {
    let text = b"0123456789\n".repeat(100);
    let zipped = zip(&[
        item("a/", 0o040_755, ""),
        item("a/homework.py", 0o100_644, &text),
        item("a/b/notes.txt", 0o100_644, "notes"),
        item("a/.DS_Store", 0o100_644, "1"),
    ]);
    let tarred = tar(&[
        tar_entry(b'5', "a/", 0o755, b""),
        tar_entry(b'x', "x", 0, &records(&[("mtime", "1.5"), ("path", "a/homework.py")])),
        tar_item(&item("short", 0o100_644, &text)),
        tar_entry(b'L', "././@LongLink", 0, b"a/b/notes.txt\0"),
        tar_item(&item("short", 0o100_644, "notes")),
    ]);
    [gzip(&tarred), bzip2(&tarred), xz(&tarred), zipped, tarred]
}

/// An alteration of an archive.
#[derive(Clone, Debug)]
enum Change {
    /// Replaces one byte.
    Set(Index, u8),
    /// Flips one bit.
    Flip(Index, u8),
    /// Overwrites this many bytes with one value.
    Fill(Index, u8, u8),
    /// Overwrites bytes with others from the same archive.
    Copy(Index, Index, u8),
    /// Removes this many bytes.
    Remove(Index, u8),
    /// Cuts off the end.
    Cut(Index),
}

fn change() -> impl Strategy<Value = Change> {
    // Bytes that are common in headers.
    let byte = prop_oneof![any::<u8>(), Just(0), Just(0xff), Just(b'/'), Just(b'.'), b'0'..b'8'];
    let index = any::<Index>;
    prop_oneof![
        4 => (index(), byte.clone()).prop_map(|(place, byte)| Change::Set(place, byte)),
        4 => (index(), 0..8_u8).prop_map(|(place, bit)| Change::Flip(place, bit)),
        1 => (index(), 1..9_u8, byte).prop_map(|(place, count, byte)| Change::Fill(place, count, byte)),
        1 => (index(), index(), any::<u8>()).prop_map(|(from, to, count)| Change::Copy(from, to, count)),
        1 => (index(), any::<u8>()).prop_map(|(place, count)| Change::Remove(place, count)),
        1 => index().prop_map(Change::Cut),
    ]
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len();
        let range = |place: &Index, count: u8| {
            let start = place.index(length);
            start..length.min(start + usize::from(count))
        };
        match self {
            Change::Set(place, byte) => bytes[place.index(length)] = *byte,
            Change::Flip(place, bit) => bytes[place.index(length)] ^= 1 << bit,
            Change::Fill(place, count, byte) => bytes[range(place, *count)].fill(*byte),
            Change::Copy(from, to, count) => {
                let copied = bytes[range(from, *count)].to_vec();
                let target = range(to, *count);
                let fitting = target.len().min(copied.len());
                bytes[target][..fitting].copy_from_slice(&copied[..fitting]);
            }
            Change::Remove(place, count) => drop(bytes.drain(range(place, *count))),
            Change::Cut(place) => bytes.truncate(place.index(length)),
        }
    }
}

/// Repairs the checksums of all tar headers, so that other changes take effect.
fn sum_again(bytes: &mut [u8]) {
    for block in bytes.chunks_exact_mut(512).filter(|block| &block[257..262] == b"ustar") {
        let mut header = ::tar::Header::from_byte_slice(block).clone();
        header.set_cksum();
        block.copy_from_slice(header.as_bytes());
    }
}

fn expect_bounded(archive: &[u8]) {
    // `unpack` compares everything outside, and checks that there are only files and folders inside.
    let Ok(listing) = Unpacking::new(archive).unpack(&LIMITS) else { return };
    let bytes: usize = listing.values().filter_map(|(_, content)| content.as_ref()).map(Vec::len).sum();
    assert!(bytes as u64 <= LIMITS.bytes && listing.len() as u64 <= LIMITS.entries);
    for (path, (mode, _)) in &listing {
        assert!([0o644, 0o755].contains(mode), "{path}: {mode:o}");
        assert!(path.len() <= LIMITS.path && path.split('/').all(|name| name.len() <= LIMITS.name), "{path}");
        assert!(path.matches('/').count() <= LIMITS.depth, "{path}");
    }
}

#[test]
fn unaltered_archives_are_accepted() {
    for archive in honest() {
        let listing = Unpacking::new(&archive).unpack(&LIMITS).unwrap();
        assert_eq!(listing.keys().collect::<Vec<_>>(), ["b", "b/notes.txt", "homework.py"]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn altered_archives_are_bounded(which in 0..5_usize, changes in prop::collection::vec(change(), 1..6)) {
        let mut archive = honest()[which].clone();
        changes.iter().for_each(|change| change.apply(&mut archive));
        expect_bounded(&archive);
    }

    #[test]
    fn altered_tars_with_valid_checksums_are_bounded(changes in prop::collection::vec(change(), 1..6), packed: bool) {
        let mut archive = honest()[4].clone();
        changes.iter().for_each(|change| change.apply(&mut archive));
        sum_again(&mut archive);
        expect_bounded(&if packed { gzip(&archive) } else { archive });
    }
}
