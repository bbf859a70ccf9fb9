//! Archives that must be refused, or do no harm.

use super::{
    Item, SMALL, TreeLimits, Unpacking, WINDOWS, bzip2, edited, expect_refused, gzip, item, records, tar, tar_entry,
    tar_item, tar_of, with_dictionary, with_header, xz, zip, zip_from,
};

const CODE: &[u8] = b"print('hello, hello, hello, hello')\n";

fn file(name: impl AsRef<[u8]>) -> Item {
    item(name, 0o100_644, CODE)
}

/// This file beside another one.
fn named(name: impl AsRef<[u8]>) -> Vec<Item> {
    vec![file("notes.txt"), file(name)]
}

/// A file of this mode beside another one.
fn special(mode: u32, content: &[u8]) -> Vec<Item> {
    vec![file("notes.txt"), item("homework.py", mode, content)]
}

fn files<const N: usize>(names: [&str; N]) -> Vec<Item> {
    names.map(file).to_vec()
}

#[test]
fn bad_entries_are_refused_in_a_zip_and_in_a_tar() {
    let elsewhere = tempfile::tempdir().unwrap();
    let absolute = elsewhere.path().join("homework.py");
    let big = |name: &str, size: usize| item(name, 0o100_644, vec![0; size]);
    let numbered = |before: &str, after: &str| (0..51).map(|number| file(format!("{before}{number}{after}"))).collect();
    for (what, items, text) in [
        ("up", named("../homework.py"), "../homework.py: a path with `..`"),
        ("up and down", named("a/../../../homework.py"), "a path with `..`"),
        ("to the root", named(absolute.to_str().unwrap()), "an absolute path"),
        ("to a drive", named("C:homework.py"), "a path with a drive"),
        ("a backslash from Unix", named("..\\homework.py"), "a backslash in the name"),
        ("an end of line", named("homework\n.py"), "control characters"),
        ("turned around", named("homework\u{202e}yp.txt"), "control characters or invisible characters"),
        ("a long name", named("h".repeat(51)), "the name is too long, expected at most 50 bytes"),
        ("a long path", named("abcdefghi/".repeat(12) + "h"), "the path is too long, expected at most 120"),
        ("deep folders", named("1/2/3/4/5/homework.py"), "too deep, expected at most 4 nested folders"),
        ("no name", named("."), "a file without a name"),
        ("a file with a slash", named("a/"), "a folder with content"),
        ("a folder with content", special(0o040_755, CODE), "a folder with content"),
        (
            "a symbolic link",
            special(0o120_777, b""),
            "homework.py: a symbolic link, expected files and folders only; help",
        ),
        ("through a symbolic link", vec![item("out", 0o120_777, ""), file("out/homework.py")], "out: a symbolic link"),
        ("a device", special(0o020_666, b""), "a device, expected files"),
        ("a disk", special(0o060_666, b""), "a device, expected files"),
        ("a pipe", special(0o010_644, b""), "a named pipe, expected files"),
        ("a file twice", files(["homework.py", "homework.py"]), "twice"),
        ("twice, spelled differently", files(["homework.py", ".//homework.py"]), "homework.py: it occurs twice"),
        (
            "only the case differs",
            files(["homework.py", "Homework.py"]),
            "differs from homework.py only in letter case",
        ),
        ("only the case of a folder differs", files(["a/1", "A/2"]), "differs from a only in letter case"),
        ("only the case beyond ASCII differs", files(["\u{fc}", "\u{dc}"]), "only in letter case"),
        ("a file in a file", files(["a", "a/1"]), "a: both a file and a folder"),
        ("a file for a folder", files(["a/1", "a"]), "a: both a file and a folder"),
        ("a folder for a file", vec![file("a"), item("a/", 0o040_755, "")], "a: both a file and a folder"),
        ("a bomb", vec![big("bomb", (1 << 20) + 1)], "too big, expected at most 1 MiB unpacked"),
        ("two halves", vec![big("a", 700_000), big("b", 700_000)], "too big"),
        ("entries", numbered("", ""), "too many entries, expected at most 50 files and folders"),
        ("folders of files", numbered("", "/a").split_off(21), "too many entries"),
        ("entries that are left out", numbered("._", ""), "too many entries"),
        ("no entries", Vec::new(), "it has no files"),
        ("only folders", vec![item("a/", 0o040_755, "")], "it has no files"),
        ("only files that a Mac adds", files(["__MACOSX/._a", ".DS_Store"]), "it has no files"),
    ] {
        expect_refused(&format!("{what}, in a zip"), &zip(&items), &SMALL, text);
        expect_refused(&format!("{what}, in a tar"), &tar_of(&items), &SMALL, text);
        expect_refused(&format!("{what}, in a tar.gz"), &gzip(&tar_of(&items)), &SMALL, text);
    }
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    let whole = [big("a", 1 << 20)];
    for archive in [zip(&whole), tar_of(&whole)] {
        expect_refused("one byte too many", &archive, &TreeLimits { bytes: (1 << 20) - 1, ..SMALL }, "too big");
        assert!(Unpacking::new(&archive).unpack(&SMALL).is_ok());
    }
}

