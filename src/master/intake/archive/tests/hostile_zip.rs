//! Zips that must be refused.

use super::forge::{WINDOWS, ZipEntry, zip, zip_end, zip64};
use super::{SMALL, TreeLimits, expect_refused};

fn file(name: impl AsRef<[u8]>) -> ZipEntry {
    ZipEntry::deflated(name, b"print('hello, hello, hello, hello')\n")
}

/// The file `homework.py`, altered by `change`, next to another file.
fn changed(change: impl Fn(&mut ZipEntry)) -> Vec<u8> {
    let mut entry = file("homework.py");
    change(&mut entry);
    zip(&[file("notes.txt"), entry])
}

fn named(name: impl AsRef<[u8]>) -> Vec<u8> {
    zip(&[file("notes.txt"), file(name)])
}

/// Replaces the bytes at `place`; a negative place counts from the end.
fn patched(mut bytes: Vec<u8>, place: isize, new: &[u8]) -> Vec<u8> {
    let start = if place < 0 { bytes.len() - place.unsigned_abs() } else { place.unsigned_abs() };
    bytes[start..start + new.len()].copy_from_slice(new);
    bytes
}

/// Expects each archive to be refused with a reason that contains the given text.
fn expect_all_refused(archives: &[(&str, Vec<u8>, &str)]) {
    for (what, archive, text) in archives {
        expect_refused(what, archive, &SMALL, text);
    }
}

