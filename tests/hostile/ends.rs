//! Turns that end with a random tree of files in the working directory.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use kingline_players::protocol::turn_files::{CALIBRATION, INPUT, OUTPUT, PLAYDATA};
use nix::sys::signal::Signal;
use nix::sys::stat::{Mode, SFlag, mknod};
use nix::unistd::mkfifo;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};

use crate::answers;
use crate::process::{child, ignore, sleep};

/// Ways to end a turn, by name.
type End = (&'static str, fn(&mut StdRng));

const ENDS: &[End] = &[
    ("files", files),
    ("folders", folders),
    ("links", links),
    ("pipes", pipes),
    ("devices", devices),
    ("sparse files", sparse),
    ("no inodes left", no_inodes_left),
    ("no blocks left", no_blocks_left),
    ("modes", modes),
    ("long names", long_names),
    ("deep folders", deep),
    ("playdata.txt", |rng| replace(rng, PLAYDATA)),
    ("calibration.txt", |rng| replace(rng, CALIBRATION)),
    ("input.txt", |rng| replace(rng, INPUT)),
    ("links replaced", links_replaced),
    ("links deleted", links_deleted),
    ("large playdata.txt", large_playdata),
    ("full playdata.txt", full_playdata),
    ("a process that stays", stays),
];

/// Answers or not, and then ends in several of these ways, as the position and the second argument decide.
pub(crate) fn random() {
    let seed = std::env::args().nth(2).unwrap_or_default();
    let input = fs::read_to_string(INPUT).unwrap_or_default();
    // The time left is different in every game.
    let position = input.lines().enumerate().filter(|(number, _)| *number != 2).map(|(_, line)| line);
    let bytes = position.flat_map(str::bytes).chain(seed.bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let mut rng = StdRng::seed_from_u64(hash);
    // Otherwise a write beyond the limit ends the program.
    ignore(Signal::SIGXFSZ);
    let answers = [(85, "answer", answers::answer as fn()), (3, "none", || {}), (3, "garbage", answers::garbage)];
    let odd = [(3, "link", answers::link as fn()), (3, "pipe", answers::fifo), (3, "folder", answers::directory)];
    let all: Vec<_> = answers.into_iter().chain(odd).collect();
    let Ok(&(_, name, answer)) = all.choose_weighted(&mut rng, |answer| answer.0) else { return };
    answer();
    let mut trace = vec![name];
    for _ in 0..rng.random_range(1..5) {
        let Some((name, end)) = ENDS.choose(&mut rng) else { return };
        trace.push(name);
        end(&mut rng);
    }
    // Whoever leaves no room at all loses at once.
    if rng.random_bool(0.9) {
        leave_room(&mut rng);
    }
    eprintln!("seed {seed}: {}", trace.join(", "));
    std::process::exit(if rng.random_bool(0.1) { 1 } else { 0 });
}

/// Makes room for very few more files and blocks.
fn leave_room(rng: &mut StdRng) {
    let (files, blocks) = (rng.random_range(1..4), rng.random_range(1..4));
    let has_room = || {
        nix::sys::statvfs::statvfs(".")
            .is_ok_and(|system| system.files_free() >= files && system.blocks_free() >= blocks)
    };
    let entries = |folder: &str| -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    // The referee keeps only what has these names.
    let kept = [INPUT, OUTPUT, PLAYDATA];
    let is_spare = |path: &&PathBuf| !path.is_symlink() && !kept.iter().any(|name| path.ends_with(name));
    for path in entries(PLAYDATA).iter().chain(entries(".").iter().filter(is_spare)) {
        if has_room() {
            return;
        }
        remove(path);
    }
    let Ok(file) = OpenOptions::new().write(true).open(PLAYDATA) else { return };
    let length = file.metadata().map_or(0, |data| data.len());
    let _ = file.set_len(length.saturating_sub(blocks * 4096));
}

/// A name, of which some are taken. Errors of the functions below are the limits of the sandbox.
fn name(rng: &mut impl Rng) -> PathBuf {
    const KNOWN: [&str; 7] = ["a", "b", "c", INPUT, OUTPUT, PLAYDATA, CALIBRATION];
    if rng.random_bool(0.2) {
        return KNOWN.choose(rng).map(PathBuf::from).unwrap_or_default();
    }
    PathBuf::from(format!("end-{}", rng.random_range(0..1000)))
}

/// Removes whatever has this name.
fn remove(path: &Path) {
    let _ = fs::remove_file(path);
    let _ = fs::remove_dir_all(path);
}

fn files(rng: &mut StdRng) {
    for _ in 0..rng.random_range(1..40) {
        let mut bytes = vec![0; rng.random_range(0..5000)];
        rng.fill_bytes(&mut bytes);
        let name = name(rng);
        if name.as_os_str() != OUTPUT {
            let _ = fs::write(name, bytes);
        }
    }
}

fn folders(rng: &mut StdRng) {
    let mut path = PathBuf::new();
    for _ in 0..rng.random_range(1..20) {
        path = if rng.random_bool(0.3) { name(rng) } else { path.join(name(rng)) };
        let _ = fs::create_dir_all(&path);
        let _ = fs::write(path.join("inside"), "inside\n");
    }
}

fn links(rng: &mut StdRng) {
    const TARGETS: [&str; 8] = ["/", ".", "..", "/etc/passwd", "nowhere", "/proc/self/fd/0", "/dev/zero", "/proc/kmsg"];
    for _ in 0..rng.random_range(1..20) {
        let name = name(rng);
        let target = TARGETS.choose(rng).copied().unwrap_or(".");
        let _ = if rng.random_bool(0.5) { symlink(target, &name) } else { symlink(&name, &name) };
        let _ = fs::hard_link(INPUT, self::name(rng));
    }
}

fn pipes(rng: &mut StdRng) {
    for _ in 0..rng.random_range(1..5) {
        let _ = mkfifo(&name(rng), Mode::from_bits_truncate(0o666));
    }
}

fn devices(rng: &mut StdRng) {
    for kind in [SFlag::S_IFCHR, SFlag::S_IFBLK, SFlag::S_IFSOCK] {
        // The null device; also as a name that the referee reads.
        for name in [name(rng), PLAYDATA.into()] {
            let _ = mknod(&name, kind, Mode::from_bits_truncate(0o666), nix::sys::stat::makedev(1, 3));
        }
    }
}

fn sparse(rng: &mut StdRng) {
    for name in [name(rng), PLAYDATA.into()] {
        let Ok(file) = OpenOptions::new().create(true).append(true).open(&name) else { continue };
        for bits in [20, 27, 30, 40] {
            let _ = file.set_len(1 << bits);
        }
        let _ = file.write_at(b"end", rng.random_range(0..1 << 20));
    }
}

fn no_inodes_left(rng: &mut StdRng) {
    let mut made = 0;
    while made < 100_000 && File::create(format!("inode-{made}")).is_ok() {
        made += 1;
    }
    for number in 0..rng.random_range(0..4).min(made) {
        let _ = fs::remove_file(format!("inode-{number}"));
    }
}

fn no_blocks_left(rng: &mut StdRng) {
    for number in 0..100 {
        let Ok(mut file) = File::create(format!("block-{number}")) else { break };
        while file.write_all(&[7; 4096]).is_ok() {}
        if file.metadata().is_ok_and(|data| data.len() < 4096) {
            break;
        }
    }
    if rng.random_bool(0.5) {
        let _ = File::create("block-0").and_then(|mut file| file.write_all(&[7; 100]));
    }
}

/// Takes all rights away from files, folders and the working directory.
fn modes(rng: &mut StdRng) {
    let mut folders = vec![PathBuf::from(".")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            seen += 1;
            if seen < 1000 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            }
            if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) && rng.random_bool(0.7) {
                let mode = [0o000, 0o111, 0o333, 0o7777].choose(rng).copied().unwrap_or_default();
                let _ = fs::set_permissions(entry.path(), Permissions::from_mode(mode));
            }
        }
    }
    if rng.random_bool(0.5) {
        let _ = fs::set_permissions(".", Permissions::from_mode(0o000));
    }
}

