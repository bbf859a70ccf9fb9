//! Programs that fill the disk, its inodes, or memory.

use std::fs::{self, File};
use std::io::Write;

/// Writes until the disk is full.
pub(crate) fn disk() {
    let block = [7; 1 << 16];
    for number in 0.. {
        let Ok(mut file) = File::create(format!("fill-{number}")) else { break };
        let mut written = 0;
        while written < 16 << 20 && file.write_all(&block).is_ok() {
            written += block.len();
        }
        if written < 16 << 20 {
            break;
        }
    }
    std::thread::sleep(std::time::Duration::from_secs(3600));
}

pub(crate) fn inodes() {
    let mut number = 0;
    while File::create(format!("inode-{number}")).is_ok() {
        number += 1;
    }
    std::thread::sleep(std::time::Duration::from_secs(3600));
}

/// Makes a directory tree deeper than any path can reach.
pub(crate) fn dig() {
    for _ in 0..3000 {
        let made = fs::create_dir("deeper").and_then(|()| std::env::set_current_dir("deeper"));
        if made.is_err() {
            break;
        }
    }
    let _ = fs::write("bottom", "here\n");
}

/// Writes one file that exceeds all limits.
pub(crate) fn large_file() {
    let mut file = File::create("large").expect("a file");
    let block = [7; 1 << 16];
    while file.write_all(&block).is_ok() {}
    std::process::exit(1);
}

/// Allocates and uses memory endlessly.
pub(crate) fn memory() {
    let mut held: Vec<Vec<u8>> = Vec::new();
    loop {
        held.push(std::hint::black_box(vec![1; 1 << 20]));
    }
}