#[test]
fn bad_zips_are_refused() {
    let windows = |name: &str| zip_from(WINDOWS, &[file(name)]);
    let whole = zip(&named("homework.py"));
    let changed = |field, new: &[u8]| edited(whole.clone(), 2, field, new);
    let many: Vec<Item> = (0..2_000).map(|number| item(format!("{number}"), 0o100_644, "x")).collect();
    let lying = edited(zip(&[item("bomb", 0o100_644, vec![0; 20 << 20])]), 1, 24, &[10, 0, 0, 0]);
    let content = "homework.py: damaged: its content does not match its size and checksum; help: pack";
    for (what, archive, text) in [
        ("up, by backslashes", windows("..\\homework.py"), "a path with `..`"),
        ("to the root, by a backslash", windows("\\homework.py"), "an absolute path"),
        ("to a server", windows("\\\\server\\homework.py"), "an absolute path"),
        ("to a drive", windows("C:\\homework.py"), "a path with a drive"),
        ("a link from Windows", zip_from(WINDOWS, &special(0o120_777, b"")), "a symbolic link"),
        ("a zero", zip(&named("homework.py\0.txt")), "homework.py\\u{0}.txt: control characters"),
        ("an empty name", zip(&[file("")]), "a file without a name"),
        ("a socket", zip(&special(0o140_755, b"")), "a socket, expected files"),
        ("a whiteout", zip(&special(0o160_000, b"")), "a file of an unknown kind, expected files"),
        ("encrypted", changed(8, &[1]), "homework.py: encrypted; help: pack again without"),
        ("strongly encrypted", changed(8, &[1 | 1 << 6]), "encrypted"),
        ("encrypted with AES", changed(10, &[99]), "encrypted"),
        ("bzip2", changed(10, &[12]), "homework.py: compressed with bzip2, expected deflate; help"),
        ("an unknown method", changed(10, &[77]), "compressed with an uncommon method"),
        ("a wrong checksum", changed(16, &[1, 2, 3, 4]), content),
        ("too long", changed(24, &[9]), content),
        ("too short", changed(24, &[99]), content),
        ("content without its end", changed(20, &[9]), "damaged: "),
        ("content that is not deflated", changed(10, &[0]), content),
        ("far beyond the end", changed(42, &[0xff, 0xff, 0xff, 0x7f]), "damaged: "),
        ("where no header is", changed(42, &[1, 0]), content),
        ("a bomb with a small size", lying, "bomb: damaged: its content"),
        ("a size of 64 bits", changed(24, &[0xff; 4]), "too big"),
        ("2,000 entries", zip(&many), "too many entries, expected at most 50 files and folders"),
        ("a first part", [b"PK\x07\x08", &whole[..]].concat(), "multi-part archive"),
        ("cut", whole[..whole.len() - 30].to_vec(), "damaged: its directory is missing or invalid"),
        ("only the start", whole[..10].to_vec(), "damaged: its directory is missing or invalid"),
    ] {
        expect_refused(what, &archive, &SMALL, text);
    }
}

#[test]
fn zips_that_two_programs_read_differently_do_no_harm() {
    let whole = zip(&named("homework.py"));
    let at_end = |place: usize, new: &[u8]| {
        let mut bytes = whole.clone();
        let start = bytes.len() - place;
        bytes[start..start + new.len()].copy_from_slice(new);
        bytes
    };
    let mut renamed = whole.clone();
    renamed[30] = b'N';
    // One content for each of 40 names.
    let many: Vec<Item> = (0..40).map(|number| item(format!("{number:02}"), 0o100_644, vec![0; 1000])).collect();
    let shared = (1..=40).fold(zip(&many), |zip, number| edited(zip, number, 42, &[0; 4]));
    for (what, archive) in [
        ("another name before the content", renamed),
        ("bytes before", [b"PK\x03\x04 before", &whole[..]].concat()),
        ("bytes after", [&whole[..], b"more"].concat()),
        ("two ends", [&whole[..whole.len() - 2], &[22, 0], &zip(&[])].concat()),
        ("two zips", [&whole[..], &zip(&named("other.py"))].concat()),
        ("more entries than there are", at_end(14, &[3, 0, 3, 0])),
        ("fewer entries than there are", at_end(14, &[1, 0, 1, 0])),
        ("a different directory size", at_end(10, &[9, 9, 9, 9])),
        ("a missing zip64 record", at_end(6, &[255; 4])),
        ("on another disk", edited(whole.clone(), 2, 34, &[1])),
        ("a last part", at_end(18, &[1, 0, 1, 0])),
        ("more bytes than the archive", edited(whole.clone(), 2, 20, &[0xff, 0xff, 0xff, 0x7f])),
        ("a patch", edited(whole.clone(), 2, 8, &[1 << 5])),
        ("one content many times", shared),
    ] {
        // `unpack` checks that nothing outside changes, and that there are only files and folders inside.
        match Unpacking::new(&archive).unpack(&SMALL) {
            Ok(listing) => assert!(listing.len() <= 50, "{what}: {listing:?}"),
            Err(error) => assert!(!error.is_machine_fault(), "{what}: {error}"),
        }
    }
}

