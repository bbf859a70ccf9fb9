//! Archives that students submit.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use super::forge::{
    WINDOWS, ZipEntry, bzip2, gzip, records, tar, tar_entry, tar_file, with_header, xz, zip, zip_end, zip64,
};
use super::{ArchiveError, Desk, TreeLimits, expect_unpacked, listing};
use crate::intake::archive::unpack;

const SCRIPT: &str = "#!/usr/bin/env python3\n";

/// A zip from Unix: a folder that contains an executable `homework` and a folder with one file.
fn unix_zip(folder: &str) -> Vec<u8> {
    let named = |name: &str| format!("{folder}{name}");
    zip(&[
        ZipEntry { mode: 0o040_755, ..ZipEntry::stored(named("data/"), b"") },
        ZipEntry { mode: 0o104_750, ..ZipEntry::deflated(named("homework"), SCRIPT.as_bytes()) },
        ZipEntry { mode: 0o100_600, ..ZipEntry::stored(named("data/run.sh"), SCRIPT.as_bytes()) },
    ])
}

/// The same files as a tar.
fn unix_tar(folder: &str) -> Vec<u8> {
    let named = |name: &str| format!("{folder}{name}");
    tar(&[
        tar_entry(b'5', named("data/"), 0o2775, b""),
        tar_entry(b'0', named("homework"), 0o6755, SCRIPT.as_bytes()),
        tar_entry(b'0', named("data/run.sh"), 0o600, SCRIPT.as_bytes()),
    ])
}

const UNIX_FILES: [(&str, u32, &str); 3] =
    [("data/", 0o755, ""), ("homework", 0o755, SCRIPT), ("data/run.sh", 0o644, SCRIPT)];

#[test]
fn an_enclosing_folder_is_dropped_and_modes_are_kept() {
    for folder in ["", "./", "alice/", "./alice smith \u{fc}/"] {
        expect_unpacked(&unix_zip(folder), &UNIX_FILES);
        expect_unpacked(&zip64(&unix_zip(folder), |_| ()), &UNIX_FILES);
        if folder.is_ascii() {
            expect_unpacked(&unix_tar(folder), &UNIX_FILES);
            for compressed in [gzip, bzip2, xz] {
                expect_unpacked(&compressed(&unix_tar(folder)), &UNIX_FILES);
            }
        }
    }
    let deeper = UNIX_FILES.map(|(path, mode, content)| (format!("bob/{path}"), mode, content));
    let mut expected: Vec<_> = deeper.iter().map(|(path, mode, content)| (path.as_str(), *mode, *content)).collect();
    expected.push(("bob/", 0o755, ""));
    expect_unpacked(&unix_zip("alice/bob/"), &expected);
}

#[test]
fn files_that_a_mac_adds_are_left_out() {
    let files = ["alice/homework", "alice/.DS_Store", "alice/._homework", "__MACOSX/alice/._homework"];
    let zipped: Vec<ZipEntry> = files.iter().map(|name| ZipEntry::deflated(name, b"1")).collect();
    let tarred: Vec<Vec<u8>> = files.iter().map(|name| tar_file(name, b"1")).collect();
    expect_unpacked(&zip(&zipped), &[("homework", 0o644, "1")]);
    expect_unpacked(&gzip(&tar(&tarred)), &[("homework", 0o644, "1")]);
}

