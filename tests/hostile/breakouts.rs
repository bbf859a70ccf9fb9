//! Attempts to reach things that belong to others: files, processes, the network, the system.

use std::ffi::{CStr, CString};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::time::UNIX_EPOCH;

use nix::libc;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, Uid, getpid, setuid};

use crate::answers::answer;
use crate::process::child;

/// Exits with a special code if a forbidden action worked.
pub(crate) fn must_fail(what: &str, worked: bool) {
    if worked {
        eprintln!("possible: {what}");
        exit(66);
    }
}

/// Looks for files of others beside its directory, above it, and where secrets are usually kept.
pub(crate) fn spy() {
    let own = std::env::current_dir().expect("a directory");
    let program = std::env::current_exe().expect("a program");
    let mut suspects: Vec<PathBuf> =
        ["/etc/shadow", "/root", "/home", "/tmp", "/var/tmp", "/dev/shm"].map(PathBuf::from).into();
    suspects.extend(own.ancestors().skip(1).filter(|path| path.parent().is_some()).map(PathBuf::from));
    // In a game, the other side's directory.
    suspects.extend(["black", "white"].map(|name| own.with_file_name(name)));
    suspects.extend(std::env::var_os("SPY").map(PathBuf::from));
    suspects.extend(std::env::args().skip(2).map(PathBuf::from));
    for path in suspects.iter().filter(|path| **path != own) {
        // The way to its own directory or its program may lead through it.
        let is_other = |path: PathBuf| !own.starts_with(&path) && !program.starts_with(&path);
        let others = fs::read_dir(path).is_ok_and(|list| list.flatten().any(|entry| is_other(entry.path())));
        must_fail(&format!("to list {}", path.display()), others);
        must_fail(&format!("to read {}", path.display()), fs::read(path).is_ok());
        must_fail(&format!("to read in {}", path.display()), fs::read(path.join("input.txt")).is_ok());
    }
    let this = fs::canonicalize("/proc/self").expect("this process");
    for path in processes().map(|number| PathBuf::from(format!("/proc/{number}"))).filter(|path| *path != this) {
        let secrets = fs::read(path.join("environ")).is_ok_and(|text| !text.is_empty());
        must_fail(&format!("to read the environment of {}", path.display()), secrets);
        must_fail(&format!("to open the memory of {}", path.display()), File::open(path.join("mem")).is_ok());
        must_fail(&format!("to enter the root of {}", path.display()), fs::read_dir(path.join("root/tmp")).is_ok());
    }
}