#[test]
fn bad_tars_are_refused() {
    let of_kind = |kind| tar(&[tar_item(&file("notes.txt")), tar_entry(kind, "homework.py", 0o777, b"")]);
    let described = |kind, metadata: &[u8]| tar(&[tar_entry(kind, "metadata", 0, metadata), tar_item(&file("a.py"))]);
    let pax = |key, value: &str| described(b'x', &records(&[(key, value)]));
    let whole = tar_of(&named("homework.py"));
    let sized = |size| with_header(tar_item(&file("homework.py")), |header| header.set_size(size));
    let negative = with_header(tar_item(&file("homework.py")), |header| header.as_old_mut().size = *b"-0000000017\0");
    let mut unsummed = whole.clone();
    unsummed[1025] ^= 1;
    for (what, archive, text) in [
        (
            "not UTF-8",
            tar_of(&named(b"homework\xff.py")),
            "homework\u{fffd}.py: the name is not UTF-8; help: rename it",
        ),
        ("up, by a record", pax("path", "../homework.py"), "a path with `..`"),
        ("up, by a long name", described(b'L', b"a/../../homework.py\0"), "a path with `..`"),
        ("to the root, by a record", pax("path", "/tmp/homework.py"), "an absolute path"),
        ("a zero, by a long name", described(b'L', b"homework.py\0.txt\0"), "control characters"),
        ("a long path, by a record", pax("path", &"a/".repeat(1000)), "the path is too long"),
        ("a hard link", of_kind(b'1'), "homework.py: a hard link, expected files and folders only; help"),
        ("with holes", of_kind(b'S'), "a sparse file"),
        ("with holes, by a record", pax("GNU.sparse.major", "1"), "a sparse file"),
        ("a part of a file", of_kind(b'M'), "a file of an unknown kind"),
        ("an unknown kind", of_kind(b'Z'), "a file of an unknown kind"),
        ("another size, by a record", pax("size", "3"), "its extension headers are invalid"),
        ("an absurd size, by a record", pax("size", &u64::MAX.to_string()), "too big"),
        ("no size, by a record", pax("size", "-1"), "its extension headers are invalid"),
        ("records that are too long", pax("a", &"b".repeat(70_000)), "its extension headers are invalid"),
        ("a global header that is too long", described(b'g', &[b'a'; 70_000]), "its extension headers are invalid"),
        ("a record without a length", described(b'x', b"path=homework.py\n"), "its extension headers are invalid"),
        ("a record longer than the header", described(b'x', b"99 path=a.py\n"), "its extension headers are invalid"),
        ("without the end", whole[..whole.len() - 1024].to_vec(), "damaged: it ends too early"),
        ("cut in a file", whole[..1024 + 512 + 10].to_vec(), "damaged: it ends too early"),
        ("cut in a header", whole[..1024 + 100].to_vec(), "damaged: it ends too early"),
        ("bytes after the end", [&whole[..], CODE].concat(), "damaged: it has data after its end"),
        ("a second tar", [&whole[..], &whole].concat(), "damaged: it has data after its end"),
        ("a wrong header checksum", unsummed, "damaged: its data is invalid"),
        ("a size that is not a number", tar(&[negative]), "damaged: its data is invalid"),
        ("a size without its bytes", tar(&[sized(1 << 40)]), "too big, expected at most 1 MiB unpacked"),
        ("an absurd size", tar(&[sized(1 << 62)]), "too big"),
    ] {
        expect_refused(what, &archive, &SMALL, text);
        expect_refused(&format!("{what}, compressed"), &gzip(&archive), &SMALL, text);
    }
    let zeros = |name: &str| item(name, 0o100_644, vec![0; 20 << 20]);
    let endless = vec![tar_entry(b'g', "a", 0, &records(&[("comment", "c")])); 4000];
    for (what, bomb) in [
        ("a bomb that is left out", tar_of(&[zeros("._bomb")])),
        ("zeros after the end", [tar_of(&[file("a")]), vec![0; 20 << 20]].concat()),
        ("endless metadata", tar(&endless)),
    ] {
        expect_refused(what, &gzip(&bomb), &SMALL, "too big");
    }
}

