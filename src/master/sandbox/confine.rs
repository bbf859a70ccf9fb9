//! What does a launcher give up before it becomes an agent? The order matters: each step needs what a later one takes
//! away.

use std::fs;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope,
};
use nix::libc;
use nix::sys::prctl::set_pdeathsig;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use nix::sys::stat::{Mode, SFlag, fstat, umask};
use nix::unistd::{self, Gid, Uid};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};

use super::launch_spec::{Forking, LaunchSpec};
use super::namespaces::{self, UserNamespace};
use super::view::{DEVICES, SYSTEM};

/// The newest version of Landlock that the rules below are written for.
const LANDLOCK: ABI = ABI::V7;

/// Closes all files but the standard streams, so that no file of the referee reaches an agent.
pub(super) fn close_files() -> Result<()> {
    let open = fs::read_dir("/proc/self/fd").context("cannot list open files")?;
    let numbers = open.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    for number in numbers.collect::<Vec<_>>() {
        if number > 2 {
            // The listing itself was one of them, and is already closed.
            let _ = unistd::close(number);
        }
    }
    Ok(())
}

/// Gives up everything that an agent must not have.
pub(super) fn confine(spec: &LaunchSpec) -> Result<()> {
    // Out of reach of the referee's terminal and its Ctrl-C. The first process of a namespace may be a leader already.
    let _ = unistd::setsid();
    umask(Mode::from_bits_truncate(0o022));
    if spec.user_namespace == UserNamespace::Own {
        namespaces::enter_own().context("cannot enter a user namespace")?;
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
    filter_calls(spec.forking).context("cannot restrict system calls")
}

fn limit(spec: &LaunchSpec) -> Result<()> {
    const STACK: u64 = 8 << 20;
    const DEEPEST_STACK: u64 = 256 << 20;
    const OPEN_FILES: u64 = 1024;
    const LOCKED_MEMORY: u64 = 64 << 10;
    let limits = [
        (Resource::RLIMIT_CORE, Some(0)),
        (Resource::RLIMIT_MSGQUEUE, Some(0)),
        (Resource::RLIMIT_MEMLOCK, Some(LOCKED_MEMORY)),
        (Resource::RLIMIT_NOFILE, Some(OPEN_FILES)),
        (Resource::RLIMIT_FSIZE, Some(spec.file_size)),
        (Resource::RLIMIT_NPROC, spec.processes),
        (Resource::RLIMIT_DATA, spec.memory),
        (Resource::RLIMIT_STACK, Some(DEEPEST_STACK)),
    ];
    for (resource, most) in limits.into_iter().filter_map(|(resource, most)| Some((resource, most?))) {
        // At most what the referee itself may have.
        let most = most.min(getrlimit(resource)?.1);
        let usual = if resource == Resource::RLIMIT_STACK { most.min(STACK) } else { most };
        setrlimit(resource, usual, most)?;
    }
    Ok(())
}

/// Restricts files by Landlock, as far as the kernel supports it.
fn landlock(spec: &LaunchSpec) -> Result<()> {
    let all = AccessFs::from_all(LANDLOCK);
    let look = AccessFs::from_read(LANDLOCK);
    let device = AccessFs::ReadFile | AccessFs::WriteFile;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?
        .handle_access(AccessNet::from_all(LANDLOCK))?
        .scope(Scope::from_all(LANDLOCK))?
        .create()?;
    let readable = spec.readable.iter().map(PathBuf::as_path);
    for path in SYSTEM.iter().map(Path::new).chain(readable) {
        rules = allow(rules, path, look)?;
    }
    for path in DEVICES {
        rules = allow(rules, Path::new(path), device)?;
    }
    rules = allow(rules, Path::new("."), all & !AccessFs::Execute)?;
    rules.restrict_self()?;
    Ok(())
}

/// The version of the kernel's Landlock, up to the newest used here; `None` if it has none.
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
    // Only the owner of a pipe may open it again, as /dev/stdin and the like.
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

/// System calls that no agent needs: they inspect other processes, change the system, or make the kernel do work that
/// is not charged to the agent.
const DENIED: &[libc::c_long] = &[
    libc::SYS_socket,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    // Their objects are shared by all agents of a thread, and outlive the agent that made them.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
];

/// The calls to fork, where they are separate from `clone`.
#[cfg(target_arch = "x86_64")]
const FORKS: &[libc::c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const FORKS: &[libc::c_long] = &[];

fn filter_calls(forking: Forking) -> Result<()> {
    let mut denied: Vec<_> = DENIED.iter().map(|&call| (call, Vec::new())).collect();
    // Keeps an agent from outliving the referee.
    let death = condition(0, SeccompCmpOp::Eq, libc::PR_SET_PDEATHSIG as u64)?;
    let survived = condition(1, SeccompCmpOp::Ne, libc::SIGKILL as u64)?;
    denied.push((libc::SYS_prctl, vec![SeccompRule::new(vec![death, survived])?]));
    // Keeps an agent from changing the limits of others; it names itself by 0.
    denied.push((libc::SYS_prlimit64, vec![argument(SeccompCmpOp::Ne, 0)?]));
    let spaces = libc::CLONE_NEWNS
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET;
    let spaces = spaces as u32;
    let single = (0..32).map(|bit| 1_u64 << bit).filter(|flag| u64::from(spaces) & flag != 0);
    let mut clone = single.map(|flag| argument(SeccompCmpOp::MaskedEq(flag), flag)).collect::<Result<Vec<_>>>()?;
    if forking == Forking::Refused {
        clone.push(argument(SeccompCmpOp::MaskedEq(libc::CLONE_THREAD as u64), 0)?);
        denied.extend(FORKS.iter().map(|&call| (call, Vec::new())));
    }
    denied.push((libc::SYS_clone, clone));
    apply_filter(&program(denied, libc::EPERM)?)?;
    // A filter cannot see the flags of clone3; without it, programs use `clone`.
    apply_filter(&program(vec![(libc::SYS_clone3, Vec::new())], libc::ENOSYS)?)?;
    Ok(())
}

/// A rule for the first argument of a call.
fn argument(operator: SeccompCmpOp, value: u64) -> Result<SeccompRule> {
    Ok(SeccompRule::new(vec![condition(0, operator, value)?])?)
}

/// A condition on an argument of a call, counted from zero, as a 32-bit number.
fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompCondition> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?)
}

/// A filter that makes these calls fail with this error.
fn program(calls: Vec<(libc::c_long, Vec<SeccompRule>)>, error: i32) -> Result<BpfProgram> {
    let refusal = SeccompAction::Errno(error as u32);
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter = SeccompFilter::new(calls.into_iter().collect(), SeccompAction::Allow, refusal, arch)?;
    let mut program = BpfProgram::from(no_other_numbering());
    program.extend(BpfProgram::try_from(filter)?);
    Ok(program)
}

/// The x86-64 kernel may have second numbers for its calls (x32), which would bypass the filter.
fn no_other_numbering() -> [sock_filter; 3] {
    const X32: u32 = 0x4000_0000;
    let step = |code: u32, jt: u8, k: u32| sock_filter { code: code as u16, jt, jf: u8::from(jt == 0), k };
    [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, X32),
        step(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
    ]
}