#[test]
fn files_of_a_windows_zip_get_their_modes_by_content() {
    let windows =
        |name: &str, content: &[u8]| ZipEntry { system: WINDOWS, mode: 0, ..ZipEntry::deflated(name, content) };
    let archive = zip(&[
        ZipEntry { method: 0, packed: Vec::new(), ..windows("alice\\", b"") },
        windows("alice\\homework", SCRIPT.as_bytes()),
        windows("alice\\data\\agent", b"\x7fELF\x02"),
        windows("alice\\homework.py", b"print()"),
        windows("alice\\Thumbs.db", b"1"),
        ZipEntry { mode: 0o100_666, ..windows("alice/python", SCRIPT.as_bytes()) },
    ]);
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
fn a_streamed_zip_has_its_sizes_after_the_content() {
    let entry = ZipEntry { flags: 1 << 3, ..ZipEntry::deflated("homework", b"1") };
    let mut archive = zip(std::slice::from_ref(&entry));
    // Checksum and sizes in the local header.
    archive[14..26].fill(0);
    let directory = archive.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    let size = archive.len() - 22 - directory;
    archive.truncate(archive.len() - 22);
    let mut descriptor = b"PK\x07\x08".to_vec();
    descriptor
        .extend([entry.checksum, entry.packed.len() as u32, entry.size].iter().flat_map(|field| field.to_le_bytes()));
    let start = directory + descriptor.len();
    archive.splice(directory..directory, descriptor);
    archive.extend(zip_end(1, size as u32, start as u32));
    let comment = b"made by PK\x05\x06";
    let length = archive.len();
    archive[length - 2] = comment.len() as u8;
    archive.extend(comment);
    expect_unpacked(&archive, &[("homework", 0o644, "1")]);
}

#[test]
fn long_names_and_old_forms_of_tar() {
    let long = format!("{}/{}", "f".repeat(120), "h".repeat(200));
    let slashed = with_header(tar_file("old/", b""), |header| header.as_old_mut().linkflag = [0]);
    let packed = tar(&[
        tar_entry(b'g', "pax_global_header", 0, &records(&[("comment", "a commit")])),
        tar_entry(b'x', "PaxHeaders/1", 0, &records(&[("mtime", "1.5"), ("path", &long), ("size", "1")])),
        tar_file("short", b"1"),
        tar_entry(b'L', "././@LongLink", 0, format!("{long}2\0").as_bytes()),
        tar_file("short", b"2"),
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
    let desk = Desk::new(&unix_zip(""));
    let limits = TreeLimits::default();
    let refused = |text: &str| {
        let error = desk.unpack(&limits).unwrap_err();
        assert!(error.to_string().contains(text) && error.is_machine_fault(), "{error}");
    };
    fs::create_dir(desk.target()).unwrap();
    refused("already exists");
    fs::remove_dir(desk.target()).unwrap();
    fs::write(desk.target(), "mine").unwrap();
    refused("already exists");
    fs::remove_file(desk.target()).unwrap();
    symlink(desk.around.path(), desk.target()).unwrap();
    let error = unpack(&desk.archive(), &desk.target(), &limits).unwrap_err();
    assert!(matches!(error, ArchiveError::Exists(path) if path == desk.target()));
    fs::remove_file(desk.target()).unwrap();
    let error = unpack(&desk.archive(), &desk.folder().join("missing/into"), &limits).unwrap_err();
    assert!(error.to_string().contains("missing/into") && error.is_machine_fault(), "{error}");
    let error = unpack(&desk.folder().join("missing"), &desk.target(), &limits).unwrap_err();
    assert!(error.to_string().contains("cannot be read: No such file"), "{error}");
    let error = unpack(&desk.folder(), &desk.target(), &limits).unwrap_err();
    assert!(error.to_string().contains("not a regular file"), "{error}");
    assert_eq!(desk.unpack(&limits).unwrap().len(), UNIX_FILES.len());
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
    let desk = Desk::new(b"");
    fs::remove_file(desk.archive()).unwrap();
    let folder = desk.around.path().join("alice");
    submission(&folder);
    let archive = desk.archive();
    let arguments = arguments.iter().map(|&argument| match argument {
        "ARCHIVE" => archive.as_os_str(),
        argument => argument.as_ref(),
    });
    let mut command = Command::new(program);
    match command.args(arguments).current_dir(desk.around.path()).env("LC_ALL", "C.UTF-8").output() {
        Err(_) => return println!("no {program} here"),
        Ok(done) => assert!(done.status.success(), "{program}: {done:?}"),
    }
    assert_eq!(desk.unpack(&TreeLimits::default()).unwrap(), listing(&folder), "{program}");
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