fn long_names(rng: &mut StdRng) {
    for _ in 0..rng.random_range(1..20) {
        let byte = |_| Some(rng.random_range(1..=255)).filter(|&byte| byte != b'/').unwrap_or(1);
        let letters: Vec<u8> = (0..255).map(byte).collect();
        let path = Path::new(OsStr::from_bytes(&letters)).to_owned();
        let _ = if rng.random_bool(0.5) { fs::create_dir(path) } else { fs::write(path, "") };
    }
}

/// Makes folders in folders, deeper than any path can reach, and returns to the top.
fn deep(rng: &mut StdRng) {
    let Ok(top) = File::open(".") else { return };
    let name = if rng.random_bool(0.5) { "deeper".to_owned() } else { "d".repeat(200) };
    for _ in 0..rng.random_range(1..1000) {
        if fs::create_dir(&name).and_then(|()| std::env::set_current_dir(&name)).is_err() {
            break;
        }
    }
    let _ = fs::write("bottom", "here\n");
    // Leaves room for others.
    for _ in 0..rng.random_range(0..5) {
        let _ = fs::remove_file("bottom");
        let _ = std::env::set_current_dir("..").and_then(|()| fs::remove_dir(&name));
    }
    let _ = nix::unistd::fchdir(&top);
}

/// Puts something else in the place of a file.
fn replace(rng: &mut StdRng, name: &str) {
    let path = Path::new(name);
    remove(path);
    let _ = match rng.random_range(0..8) {
        0 => fs::create_dir_all(path.join("a/b")),
        1 => symlink("/etc/passwd", path),
        2 => symlink(path, path),
        3 => mkfifo(path, Mode::from_bits_truncate(0o666)).map_err(Into::into),
        4 => fs::write(path, vec![b'x'; 1 << 20]),
        5 => fs::write(path, [0xff, 0, 0x9b, b'\n'])
            .and_then(|()| fs::set_permissions(path, Permissions::from_mode(0o000))),
        6 => fs::hard_link(OUTPUT, path),
        _ => Ok(()),
    };
}