/// Visible processes, by their ids in the namespace of /proc.
fn processes() -> impl Iterator<Item = i32> {
    let listed = fs::read_dir("/proc").expect("processes").flatten();
    listed.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Tries to write in forbidden places.
pub(crate) fn vandal() {
    let own = std::env::current_dir().expect("a directory");
    let program = std::env::current_exe().expect("a program");
    let beside = program.parent().unwrap_or(Path::new("/")).to_path_buf();
    let mut places: Vec<PathBuf> =
        ["/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/etc", "/usr", "/proc"].map(PathBuf::from).into();
    places.push(beside);
    places.extend(own.ancestors().skip(1).map(PathBuf::from));
    places.extend(std::env::args().skip(2).map(PathBuf::from));
    // Temporary files and shared memory are allowed if they are the agent's own.
    let is_own = |about: fs::Metadata| about.uid() == Uid::current().as_raw() && about.mode() & 0o77 == 0;
    for private in ["/tmp", "/dev/shm"].map(Path::new) {
        if fs::metadata(private).is_ok_and(is_own) {
            places.retain(|place| !place.starts_with(private));
        }
    }
    for place in places {
        must_fail(
            &format!("to write into {}", place.display()),
            fs::write(place.join("kingline-was-here"), "x").is_ok(),
        );
    }
    must_fail("to change its program", OpenOptions::new().append(true).open(&program).is_ok());
    must_fail("to rename its directory", fs::rename(&own, own.with_extension("gone")).is_ok());
    for group in
        ["/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs"]
    {
        must_fail("to leave its group", fs::write(group, "0").is_ok());
    }
}

/// True if this process is in a network namespace without interfaces but the loopback.
fn is_alone() -> bool {
    let interfaces = fs::read_to_string("/proc/net/dev").unwrap_or_default();
    interfaces.lines().skip(2).all(|line| line.trim_start().starts_with("lo:"))
}

/// Tries to reach others by sockets and shared memory. The argument, if any, is the port of a listener outside.
pub(crate) fn sockets() {
    must_fail("to connect by TCP", TcpStream::connect("127.0.0.1:22").is_ok());
    if let Some(port) = std::env::args().nth(2) {
        must_fail("to reach a listener outside", TcpStream::connect(format!("127.0.0.1:{port}")).is_ok());
    }
    if !is_alone() {
        must_fail("to listen by TCP", TcpListener::bind("127.0.0.1:0").is_ok());
        must_fail("to bind UDP", UdpSocket::bind("127.0.0.1:0").is_ok());
        must_fail("to listen by a socket in a file", UnixListener::bind("socket").is_ok());
    }
    let shared = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
    must_fail("to find shared memory", shared.lines().count() > 1);
    // SAFETY: the call takes only numbers.
    let left = unsafe { libc::shmget(7, 4096, libc::IPC_CREAT | libc::IPC_EXCL | 0o600) };
    must_fail("to share memory with others", left >= 0 && !is_alone());
    must_fail("to connect to the system log", UnixStream::connect("/dev/log").is_ok());
    must_fail("to find a host", std::net::ToSocketAddrs::to_socket_addrs("example.com:80").is_ok());
    // SAFETY: the call takes only numbers.
    let raw = unsafe { libc::socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP) };
    must_fail("to open a raw socket", raw >= 0);
    // SAFETY: the call takes only numbers.
    let link = unsafe { libc::socket(libc::AF_NETLINK, libc::SOCK_RAW, 0) };
    must_fail("to open a netlink socket", link >= 0);
    UnixStream::pair().expect("a harmless pair of sockets");
}

/// Tries to send signals to all processes that it can find.
pub(crate) fn signals() {
    let parent = nix::unistd::getppid();
    let mut others = vec![parent];
    others.extend(processes().map(Pid::from_raw));
    others.retain(|&other| other != getpid() && other.as_raw() > 0);
    for other in others {
        // No other process in this process's own namespace has this id.
        must_fail(&format!("to reach process {other}"), kill(other, Signal::SIGURG).is_ok());
    }
}

/// Tries to gain privileges.
pub(crate) fn privileges() {
    must_fail("to become root", setuid(Uid::from_raw(0)).is_ok());
    must_fail("to change its root directory", nix::unistd::chroot(".").is_ok());
    let here = CString::new(".").expect("a path");
    // SAFETY: the calls take numbers, or strings that outlive them.
    unsafe {
        let call = |number: libc::c_long, a: libc::c_long| libc::syscall(number, a, 0, 0, 0, 0) >= 0;
        for flag in [libc::CLONE_NEWUSER, libc::CLONE_NEWNS, libc::CLONE_NEWPID, libc::CLONE_NEWNET] {
            must_fail("to make a namespace", libc::unshare(flag) == 0);
        }
        must_fail("to mount", libc::mount(here.as_ptr(), here.as_ptr(), here.as_ptr(), 0, std::ptr::null()) == 0);
        // Where it sees its own processes alone, an agent may trace them.
        let sees_others = getpid().as_raw() != 1;
        let traces = call(libc::SYS_ptrace, libc::c_long::from(libc::PTRACE_TRACEME));
        must_fail("to trace processes of others", sees_others && traces);
        must_fail("to use io_uring", call(libc::SYS_io_uring_setup, 1));
        must_fail("to load a program into the kernel", call(libc::SYS_bpf, 0));
        must_fail("to survive the referee", libc::prctl(libc::PR_SET_PDEATHSIG, 0) == 0);
    }
}

