//! Tars that must be refused, and files that are not archives.

use super::forge::{bzip2, gzip, records, tar, tar_entry, tar_file, with_dictionary, with_header, xz};
use super::{Desk, SMALL, expect_refused};

const CODE: &[u8] = b"print('hello')\n";

fn named(name: impl AsRef<[u8]>) -> Vec<u8> {
    tar(&[tar_file("notes.txt", b""), tar_file(name, CODE)])
}

fn of_kind(kind: u8) -> Vec<u8> {
    tar(&[tar_file("notes.txt", b""), tar_entry(kind, "homework.py", 0o777, b"")])
}

/// A file preceded by an extension header of this kind.
fn described(kind: u8, metadata: &[u8]) -> Vec<u8> {
    tar(&[tar_entry(kind, "metadata", 0o644, metadata), tar_file("homework.py", CODE)])
}

fn pax(pairs: &[(&str, &str)]) -> Vec<u8> {
    described(b'x', &records(pairs))
}

/// Expects each of these to be refused, compressed or not, for a reason that contains its text.
fn expect_all_refused(archives: &[(&str, Vec<u8>, &str)]) {
    for (what, archive, text) in archives {
        expect_refused(what, archive, &SMALL, text);
        expect_refused(&format!("{what}, compressed"), &gzip(archive), &SMALL, text);
    }
}

#[test]
fn paths_that_lead_out_of_the_folder_or_cannot_be_read() {
    let elsewhere = tempfile::tempdir().unwrap();
    let absolute = elsewhere.path().join("homework.py");
    let absolute = absolute.to_str().unwrap();
    expect_all_refused(&[
        ("up", named("../homework.py"), "../homework.py: a path with `..`"),
        ("up, by a record", pax(&[("path", "../homework.py")]), "a path with `..`"),
        ("up, by a long name", described(b'L', b"a/../../homework.py\0"), "a path with `..`"),
        ("to the root", named(absolute), "an absolute path"),
        ("to the root, by a record", pax(&[("path", absolute)]), "an absolute path"),
        ("to a drive", named("c:/homework.py"), "a path with a drive"),
        ("a backslash", named("a\\homework.py"), "a backslash in the name"),
        ("not UTF-8", named(b"homework\xe9.py"), "the name is not UTF-8"),
        ("turned around", named("homework\u{202e}yp.txt"), "control characters"),
        ("a zero, by a long name", described(b'L', b"homework.py\0.txt\0"), "control characters"),
        ("a long name", described(b'L', &[b'h'; 51]), "the name is too long"),
        ("a long path, by a record", pax(&[("path", &"a/".repeat(1000))]), "the path is too long"),
        ("deep folders", named("1/2/3/4/5/homework.py"), "too deep"),
        ("no name", named("./."), "a file without a name"),
    ]);
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn entries_that_are_neither_files_nor_folders() {
    let then_through = |link| tar(&[tar_entry(link, "out", 0o777, b""), tar_file("out/homework.py", CODE)]);
    expect_all_refused(&[
        ("a symbolic link", of_kind(b'2'), "homework.py: a symbolic link, expected files and folders only; help"),
        ("through a symbolic link", then_through(b'2'), "out: a symbolic link"),
        ("a hard link", of_kind(b'1'), "homework.py: a hard link, expected files and folders only; help"),
        ("a terminal", of_kind(b'3'), "a device"),
        ("a disk", of_kind(b'4'), "a device"),
        ("a named pipe", of_kind(b'6'), "a named pipe"),
        ("with holes", of_kind(b'S'), "a sparse file"),
        ("with holes, by a record", pax(&[("GNU.sparse.major", "1")]), "a sparse file"),
        ("a part of a file", of_kind(b'M'), "a file of an unknown kind"),
        ("an unknown kind", of_kind(b'Z'), "a file of an unknown kind"),
        ("a folder with content", tar(&[tar_entry(b'5', "a", 0o755, CODE)]), "a folder with content"),
        ("a file with a slash", named("a/"), "a folder with content"),
    ]);
}

#[test]
fn entries_that_contradict_each_other() {
    let pair = |first: &str, second: &str| tar(&[tar_file(first, CODE), tar_file(second, CODE)]);
    let path = ("path", "homework.py");
    expect_all_refused(&[
        ("a file twice", pair("homework.py", "./homework.py"), "homework.py: it occurs twice"),
        ("only the case differs", pair("homework.py", "HOMEWORK.py"), "only in letter case"),
        ("a file in a file", pair("a", "a/1"), "a: both a file and a folder"),
        ("a file for a folder", pair("a/1", "a"), "a: both a file and a folder"),
        (
            "another size, by a record",
            pax(&[("size", "3")]),
            "homework.py: the archive contradicts itself about its size",
        ),
        ("an absurd size, by a record", pax(&[("size", &u64::MAX.to_string())]), "contradicts itself about its size"),
        ("no size, by a record", pax(&[("size", "-1")]), "contradict themselves"),
        ("two paths", pax(&[path, path]), "contradict themselves"),
        ("a path for all entries", described(b'g', &records(&[path])), "contradict themselves"),
        (
            "records that are too long",
            described(b'x', &records(&[("a", &"b".repeat(70_000))])),
            "contradict themselves",
        ),
        ("a record without a length", described(b'x', b"path=homework.py\n"), "contradict themselves"),
        ("a record longer than the header", described(b'x', b"99 path=homework.py\n"), "contradict themselves"),
        ("a record shorter than itself", described(b'x', b"3 path=homework.py\n"), "contradict themselves"),
        ("an absurd length", described(b'x', b"99999999999999999999 path=a\n"), "contradict themselves"),
        ("records for no entry", tar(&[tar_entry(b'x', "a", 0o644, &records(&[path]))]), "contradict themselves"),
        (
            "two descriptions",
            tar(&[tar_entry(b'x', "a", 0, &records(&[path])), tar_entry(b'L', "a", 0, b"b\0"), tar_file("c", CODE)]),
            "contradict themselves",
        ),
    ]);
}

#[test]
fn damaged_tars() {
    let whole = named("homework.py");
    let wrong = with_header(tar_file("homework.py", CODE), |header| header.as_old_mut().size = *b"-0000000017\0");
    let mut unsummed = whole.clone();
    unsummed[513] ^= 1;
    expect_all_refused(&[
        ("without the end", whole[..whole.len() - 1024].to_vec(), "damaged: it ends too early"),
        ("cut in a file", whole[..512 + 512 + 10].to_vec(), "damaged: it ends too early"),
        ("cut in a header", whole[..512 + 100].to_vec(), "damaged: it ends too early"),
        ("bytes after the end", [&whole[..], CODE].concat(), "damaged: it has data after its end"),
        ("a second tar", [&whole[..], &whole].concat(), "damaged: it has data after its end"),
        ("a wrong header checksum", unsummed, "damaged: its data is invalid"),
        ("a size that is not a number", tar(&[wrong]), "damaged: its data is invalid"),
        ("no entries", tar(&[]), "it has no files"),
        ("only folders", tar(&[tar_entry(b'5', "a/", 0o755, b"")]), "it has no files"),
        ("only files that a Mac adds", tar(&[tar_file("._a", CODE), tar_file(".DS_Store", CODE)]), "it has no files"),
    ]);
}

#[test]
fn damaged_gzip() {
    let whole = gzip(&named("homework.py"));
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
        let whole = compressed(&named("homework.py"));
        for (what, archive, text) in [
            ("cut", whole[..whole.len() / 2].to_vec(), "damaged: "),
            ("cut near the end", whole[..whole.len() - 3].to_vec(), "damaged: it ends too early"),
            ("bytes after the end", [&whole[..], b"more"].concat(), "damaged: it has data after its end"),
            ("two pieces", [&whole[..], &whole].concat(), "damaged: it has data after its end"),
            ("no tar", compressed(CODE), &format!("one file compressed with {name}, expected a zip")),
            ("a bomb", compressed(&tar(&[tar_file("bomb", &vec![0; 20 << 20])])), "too big"),
        ] {
            expect_refused(&format!("{name}: {what}"), &archive, &SMALL, text);
        }
        let files = Desk::new(&whole).unpack(&SMALL).unwrap();
        // Some bits have no effect, such as that of the block size for a short file.
        for place in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[place / 8] ^= 1 << (place % 8);
            let unpacked = Desk::new(&bytes).unpack(&SMALL);
            assert!(unpacked.is_err() || unpacked.is_ok_and(|altered| altered == files), "{name}: bit {place}");
        }
    }
    let asking = |size| with_dictionary(xz(&named("homework.py")), size);
    for size in [31, 40] {
        let text = "too much memory to unpack, expected at most 128 MiB; help: pack";
        expect_refused(&format!("a dictionary {size}"), &asking(size), &SMALL, text);
    }
    // More than 4 GiB cannot be asked for.
    expect_refused("a dictionary 41", &asking(41), &SMALL, "damaged: ");
}

