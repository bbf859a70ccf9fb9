//! Drops rights before a launcher becomes an agent. The order matters: each step needs rights that later steps drop.

use std::fs;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope,
};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use nix::sys::stat::{Mode, SFlag, fstat, umask};
use nix::unistd::{self, Gid, Uid};

use super::calls::filter_calls;
use super::capabilities::Sockets;
use super::kernel_files::{MACHINE, PROCESSES};
use super::launch_spec::LaunchSpec;
use super::namespaces::{self, UserNamespace};
use super::view::{DEVICE_FOLDER, DEVICES, SHARED_MEMORY, SYSTEM, TEMPORARY};

/// Latest Landlock version that the rules below support.
const LANDLOCK: ABI = ABI::V7;

/// Closes all files but the standard streams, so that agents inherit none of the referee's files.
pub(super) fn close_files() -> Result<()> {
    let open = fs::read_dir("/proc/self/fd").context("cannot list open files")?;
    let numbers = open.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    for number in numbers.collect::<Vec<_>>() {
        if number > 2 {
            // The listing's own descriptor is among them and already closed.
            let _ = unistd::close(number);
        }
    }
    Ok(())
}

/// Drops all rights that an agent must not have.
pub(super) fn confine(spec: &LaunchSpec) -> Result<()> {
    // Detaches from the referee's terminal and its Ctrl-C. The first process of a namespace may already lead a session.
    let _ = unistd::setsid();
    umask(Mode::from_bits_truncate(0o022));
    if spec.user_namespace == UserNamespace::Own {
        namespaces::enter_own().context("cannot enter a user namespace")?;
    }
    if spec.sockets == Sockets::Own {
        namespaces::enter_own_network().context("cannot enter a network namespace")?;
    }
    if let Some(root) = &spec.root {
        unistd::chroot(root).context("cannot change the root directory")?;
    }
    unistd::chdir(&spec.folder).context("cannot enter the working directory")?;
    limit(spec).context("cannot set limits")?;
    landlock(spec).context("cannot restrict files")?;
    if let Some(user) = spec.user {
        become_user(user).context("cannot change user")?;
    }
    set_pdeathsig(Signal::SIGKILL)?;
    filter_calls(spec).context("cannot restrict system calls")
}

fn limit(spec: &LaunchSpec) -> Result<()> {
    const STACK: u64 = 8 << 20;
    const LOCKED_MEMORY: u64 = 64 << 10;
    let limits = [
        (Resource::RLIMIT_CORE, Some(0)),
        (Resource::RLIMIT_MSGQUEUE, Some(0)),
        (Resource::RLIMIT_MEMLOCK, Some(LOCKED_MEMORY)),
        (Resource::RLIMIT_NOFILE, Some(spec.open_files)),
        (Resource::RLIMIT_FSIZE, spec.file_size),
        (Resource::RLIMIT_NPROC, spec.processes),
    ];
    for (resource, most) in limits.into_iter().filter_map(|(resource, most)| Some((resource, most?))) {
        // The referee's own limit is the maximum.
        let most = most.min(getrlimit(resource)?.1);
        setrlimit(resource, most, most)?;
    }
    // Programs may ask for a deeper stack: it counts as memory.
    let deepest = getrlimit(Resource::RLIMIT_STACK)?.1;
    Ok(setrlimit(Resource::RLIMIT_STACK, deepest.min(STACK), deepest)?)
}

/// Restricts file access with Landlock, as far as the kernel supports it.
fn landlock(spec: &LaunchSpec) -> Result<()> {
    let all = AccessFs::from_all(LANDLOCK);
    let read = AccessFs::from_read(LANDLOCK);
    let device = AccessFs::ReadFile | AccessFs::WriteFile;
    let rules = Ruleset::default().set_compatibility(CompatLevel::BestEffort).handle_access(all)?;
    // In its own network, an agent reaches only itself.
    let rules = match spec.sockets {
        Sockets::Own => rules,
        Sockets::Refused => rules.handle_access(AccessNet::from_all(LANDLOCK))?,
    };
    // An agent may compile programs here and run them.
    let mut rules = allow(rules.scope(Scope::from_all(LANDLOCK))?.create()?, Path::new("."), all)?;
    if spec.root.is_some() {
        // Its root contains only what it may see, and its own instances of the rest.
        rules = allow(rules, Path::new("/"), read)?;
        rules = allow(rules, Path::new(DEVICE_FOLDER), device | AccessFs::IoctlDev)?;
        for own in [SHARED_MEMORY, TEMPORARY] {
            rules = allow(rules, Path::new(own), all)?;
        }
    } else {
        let readable = spec.readable.iter().map(PathBuf::as_path);
        for path in SYSTEM.iter().chain([&PROCESSES]).chain(&MACHINE).map(Path::new).chain(readable) {
            rules = allow(rules, path, read)?;
        }
        for path in DEVICES {
            rules = allow(rules, Path::new(path), device)?;
        }
    }
    rules.restrict_self()?;
    Ok(())
}

/// Version of the kernel's Landlock, up to the latest used here; `None` if the kernel has none.
pub(super) fn landlock_version() -> Option<u8> {
    let versions = [ABI::V7, ABI::V6, ABI::V5, ABI::V4, ABI::V3, ABI::V2, ABI::V1];
    let works = |version| {
        let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let rules = rules.handle_access(AccessFs::from_all(version)).ok()?;
        let rules = if version < ABI::V6 { Some(rules) } else { rules.scope(Scope::from_all(version)).ok() };
        rules?.create().ok()
    };
    versions.into_iter().find(|&version| works(version).is_some()).map(|version| version as u8)
}

/// Allows access to a path, if it exists.
fn allow(rules: RulesetCreated, path: &Path, access: landlock::BitFlags<AccessFs>) -> Result<RulesetCreated> {
    let Ok(file) = PathFd::new(path) else { return Ok(rules) };
    Ok(rules.add_rule(PathBeneath::new(file, access))?)
}

fn become_user(id: u32) -> Result<()> {
    // Only the owner of a pipe may reopen it under names such as /dev/stdin.
    for stream in [std::io::stdin().as_fd(), std::io::stdout().as_fd(), std::io::stderr().as_fd()] {
        give_pipe(stream, id)?;
    }
    unistd::setgroups(&[])?;
    unistd::setgid(Gid::from_raw(id))?;
    unistd::setuid(Uid::from_raw(id))?;
    Ok(())
}

fn give_pipe(stream: BorrowedFd<'_>, id: u32) -> Result<()> {
    if SFlag::from_bits_truncate(fstat(stream)?.st_mode) & SFlag::S_IFMT == SFlag::S_IFIFO {
        unistd::fchown(stream, Some(Uid::from_raw(id)), Some(Gid::from_raw(id)))?;
    }
    Ok(())
}
