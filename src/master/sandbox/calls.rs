//! Restricts the system calls that an agent may make.

use std::collections::BTreeMap;

use anyhow::Result;
use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};

use super::capabilities::Sockets;
use super::job::Tier;
use super::launch_spec::LaunchSpec;

/// System calls that no agent needs. They inspect other processes, change the system, or cause kernel work that is not
/// charged to the agent.
const DENIED: &[libc::c_long] = &[
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
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
    // Tells which files are in memory, which could be a note for a later turn.
    libc::SYS_mincore,
    CACHESTAT,
];

/// System calls that create objects in network and IPC namespaces.
const SHARED: &[libc::c_long] = &[libc::SYS_socket, libc::SYS_semget, libc::SYS_msgget, libc::SYS_mq_open];

/// Families of sockets that reach only processes in the same network namespace.
const LOCAL_FAMILIES: [i32; 3] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6];

/// System calls that create memory outside all processes, which only control groups count. Without them, programs fall
/// back to files.
const UNCOUNTED_MEMORY: &[libc::c_long] = &[libc::SYS_memfd_create, libc::SYS_memfd_secret];

/// System calls that tell when others use files.
#[cfg(target_arch = "x86_64")]
const NOTICES: &[libc::c_long] = &[libc::SYS_inotify_init, libc::SYS_inotify_init1];
#[cfg(not(target_arch = "x86_64"))]
const NOTICES: &[libc::c_long] = &[libc::SYS_inotify_init1];