#[test]
fn paths_that_lead_out_of_the_folder() {
    let elsewhere = tempfile::tempdir().unwrap();
    let absolute = elsewhere.path().join("homework.py");
    let windows = |name: &str| zip(&[ZipEntry { system: WINDOWS, ..file(name) }]);
    expect_all_refused(&[
        ("up", named("../homework.py"), "../homework.py: a path with `..`"),
        ("up and down", named("a/../../../homework.py"), "a path with `..`"),
        ("up, by backslashes", windows("..\\homework.py"), "a path with `..`"),
        ("to the root", named(absolute.to_str().unwrap()), "an absolute path"),
        ("to the root, by a backslash", windows("\\homework.py"), "an absolute path"),
        ("to a server", windows("\\\\server\\homework.py"), "an absolute path"),
        ("to a drive", windows("C:\\homework.py"), "a path with a drive"),
        ("to a drive, from Unix", named("C:homework.py"), "a path with a drive"),
        ("a backslash from Unix", named("..\\homework.py"), "a backslash in the name"),
    ]);
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn misleading_names() {
    expect_all_refused(&[
        ("not UTF-8", named(b"homework\xff.py"), "homework\u{fffd}.py: the name is not UTF-8; help: rename it"),
        ("a zero", named("homework.py\0.txt"), "homework.py\\u{0}.txt: control characters"),
        ("an end of line", named("homework\n.py"), "control characters"),
        ("turned around", named("homework\u{202e}yp.txt"), "control characters or invisible characters"),
        ("a long name", named("h".repeat(51)), "the name is too long, expected at most 50 bytes"),
        (
            "a long path",
            named("h/".repeat(2) + &"abcdefghi/".repeat(12) + "h"),
            "the path is too long, expected at most 120",
        ),
        ("deep folders", named("1/2/3/4/5/homework.py"), "too deep, expected at most 4 nested folders"),
        ("no name", named("./"), "a folder with content"),
        ("an empty name", named(""), "a file without a name"),
    ]);
}

#[test]
fn entries_that_are_neither_files_nor_folders() {
    let special = |mode| changed(|entry| entry.mode = mode);
    expect_all_refused(&[
        ("a symbolic link", special(0o120_777), "homework.py: a symbolic link, expected files and folders only; help"),
        ("a device", special(0o020_666), "a device, expected files"),
        ("a disk", special(0o060_666), "a device, expected files"),
        ("a pipe", special(0o010_644), "a named pipe, expected files"),
        ("a socket", special(0o140_755), "a socket, expected files"),
        ("a whiteout", special(0o160_000), "a file of an unknown kind, expected files"),
        ("a folder with content", special(0o040_755), "a folder with content"),
        ("a link from Windows", changed(|entry| (entry.mode, entry.system) = (0o120_777, WINDOWS)), "a symbolic link"),
    ]);
}

#[test]
fn entries_that_contradict_each_other() {
    let pair = |first: &str, second: &str| zip(&[file(first), file(second)]);
    expect_all_refused(&[
        ("a file twice", pair("homework.py", "homework.py"), "homework.py: it occurs twice"),
        ("twice, spelled differently", pair("homework.py", ".//homework.py"), "it occurs twice"),
        ("only the case differs", pair("homework.py", "Homework.py"), "differs from homework.py only in letter case"),
        ("only the case of a folder differs", pair("a/1", "A/2"), "differs from a only in letter case"),
        ("a file in a file", pair("a", "a/1"), "a: both a file and a folder"),
        ("a file for a folder", pair("a/1", "a"), "a: both a file and a folder"),
        (
            "another name before the content",
            changed(|entry| entry.local_name[0] = b'H'),
            "contradicts itself about its name",
        ),
        (
            "a longer name before the content",
            changed(|entry| entry.local_name.push(b'c')),
            "contradicts itself about its name",
        ),
    ]);
}

#[test]
fn wrong_numbers() {
    let one = zip(&[file("homework.py")]);
    let entry = file("homework.py");
    // Start of the header in the directory, and a local header shared by two entries.
    let directory = 30 + "homework.py".len() + entry.packed.len();
    let in_directory = |field: usize, new: &[u8]| patched(one.clone(), (directory + field) as isize, new);
    let mut nested = zip(&[ZipEntry::stored("outer", &zip(&[file("inner")])), file("inner")]);
    let second = nested.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    nested[second + 42..second + 46].copy_from_slice(&35_u32.to_le_bytes());
    expect_all_refused(&[
        ("a wrong checksum", changed(|entry| entry.checksum ^= 1), "homework.py: damaged: wrong checksum"),
        ("too short", changed(|entry| entry.size += 1), "not as long as the archive says"),
        ("too long", changed(|entry| entry.size -= 1), "not as long as the archive says"),
        ("bytes after the content", changed(|entry| entry.packed.push(0)), "not as long as the archive says"),
        ("content without its end", changed(|entry| entry.packed.truncate(5)), "not as long as the archive says"),
        (
            "content that is not deflated",
            changed(|entry| entry.packed.fill(0xff)),
            "homework.py: damaged: cannot be decompressed",
        ),
        ("another checksum in the directory", in_directory(16, &[1, 2, 3, 4]), "contradicts itself about its checksum"),
        ("another size in the directory", in_directory(24, &[9, 0, 0, 0]), "contradicts itself about its size"),
        ("another packed size", in_directory(20, &[9, 0, 0, 0]), "contradicts itself about its size"),
        ("another method", in_directory(10, &[0, 0]), "contradicts itself about its compression method"),
        ("far beyond the end", in_directory(42, &[0xff, 0xff, 0xff, 0x7f]), "lies outside the archive"),
        ("in the directory", in_directory(42, &(directory as u32 - 10).to_le_bytes()), "lies outside the archive"),
        ("where no header is", in_directory(42, &[1, 0, 0, 0]), "contradicts itself about its place"),
        ("more bytes than the archive", in_directory(20, &[0xff, 0xff, 0xff, 0x7f]), "lies outside the archive"),
        ("within another", nested, "inner: shares bytes with another file"),
        ("one header twice", shared(2), "shares bytes with another file"),
    ]);
}

/// A zip with this many entries that share one content, each unpacked separately.
fn shared(entries: u16) -> Vec<u8> {
    let mut bytes = zip(&[ZipEntry::deflated("x", &vec![0; 1000])]);
    let start = bytes.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    let header = bytes[start..bytes.len() - 22].to_vec();
    bytes.truncate(start);
    for _ in 0..entries {
        bytes.extend(&header);
    }
    bytes.extend(zip_end(entries, u32::from(entries) * header.len() as u32, start as u32));
    bytes
}

#[test]
fn unsupported_kinds_of_zip() {
    expect_all_refused(&[
        ("encrypted", changed(|entry| entry.flags = 1), "homework.py: encrypted; help: pack again without"),
        ("strongly encrypted", changed(|entry| entry.flags = 1 | 1 << 6), "encrypted"),
        ("encrypted with AES", changed(|entry| entry.method = 99), "encrypted"),
        ("bzip2", changed(|entry| entry.method = 12), "homework.py: compressed with bzip2, expected deflate; help"),
        ("an unknown method", changed(|entry| entry.method = 77), "compressed with method 77"),
        ("a patch", changed(|entry| entry.flags = 1 << 5), "expected deflate"),
        ("on another disk", changed(|entry| entry.disk = 1), "multi-part archive"),
        ("a last part", patched(named("a"), -18, &[1, 0, 1, 0]), "multi-part archive"),
        ("a first part", patched(named("a"), 0, b"PK\x07\x08"), "multi-part archive"),
        ("no entries", zip(&[]), "it has no files"),
        ("only a folder", zip(&[ZipEntry::stored("homework/", b"")]), "it has no files"),
        ("only files that a Mac adds", zip(&[file("__MACOSX/._a"), file(".DS_Store")]), "it has no files"),
    ]);
}

#[test]
fn wrong_ends() {
    let whole = named("homework.py");
    let nested = {
        let end = zip_end(0, 0, 0);
        let comment = [&(end.len() as u16).to_le_bytes()[..], &end].concat();
        [&whole[..whole.len() - 2], &comment].concat()
    };
    let moved = [b"PK\x03\x04 before", &whole[..]].concat();
    expect_all_refused(&[
        ("cut", whole[..whole.len() - 30].to_vec(), "damaged: it ends too early"),
        ("only the start", whole[..10].to_vec(), "damaged: it ends too early"),
        ("cut in the last record", whole[..whole.len() - 1].to_vec(), "damaged: it has data after its end"),
        ("bytes after the end", [&whole[..], b"more"].concat(), "damaged: it has data after its end"),
        ("two ends", nested, "damaged: it has two end records"),
        ("bytes before", moved, "its directory does not match"),
        ("more entries than there are", patched(whole.clone(), -14, &[3, 0, 3, 0]), "its directory does not match"),
        ("fewer entries than there are", patched(whole.clone(), -14, &[1, 0, 1, 0]), "its directory does not match"),
        ("a different directory size", patched(whole.clone(), -10, &[9, 9, 9, 9]), "its directory does not match"),
        ("a missing zip64 record", patched(whole.clone(), -6, &[255; 4]), "its directory does not match"),
        ("zip64 with an absurd size", zip64(&whole, |numbers| numbers[1] = u64::MAX), "its directory does not match"),
        ("zip64 with an absurd place", zip64(&whole, |numbers| numbers[2] = u64::MAX - 1), "its directory"),
        ("zip64 with absurd entries", zip64(&whole, |numbers| numbers[0] = u64::MAX), "at most 50 files and folders"),
        ("zip64 that leads nowhere", patched(zip64(&whole, |_| ()), -34, &[255; 8]), "its directory does not match"),
    ]);
}

#[test]
fn archives_that_are_too_big() {
    let bomb = |size| ZipEntry::deflated("bomb", &vec![0; size]);
    let large = |size: u64| {
        let extra = [&[1, 0, 8, 0], &size.to_le_bytes()[..]].concat();
        changed(|entry| (entry.size, entry.extra) = (u32::MAX, extra.clone()))
    };
    let many: Vec<ZipEntry> = (0..20_000).map(|number| ZipEntry::stored(format!("{number}"), b"x")).collect();
    let folders: Vec<ZipEntry> = (0..30).map(|number| file(format!("{number}/a"))).collect();
    let lying = ZipEntry { size: 10, ..bomb(20 << 20) };
    expect_all_refused(&[
        ("a bomb", zip(&[bomb((1 << 20) + 1)]), "too big, expected at most 1 MiB unpacked"),
        ("a bomb with a small declared size", zip(&[lying]), "bomb: damaged: not as long as the archive says"),
        ("two halves", zip(&[bomb(700_000), ZipEntry { name: b"b".into(), ..bomb(700_000) }]), "too big"),
        ("zip64 with an absurd length", large(u64::MAX), "too big"),
        ("entries", zip(&many), "too many entries, expected at most 50 files and folders"),
        ("folders of files", zip(&folders), "too many entries"),
        ("one content many times", shared(50), "shares bytes with another file"),
        ("stored", zip(&[ZipEntry::stored("a", &vec![1; 4 << 20])]), "too big"),
    ]);
    let archive = zip(&[bomb(1 << 20)]);
    expect_refused("one byte too many", &archive, &TreeLimits { bytes: (1 << 20) - 1, ..SMALL }, "too big");
    assert!(super::Desk::new(&archive).unpack(&SMALL).is_ok());
}