#[test]
fn archives_that_are_too_big() {
    let sized = |size| with_header(tar_file("homework.py", CODE), |header| header.set_size(size));
    let many: Vec<Vec<u8>> = (0..51).map(|number| tar_file(format!("{number}"), b"x")).collect();
    let left_out: Vec<Vec<u8>> = (0..51).map(|number| tar_file(format!("._{number}"), b"x")).collect();
    let endless: Vec<Vec<u8>> = (0..8).map(|_| tar_entry(b'g', "a", 0, &records(&[("comment", "c")]))).collect();
    let halves = [tar_file("a", &vec![0; 700_000]), tar_file("b", &vec![0; 700_000])];
    expect_all_refused(&[
        ("a size without its bytes", tar(&[sized(1 << 40)]), "too big, expected at most 1 MiB unpacked"),
        ("an absurd size", tar(&[sized(1 << 62)]), "too big"),
        ("two halves", tar(&halves), "too big"),
        ("entries", tar(&many), "too many entries, expected at most 50 files and folders"),
        ("entries that are left out", tar(&left_out), "too many entries"),
    ]);
    for (what, bomb) in [
        ("a bomb", tar(&[tar_file("bomb", &vec![0; 20 << 20])])),
        ("a bomb that is left out", tar(&[tar_file("._bomb", &vec![0; 20 << 20])])),
        ("zeros after the end", tar(&[tar_file("a", CODE), vec![0; 20 << 20]])),
        ("endless metadata", tar(&vec![endless.concat(); 500])),
    ] {
        expect_refused(what, &gzip(&bomb), &SMALL, "too big");
    }
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