/// System calls other than `clone` that fork, on architectures that have them.
#[cfg(target_arch = "x86_64")]
const FORKS: &[libc::c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const FORKS: &[libc::c_long] = &[];

pub(super) fn filter_calls(spec: &LaunchSpec) -> Result<()> {
    let LaunchSpec { tier, sockets, .. } = *spec;
    let mut denied: Vec<_> = DENIED.iter().map(|&call| (call, Vec::new())).collect();
    match sockets {
        Sockets::Own => {
            let others = LOCAL_FAMILIES.map(|family| condition(0, SeccompCmpOp::Ne, family as u64));
            let others = others.into_iter().collect::<Result<Vec<_>>>()?;
            denied.push((libc::SYS_socket, vec![SeccompRule::new(others)?]));
        }
        Sockets::Refused => denied.extend(SHARED.iter().map(|&call| (call, Vec::new()))),
    }
    // A segment that no process has attached counts only in control groups.
    if sockets == Sockets::Refused || spec.adds_up_memory {
        denied.push((libc::SYS_shmget, Vec::new()));
    }
    // As on file systems that do not support it: tells which parts of a file are in memory.
    let without_waiting = condition(5, SeccompCmpOp::MaskedEq(RWF_NOWAIT), RWF_NOWAIT)?;
    let reading = vec![(libc::SYS_preadv2, vec![SeccompRule::new(vec![without_waiting])?])];
    apply_filter(&program(reading, libc::EOPNOTSUPP)?)?;
    // Does nothing: an agent would make its opponent's programs slow, by taking them out of memory.
    let taking_out = condition(3, SeccompCmpOp::Eq, libc::POSIX_FADV_DONTNEED as u64)?;
    apply_filter(&program(vec![(libc::SYS_fadvise64, vec![SeccompRule::new(vec![taking_out])?])], 0)?)?;
    // Keeps an agent from outliving the referee.
    let death = condition(0, SeccompCmpOp::Eq, libc::PR_SET_PDEATHSIG as u64)?;
    let survived = condition(1, SeccompCmpOp::Ne, libc::SIGKILL as u64)?;
    denied.push((libc::SYS_prctl, vec![SeccompRule::new(vec![death, survived])?]));
    // Keeps an agent from changing the limits of other processes; 0 means the agent itself.
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
    // The CPU time of other processes could not be counted.
    if tier == Tier::Rusage {
        clone.push(argument(SeccompCmpOp::MaskedEq(libc::CLONE_THREAD as u64), 0)?);
        denied.extend(FORKS.iter().map(|&call| (call, Vec::new())));
    }
    denied.push((libc::SYS_clone, clone));
    // The sanitizers look for leaks by it, among the agent's own processes.
    if spec.own_processes.is_none() {
        denied.push((libc::SYS_ptrace, Vec::new()));
    }
    // Tells when the referee reads the counters of the agent's group.
    denied
        .push((libc::SYS_fcntl, vec![SeccompRule::new(vec![condition(1, SeccompCmpOp::Eq, libc::F_NOTIFY as u64)?])?]));
    // A filter cannot follow the pointers in these calls; without them, programs fall back to `clone` and `openat`.
    let mut unknown = vec![(libc::SYS_clone3, Vec::new())];
    unknown.extend(NOTICES.iter().map(|&call| (call, Vec::new())));
    if spec.adds_up_memory {
        unknown.extend(UNCOUNTED_MEMORY.iter().map(|&call| (call, Vec::new())));
    }
    // Executing a program that its owner cannot read stops the counter.
    if tier == Tier::Perf {
        denied.extend(unreadable_files()?);
        unknown.push((libc::SYS_openat2, Vec::new()));
        // An access control list can also revoke read permission.
        let attributes = [libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, SETXATTRAT];
        apply_filter(&program(attributes.map(|call| (call, Vec::new())).into(), libc::EOPNOTSUPP)?)?;
        // `umask` cannot fail, so the call has no effect instead.
        let masks_reading = argument(SeccompCmpOp::MaskedEq(READ), READ)?;
        apply_filter(&program(vec![(libc::SYS_umask, vec![masks_reading])], 0)?)?;
    }
    // The kernel's own switch for disabling its counters.
    denied.iter_mut().filter(|(call, _)| *call == libc::SYS_prctl).try_for_each(|(_, rules)| {
        rules.push(argument(SeccompCmpOp::Eq, PERF_EVENTS_DISABLE)?);
        anyhow::Ok(())
    })?;
    apply_filter(&program(denied, libc::EPERM)?)?;
    apply_filter(&program(unknown, libc::ENOSYS)?)?;
    Ok(())
}

/// Numbers of system calls that the library does not define yet. They are the same on all architectures.
const FCHMODAT2: libc::c_long = 452;
const SETXATTRAT: libc::c_long = 463;
const CACHESTAT: libc::c_long = 451;
/// Flag of `preadv2`.
const RWF_NOWAIT: u64 = libc::RWF_NOWAIT as u64;
/// Mode bits that let a file's owner read it and execute it.
const READ: u64 = libc::S_IRUSR as u64;
const EXECUTE: u64 = libc::S_IXUSR as u64;
/// `PR_TASK_PERF_EVENTS_DISABLE`.
const PERF_EVENTS_DISABLE: u64 = 31;

/// Rules for calls that give a file a mode with which its owner may execute but not read it.
fn unreadable_files() -> Result<Vec<(libc::c_long, Vec<SeccompRule>)>> {
    let lacks = |place: u8| condition(place, SeccompCmpOp::MaskedEq(READ | EXECUTE), EXECUTE);
    let sets_mode = |place: u8| -> Result<Vec<SeccompRule>> { Ok(vec![SeccompRule::new(vec![lacks(place)?])?]) };
    // O_TMPFILE includes O_DIRECTORY; only its other bit counts here.
    let creating = [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY].map(|flag| flag as u64);
    let creates = |flags: u8| -> Result<Vec<SeccompRule>> {
        let rule = |flag| {
            let creates = condition(flags, SeccompCmpOp::MaskedEq(flag), flag)?;
            Ok(SeccompRule::new(vec![creates, lacks(flags + 1)?])?)
        };
        creating.into_iter().map(rule).collect()
    };
    let mut calls = vec![
        (libc::SYS_fchmod, sets_mode(1)?),
        (libc::SYS_fchmodat, sets_mode(2)?),
        (FCHMODAT2, sets_mode(2)?),
        (libc::SYS_mknodat, sets_mode(2)?),
        (libc::SYS_openat, creates(2)?),
    ];
    #[cfg(target_arch = "x86_64")]
    calls.extend([
        (libc::SYS_chmod, sets_mode(1)?),
        (libc::SYS_creat, sets_mode(1)?),
        (libc::SYS_mknod, sets_mode(1)?),
        (libc::SYS_open, creates(1)?),
    ]);
    Ok(calls)
}

fn argument(operator: SeccompCmpOp, value: u64) -> Result<SeccompRule> {
    Ok(SeccompRule::new(vec![condition(0, operator, value)?])?)
}

/// Condition on the argument with this 0-based index, compared as a 32-bit number.
fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompCondition> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?)
}