/// Every link in the working directory, which leads to one of the program's own files.
fn own_links() -> Vec<PathBuf> {
    let entries = fs::read_dir(".").into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_symlink()).collect()
}

fn links_replaced(rng: &mut StdRng) {
    for link in own_links() {
        let _ = fs::remove_file(&link);
        let _ = match rng.random_range(0..5) {
            0 => fs::create_dir_all(link.join("a")),
            1 => mkfifo(&link, Mode::from_bits_truncate(0o666)).map_err(Into::into),
            2 => symlink("/bin/false", &link),
            3 => fs::write(&link, "#!/bin/false\n"),
            _ => symlink(&link, &link),
        };
    }
}

/// Deletes the links, so that they need new room, and may take the room.
fn links_deleted(rng: &mut StdRng) {
    own_links().iter().for_each(|link| remove(link));
    if rng.random_bool(0.5) {
        no_inodes_left(rng);
    }
}

/// Takes all blocks for playdata.txt, and the room of calibration.txt.
fn large_playdata(rng: &mut StdRng) {
    if rng.random_bool(0.5) {
        remove(Path::new(CALIBRATION));
    }
    let Ok(mut file) = File::create(PLAYDATA) else { return };
    while file.write_all(&[b'7'; 4096]).is_ok() {}
}

/// Makes playdata.txt a folder that takes all inodes, also those of the links.
fn full_playdata(rng: &mut StdRng) {
    remove(Path::new(PLAYDATA));
    let _ = fs::create_dir(PLAYDATA);
    if rng.random_bool(0.8) {
        own_links().iter().for_each(|link| remove(link));
        remove(Path::new(CALIBRATION));
    }
    let mut made = 0;
    while made < 100_000 && File::create(format!("{PLAYDATA}/{made}")).is_ok() {
        made += 1;
    }
}

/// Leaves a process behind that writes to the working directory for as long as it lives.
fn stays(rng: &mut StdRng) {
    let wait = rng.random_range(1..20);
    child(|| {
        sleep(std::time::Duration::from_millis(wait));
        for number in 0..10_000 {
            let _ = fs::write(format!("late-{number}"), "late\n");
        }
    });
}