/// Tries to raise its limits.
pub(crate) fn unlimited() {
    for resource in [Resource::RLIMIT_FSIZE, Resource::RLIMIT_NPROC, Resource::RLIMIT_NOFILE, Resource::RLIMIT_CORE] {
        let (_, hard) = getrlimit(resource).expect("a limit");
        if hard != libc::RLIM_INFINITY {
            must_fail(&format!("to raise {resource:?}"), setrlimit(resource, hard + 1, hard + 1).is_ok());
        }
    }
    must_fail("to fork with a higher priority", child(|| ()) && nice(-5));
}

fn nice(by: i32) -> bool {
    // SAFETY: the call takes a number.
    unsafe { libc::nice(by) == by }
}

/// Looks for inherited open files.
pub(crate) fn files_left_open() {
    for number in 3..1024 {
        // SAFETY: the call takes numbers; a file that is not open is an error.
        must_fail(&format!("to use file {number}"), unsafe { libc::fcntl(number, libc::F_GETFD) } >= 0);
    }
}

/// Looks for traces of its opponent: processes, and other control groups.
pub(crate) fn observer() {
    let own = [getpid(), nix::unistd::getppid()].map(Pid::as_raw);
    for other in processes().filter(|number| !own.contains(number)) {
        must_fail(&format!("to see process {other}"), fs::read(format!("/proc/{other}/cmdline")).is_ok());
    }
    let mut waiting = vec![(PathBuf::from("/sys/fs/cgroup"), 0)];
    let mut groups: Vec<(String, PathBuf)> = Vec::new();
    while let Some((folder, depth)) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten().filter(|entry| entry.path().is_dir()) {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("agent-") {
                // One group in each hierarchy is its own.
                let hierarchy = entry.path().components().take(5).collect::<PathBuf>().display().to_string();
                let another = groups.iter().any(|(other, _)| *other == hierarchy);
                must_fail(&format!("to see a second group, {}", entry.path().display()), another);
                groups.push((hierarchy, entry.path()));
            } else if depth < 5 {
                waiting.push((entry.path(), depth + 1));
            }
        }
    }
}

/// Tries every way to change its own files so that the next turn begins with the changes.
pub(crate) fn keeper() {
    let program = std::env::current_exe().expect("a program");
    let beside = program.parent().expect("a folder");
    if beside == std::env::current_dir().expect("a directory") {
        let about = fs::metadata(&program).expect("a program");
        must_fail("to keep a mode", about.mode() & 0o777 == 0o711);
        must_fail("to keep a time", about.modified().is_ok_and(|time| time == UNIX_EPOCH));
        must_fail("to keep a file", fs::read(beside.join("note")).is_ok());
        let _ = fs::set_permissions(&program, fs::Permissions::from_mode(0o711));
        let _ = File::open(&program).and_then(|file| file.set_modified(UNIX_EPOCH));
        let _ = fs::write(beside.join("note"), "x");
        return;
    }
    must_fail("to change its program's mode", fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).is_ok());
    let times = || File::open(&program)?.set_modified(UNIX_EPOCH);
    must_fail("to change its program's time", times().is_ok());
    let path = CString::new(program.to_string_lossy().into_owned()).expect("a path");
    for name in [c"user.note", c"system.posix_acl_access"] {
        // SAFETY: the strings end in NUL, and the value has the stated length.
        let set = unsafe { libc::setxattr(path.as_ptr(), name.as_ptr(), c"1".as_ptr().cast(), 1, 0) };
        must_fail("to set an attribute of its program", set == 0);
    }
    must_fail("to remove its program", fs::remove_file(&program).is_ok());
    must_fail("to write beside its program", fs::write(beside.join("note"), "x").is_ok());
}