/// Filter that makes these calls fail with this error.
///
/// While it is installed, the kernel runs it once for every call number, to remember those that are always allowed. A
/// single chain of comparisons would take 0.1 ms of each turn, so there are short chains, one for each range of numbers.
fn program(calls: Vec<(libc::c_long, Vec<SeccompRule>)>, error: i32) -> Result<BpfProgram> {
    const CHAIN: usize = 8;
    let refusal = SeccompAction::Errno(error as u32);
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let mut program = BpfProgram::from(no_other_numbering());
    let mut calls: BTreeMap<_, _> = calls.into_iter().collect();
    loop {
        let later = calls.keys().nth(CHAIN).copied();
        let rest = later.map(|first| calls.split_off(&first)).unwrap_or_default();
        let chain = BpfProgram::try_from(SeccompFilter::new(calls, SeccompAction::Allow, refusal.clone(), arch)?)?;
        let Some(first) = later else {
            program.extend(chain);
            return Ok(program);
        };
        program.extend([
            step(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, u32::try_from(first)?),
            step(libc::BPF_JMP | libc::BPF_JA, u32::try_from(chain.len())?),
        ]);
        program.extend(chain);
        calls = rest;
    }
}

/// Rejects the alternative call numbers of x86-64 kernels (x32), which would bypass the filter.
fn no_other_numbering() -> [sock_filter; 3] {
    const X32: u32 = 0x4000_0000;
    [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0),
        step(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, X32),
        step(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
    ]
}

/// An instruction. A comparison that succeeds goes on with the next one; one that fails skips it.
fn step(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 1, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answer of a filter to a call with these arguments.
    fn answer(program: &BpfProgram, call: u32, arguments: [u32; 2]) -> u32 {
        const ARCH: u32 = if cfg!(target_arch = "x86_64") { 0xc000_003e } else { 0xc000_00b7 };
        // The kernel's `seccomp_data`: number, architecture, two words of the caller's address, arguments of two words.
        let data = [call, ARCH, 0, 0, arguments[0], 0, arguments[1], 0];
        let (mut accumulator, mut at) = (0, 0);
        loop {
            let sock_filter { code, jt, jf, k } = program[at];
            let jump = |holds: bool| usize::from(if holds { jt } else { jf });
            at += 1 + match u32::from(code) {
                0x20 => {
                    accumulator = data.get(k as usize / 4).copied().unwrap_or(0);
                    0
                }
                0x54 => {
                    accumulator &= k;
                    0
                }
                0x05 => k as usize,
                0x15 => jump(accumulator == k),
                0x35 => jump(accumulator >= k),
                0x06 => return k,
                other => panic!("instruction {other:#x}"),
            };
        }
    }

    #[test]
    fn each_call_gets_its_answer_however_many_chains_there_are() {
        let rule = || argument(SeccompCmpOp::Eq, 7).unwrap();
        for count in [1, 8, 9, 16, 17, 70] {
            // Every third number is refused, every sixth only with an argument of 7.
            let calls = (0..count).map(|place| (3 * place + 2, if place % 2 == 0 { vec![] } else { vec![rule()] }));
            let filter = program(calls.collect(), libc::EPERM).unwrap();
            let refusal = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
            for call in 0..3 * count as u32 + 20 {
                let place = call / 3;
                let is_listed = call % 3 == 2 && place < count as u32;
                for first in [0, 7] {
                    let is_refused = is_listed && (place % 2 == 0 || first == 7);
                    let expected = if is_refused { refusal } else { libc::SECCOMP_RET_ALLOW };
                    assert_eq!(answer(&filter, call, [first, 0]), expected, "{count} {call} {first}");
                }
            }
            let other_numbering = answer(&filter, 0x4000_0000, [0, 0]);
            assert_eq!(other_numbering, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32);
        }
    }
}