#[test]
fn damaged_gzip() {
    let whole = gzip(&tar_of(&named("homework.py")));
    let with_wrong = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        bytes
    };
    for (what, archive, text) in [
        ("cut", whole[..whole.len() - 9].to_vec(), "damaged: it ends too early"),
        ("cut in the checksum", whole[..whole.len() - 3].to_vec(), "damaged: it ends too early"),
        ("a wrong checksum", with_wrong(whole.len() - 8), "damaged: its data is invalid"),
        ("a wrong length", with_wrong(whole.len() - 1), "damaged: its data is invalid"),
        ("another method", with_wrong(2), "damaged: its data is invalid"),
        ("bytes after the end", [&whole[..], b"more"].concat(), "damaged: it has data after its end"),
        ("two pieces", [&whole[..], &whole].concat(), "damaged: it has data after its end"),
        (
            "no tar",
            gzip(CODE),
            "one file compressed with gzip, expected a zip, tar, tar.gz, tar.bz2 or tar.xz; help: hand in the file",
        ),
        ("gzip in gzip", gzip(&whole), "one file compressed with gzip"),
    ] {
        expect_refused(what, &archive, &SMALL, text);
    }
}

#[test]
fn damaged_bzip2_and_xz() {
    for (name, compressed) in [("bzip2", bzip2 as fn(&[u8]) -> Vec<u8>), ("xz", xz)] {
        let whole = compressed(&tar_of(&named("homework.py")));
        let bomb = compressed(&tar_of(&[item("bomb", 0o100_644, vec![0; 20 << 20])]));
        for (what, archive, text) in [
            ("cut", whole[..whole.len() / 2].to_vec(), "damaged: "),
            ("cut near the end", whole[..whole.len() - 3].to_vec(), "damaged: it ends too early"),
            ("bytes after the end", [&whole[..], b"more"].concat(), "damaged: it has data after its end"),
            ("two pieces", [&whole[..], &whole].concat(), "damaged: it has data after its end"),
            ("no tar", compressed(CODE), &format!("one file compressed with {name}, expected a zip")),
            ("a bomb", bomb, "too big"),
        ] {
            expect_refused(&format!("{name}: {what}"), &archive, &SMALL, text);
        }
        let files = Unpacking::new(&whole).unpack(&SMALL).unwrap();
        // Some bits have no effect, such as that of the block size for a short file.
        for place in (0..whole.len() * 8).step_by(3) {
            let mut bytes = whole.clone();
            bytes[place / 8] ^= 1 << (place % 8);
            let unpacked = Unpacking::new(&bytes).unpack(&SMALL);
            assert!(unpacked.is_err() || unpacked.is_ok_and(|altered| altered == files), "{name}: bit {place}");
        }
    }
    let asking = |size| with_dictionary(xz(&tar_of(&named("homework.py"))), size);
    for size in [31, 40] {
        let text = "too much memory to unpack, expected at most 128 MiB; help: pack";
        expect_refused(&format!("a dictionary {size}"), &asking(size), &SMALL, text);
    }
    // More than 4 GiB cannot be asked for.
    expect_refused("a dictionary 41", &asking(41), &SMALL, "damaged: ");
}

#[test]
fn files_that_are_not_archives() {
    for (what, bytes, text) in [
        ("nothing", &b""[..], "not an archive, expected a zip, tar, tar.gz, tar.bz2 or tar.xz; help: pack the folder"),
        ("a script", b"#!/usr/bin/env python3\n", "not an archive"),
        ("RAR", b"Rar!\x1a\x07\x01\0", "a RAR archive, expected a zip, tar, tar.gz, tar.bz2 or tar.xz; help: pack"),
        ("7z", b"7z\xbc\xaf\x27\x1c\0\x04", "a 7z archive"),
        ("bzip2", b"BZh91AY", "damaged: it ends too early"),
        ("xz", b"\xfd7zXZ\0\0\x04", "damaged: it ends too early"),
        ("zstd", b"\x28\xb5\x2f\xfd\x24", "a file compressed with zstd"),
    ] {
        expect_refused(what, bytes, &SMALL, text);
    }
}