/// Answers, and leaves notes for its next turn wherever it can. Fails if it finds a note. It may change
/// its own files.
pub(crate) fn diary() {
    const PLACES: [&str; 6] = ["behavior", "run.sh", "note", "calibration.txt", "/dev/shm/note", "/tmp/note"];
    const SEGMENT: libc::key_t = 7;
    const QUEUE: &CStr = c"/note";
    const PLAYDATA: &CStr = c"playdata.txt";
    for place in PLACES {
        must_fail(&format!("to find a note in {place}"), fs::read(place).is_ok_and(|text| text == b"note"));
    }
    must_fail("to find a note in a mode", fs::metadata(".").is_ok_and(|about| about.mode() & 0o777 == 0o711));
    let mut names = [0; 64];
    // SAFETY: the path ends in NUL, and the buffer has the stated length.
    let count = unsafe { libc::listxattr(c".".as_ptr(), names.as_mut_ptr(), names.len()) };
    must_fail("to find a note in an attribute", count > 0);
    // SAFETY: the path ends in NUL, and the buffer has the stated length.
    let count = unsafe { libc::listxattr(PLAYDATA.as_ptr(), names.as_mut_ptr(), names.len()) };
    must_fail("to find a note in an attribute of playdata.txt", count > 0);
    let playdata = fs::metadata("playdata.txt");
    must_fail(
        "to find a note in the mode of playdata.txt",
        playdata.as_ref().is_ok_and(|file| file.mode() & 0o77 == 0),
    );
    let is_old = playdata.and_then(|file| file.modified()).is_ok_and(|time| time == UNIX_EPOCH);
    must_fail("to find a note in the time of playdata.txt", is_old);
    // SAFETY: the calls take numbers, or a string that ends in NUL.
    let found = unsafe { [libc::shmget(SEGMENT, 0, 0), libc::msgget(SEGMENT, 0), libc::mq_open(QUEUE.as_ptr(), 0)] };
    must_fail("to find a segment or a queue", found.iter().any(|&found| found >= 0));
    answer();
    for place in PLACES {
        let _ = fs::remove_file(place);
        let _ = fs::write(place, "note");
    }
    let _ = fs::set_permissions(".", fs::Permissions::from_mode(0o711));
    let note = File::create("playdata.txt").and_then(|mut file| {
        file.write_all(b"bytes may stay")?;
        file.set_modified(UNIX_EPOCH)?;
        file.set_permissions(fs::Permissions::from_mode(0o600))
    });
    note.expect("playdata.txt");
    // SAFETY: the strings end in NUL, the value has the stated length, and the other calls take numbers.
    unsafe {
        for path in [c".", PLAYDATA] {
            libc::setxattr(path.as_ptr(), c"user.note".as_ptr(), c"1".as_ptr().cast(), 1, 0);
        }
        libc::shmget(SEGMENT, 4096, libc::IPC_CREAT | 0o600);
        libc::msgget(SEGMENT, libc::IPC_CREAT | 0o600);
        libc::mq_open(QUEUE.as_ptr(), libc::O_CREAT | libc::O_RDWR, 0o600, std::ptr::null::<libc::mq_attr>());
    }
}

/// Asks by every call which parts of a file are in memory, where an earlier turn could have left a note.
pub(crate) fn residency() {
    let program = File::open("/bin/sh").expect("a shell");
    let (file, mut buffer) = (program.as_raw_fd(), [0_u8; 4096]);
    let part = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let mut pages = [0_u8; 8];
    // SAFETY: the file is open, and all buffers have the stated lengths and outlive the calls.
    unsafe {
        must_fail("to read without waiting", libc::preadv2(file, &raw const part, 1, 0, libc::RWF_NOWAIT) >= 0);
        let both = libc::RWF_NOWAIT | libc::RWF_HIPRI;
        must_fail("to read without waiting, in a hurry", libc::preadv2(file, &raw const part, 1, 0, both) >= 0);
        assert!(libc::preadv2(file, &raw const part, 1, 0, 0) > 0, "an ordinary read");
        let shared = libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_READ, libc::MAP_SHARED, file, 0);
        assert_ne!(shared, libc::MAP_FAILED, "an ordinary map");
        must_fail("to ask for pages in memory", libc::mincore(shared, 4096, pages.as_mut_ptr()) == 0);
        const CACHESTAT: libc::c_long = 451;
        let (range, mut counts) = ([0_u64, 4096], [0_u64; 5]);
        let asked = libc::syscall(CACHESTAT, file, range.as_ptr(), counts.as_mut_ptr(), 0);
        must_fail("to count pages in memory", asked == 0);
    }
}
