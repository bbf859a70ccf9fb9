//! Programs that fill the disk, its inodes, or memory.

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::net::UnixStream;
use std::thread::sleep;
use std::time::Duration;

use nix::libc;
use nix::sys::wait::wait;

use crate::process::child;

/// A very long time.
const FOREVER: Duration = Duration::from_secs(3600);

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
    sleep(FOREVER);
}

pub(crate) fn inodes() {
    let mut number = 0;
    while File::create(format!("inode-{number}")).is_ok() {
        number += 1;
    }
    sleep(FOREVER);
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

/// Fills files without end that exist only in memory and that no process has mapped. Fills other memory where there are
/// no such files.
pub(crate) fn memory_files() {
    if files_in_memory(usize::MAX).is_err() {
        shared_memory();
    }
}

/// Fills files in memory with up to this many MB, below the limit on the size of a file.
fn files_in_memory(megabytes: usize) -> io::Result<Vec<File>> {
    const MOST: usize = 64;
    let mut files = Vec::new();
    for number in 0..megabytes {
        if number % MOST == 0 {
            files.push(file_in_memory()?);
        }
        files.last_mut().map_or(Ok(()), |file| file.write_all(&[1; 1_000_000]))?;
    }
    Ok(files)
}

fn file_in_memory() -> io::Result<File> {
    // SAFETY: the name ends in NUL, and nobody else owns the new descriptor.
    unsafe {
        let made = libc::memfd_create(c"full".as_ptr(), 0);
        if made < 0 { Err(io::Error::last_os_error()) } else { Ok(File::from_raw_fd(made)) }
    }
}

/// Uses memory without end that it would share with its children.
pub(crate) fn shared_memory() {
    const SIZE: usize = 16 << 20;
    loop {
        // SAFETY: a new mapping, used only here and never unmapped.
        unsafe {
            let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
            let made = libc::mmap(std::ptr::null_mut(), SIZE, access, kind, -1, 0);
            if made == libc::MAP_FAILED {
                break;
            }
            std::ptr::write_bytes(made.cast::<u8>(), 1, SIZE);
        }
    }
    sleep(FOREVER);
}

/// Fills connections, made by this function, in ten processes. Fills other memory where there are no sockets.
fn memory_in<T: AsRawFd>(connect: fn() -> io::Result<[T; 2]>) {
    let fill = || {
        let connections: Vec<[T; 2]> = (0..450).map_while(|_| connect().ok()).collect();
        if connections.is_empty() {
            shared_memory();
        }
        for socket in connections.iter().flatten() {
            // SAFETY: the socket is open, and the buffer has this length.
            let send =
                || unsafe { libc::send(socket.as_raw_fd(), [1_u8; 4096].as_ptr().cast(), 4096, libc::MSG_DONTWAIT) };
            // UDP never ends by itself.
            (0..100).take_while(|_| send() > 0).for_each(drop);
        }
        sleep(FOREVER);
    };
    for _ in 0..9 {
        if !child(fill) {
            break;
        }
    }
    fill();
}

pub(crate) fn memory_in_udp() {
    memory_in(|| {
        let sockets = [UdpSocket::bind("127.0.0.1:0")?, UdpSocket::bind("127.0.0.1:0")?];
        sockets[0].connect(sockets[1].local_addr()?)?;
        sockets[1].connect(sockets[0].local_addr()?)?;
        Ok(sockets)
    });
}

pub(crate) fn memory_in_tcp() {
    memory_in(|| {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        Ok([TcpStream::connect(listener.local_addr()?)?, listener.accept()?.0])
    });
}

pub(crate) fn memory_in_unix_sockets() {
    memory_in(|| UnixStream::pair().map(<[UnixStream; 2]>::from));
}

/// Reads memory that it never writes: each 2 MiB take a page of the kernel's tables.
pub(crate) fn memory_in_page_tables() {
    const SIZE: usize = 1 << 40;
    const STEP: usize = 2 << 20;
    // SAFETY: the mapping is as long as stated, readable, and never unmapped.
    unsafe {
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let made = libc::mmap(std::ptr::null_mut(), SIZE, libc::PROT_READ, kind, -1, 0);
        assert_ne!(made, libc::MAP_FAILED, "addresses");
        libc::madvise(made, SIZE, libc::MADV_NOHUGEPAGE);
        for place in (0..SIZE).step_by(STEP) {
            std::ptr::read_volatile(made.cast::<u8>().add(place));
        }
    }
    sleep(FOREVER);
}

/// Starts processes without end that use little memory each.
pub(crate) fn memory_of_children() {
    while child(|| {
        let held = std::hint::black_box(vec![1_u8; 8 << 20]);
        sleep(FOREVER);
        drop(held);
    }) {}
    sleep(FOREVER);
}

/// Allocates and uses the memory that the second argument asks for.
pub(crate) fn with_memory() -> Vec<u8> {
    std::hint::black_box(vec![1; megabytes() * 1_000_000])
}

/// The second argument: a number of MB.
fn megabytes() -> usize {
    std::env::args().nth(2).and_then(|text| text.parse().ok()).expect("a number of MB")
}

/// Holds memory until it is ended, and makes a file when it does.
pub(crate) fn hold() {
    let held = with_memory();
    fs::write("holding", "").expect("a note");
    sleep(FOREVER);
    drop(held);
}

/// Holds memory in files that no process has mapped, until it is ended.
pub(crate) fn hold_files() {
    let files = files_in_memory(megabytes()).expect("files in memory");
    sleep(FOREVER);
    drop(files);
}

/// Holds memory together with three children, and ends.
pub(crate) fn hold_by_children() {
    let held = with_memory();
    let children = (0..3).filter(|_| child(|| sleep(Duration::from_millis(300)))).count();
    for _ in 0..children {
        let _ = wait();
    }
    drop(held);
}
