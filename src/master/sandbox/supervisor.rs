//! Supervises a job until it ends.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nix::libc;
use nix::sys::resource::{UsageWho, getrusage};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::capabilities::MemoryLimiter;
use super::home::{Home, Motion};
use super::job::{CpuTime, Job, JobEnd, JobLimits, Output, Peak, Run, SandboxError, Tier};
use super::launch_spec::{GO, LaunchSpec, Task};
use super::memory::{MemoryWatch, Shortage, kills_on_machine};
use super::meter::{self, Meter, Reaped};
use super::namespaces::Keeper;
use super::precedence::Precedence;
use super::stopwatch::{ProcessList, Stopwatch, WallTime};
use super::streams::{LauncherLine, LauncherLog, LauncherTime, LineTooLong, Ready, Streams};
use super::view::TEMPORARY;

/// Watches a job's streams, clocks and limits. Dropping it ends the job.
#[derive(Debug)]
pub(super) struct Supervisor {
    child: Child,
    /// Becomes readable when the first process has ended.
    pidfd: OwnedFd,
    has_ended: bool,
    reaped: bool,
    meter: Meter,
    /// The meter's readings before the agent started.
    before: LauncherTime,
    limits: JobLimits,
    launched: Instant,
    /// Runs once the launcher has become the agent.
    watch: Option<Stopwatch>,
    /// Watches the job's memory if no control group limits it, once the launcher has become the agent.
    memory_watch: Option<MemoryWatch>,
    /// Number of processes that the kernel had killed on this machine before the job, if no control group counts those
    /// of the job.
    kills_before: Option<u64>,
    next_check: Instant,
    pub(super) streams: Streams,
    exceeded: Option<JobEnd>,
    motion: Motion,
    /// Largest number of bytes observed in the job's folder.
    most_disk: u64,
    /// Number of bytes last observed in its sockets, as far as the kernel does not count them, and the largest so far.
    sockets: u64,
    most_sockets: u64,
    next_look_at_sockets: Instant,
    /// The thread that started the child, which dies with the thread.
    _keeper: Keeper,
    _precedence: Precedence,
    /// `Some` as long as the job may run.
    running: Option<RunningJob>,
    home: Rc<Home>,
}

/// A job of this process among those that run.
#[derive(Debug)]
struct RunningJob {
    /// True if none ran when this one started.
    started_alone: bool,
    /// Number of starts so far, this one included.
    start: u64,
}

static RUNNING: AtomicU64 = AtomicU64::new(0);
static STARTS: AtomicU64 = AtomicU64::new(0);

impl RunningJob {
    fn begin() -> RunningJob {
        let start = STARTS.fetch_add(1, Ordering::SeqCst) + 1;
        RunningJob { started_alone: RUNNING.fetch_add(1, Ordering::SeqCst) == 0, start }
    }

    fn is_alone(&self) -> bool {
        self.started_alone && STARTS.load(Ordering::SeqCst) == self.start
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Maximum time between two checks of the clocks and the folder.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);
/// After a look at the sockets, the next one comes after this multiple of its duration.
const SOCKETS_PER_LOOK: u32 = 20;
/// Maximum time between two looks at the sockets.
const LONGEST_UNSEEN: Duration = Duration::from_millis(60);
/// Minimum time between two checks: an agent can exceed its CPU time by about this much on each core.
const SHORTEST_PAUSE: Duration = Duration::from_micros(500);
/// Time in which a launcher must become an agent, even on a busy machine.
const START_WITHIN: Duration = Duration::from_secs(300);
/// A job without a limit of its own may wait for cores for this multiple of its wall time limit, plus [`WAITING`].
const MOST_WAITING: u32 = 50;
/// Added to the time that a job may wait for cores.
const WAITING: Duration = Duration::from_secs(300);

impl Supervisor {
    pub(super) fn start(home: Rc<Home>, job: &Job, task: Task) -> Result<Supervisor, SandboxError> {
        let failed = |error: io::Error| SandboxError::system("cannot start a job", error);
        home.limit(job.limits.memory, job.limits.processes).map_err(failed)?;
        let spec = LaunchSpec::new(&home, job, task).map_err(failed)?;
        home.show(&spec.readable).map_err(failed)?;
        let mut command = LaunchSpec::command(&home.capabilities.policy.launcher, &job.program);
        let message = spec.message().map_err(failed)?;
        command.args(&job.arguments).stdin(Stdio::piped()).stderr(Stdio::piped());
        let temporary = if home.root().is_some() { Path::new(TEMPORARY) } else { home.dir() };
        command.env("HOME", home.dir()).env("PWD", home.dir()).env("TMPDIR", temporary);
        let (stdout, most_kept) = match job.output {
            Output::Discard => (Stdio::null(), 0),
            Output::Keep { bytes } => (Stdio::piped(), bytes),
        };
        command.stdout(stdout);
        let mut account = home.meter().map_err(failed)?;
        let mut read = |counts| account.as_mut().map_or(Ok(Duration::ZERO), |meter| meter.read(counts));
        let before = (read(CpuTime::UserAndSystem), read(CpuTime::User));
        let before = LauncherTime { cpu: before.0.map_err(failed)?, user: before.1.map_err(failed)? };
        let tier = home.capabilities.tier;
        let launched = Instant::now();
        let (keeper, (mut child, counter)) = Keeper::start(home.capabilities.namespaces, move || {
            let counter = if tier == Tier::Perf { Some(Meter::of_children()?) } else { None };
            Ok((command.spawn()?, counter))
        })
        .map_err(failed)?;
        let found = Supervisor::pidfd_and_meter(&child, account.or(counter));
        let (pidfd, meter) = found.inspect_err(|_| abandon(&mut child)).map_err(failed)?;
        let streams = Streams::of(&mut child, most_kept, message, LauncherLog::new(spec.secret));
        let streams = streams.inspect_err(|_| abandon(&mut child)).map_err(failed)?;
        Ok(Supervisor {
            child,
            pidfd,
            has_ended: false,
            reaped: false,
            meter,
            before,
            limits: job.limits,
            launched,
            watch: None,
            memory_watch: None,
            kills_before: None,
            next_check: launched + SHORTEST_PAUSE,
            streams,
            exceeded: None,
            motion: Motion::Free,
            most_disk: 0,
            sockets: 0,
            most_sockets: 0,
            next_look_at_sockets: launched + LONGEST_PAUSE,
            _keeper: keeper,
            _precedence: Precedence::take(),
            running: None,
            home,
        })
    }

    fn pidfd_and_meter(child: &Child, meter: Option<Meter>) -> io::Result<(OwnedFd, Meter)> {
        let pidfd = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
        let meter = meter.map_or_else(|| Meter::of_process(child.id()), Ok)?;
        Ok((pidfd, meter))
    }

    /// Lets the waiting launcher become the agent, with these limits.
    pub(super) fn go(&mut self, limits: JobLimits) {
        self.limits = limits;
        self.launched = Instant::now();
        self.next_check = self.launched + SHORTEST_PAUSE;
        self.next_look_at_sockets = self.launched + LONGEST_PAUSE;
        self.running = Some(RunningJob::begin());
        self.home.take_memory_peak();
        self.home.start_counting_shortages();
        self.kills_before = self.watches_memory().then(kills_on_machine);
        self.streams.give(&GO);
    }

    /// Returns true if no control group limits memory, so that this supervisor must.
    fn watches_memory(&self) -> bool {
        matches!(self.home.capabilities.memory, MemoryLimiter::PerProcess)
    }

    /// Returns true if a job that the kernel has killed, and whose processes had at most this much memory each, would
    /// soon have been over its limit.
    fn has_grown_to(&self, most_memory: u64) -> bool {
        // The number may come from this process, of which the child was a copy.
        let own = getrusage(UsageWho::RUSAGE_SELF).map_or(0, |usage| usage.max_rss().unsigned_abs() << 10);
        let limit = self.home.capabilities.memory_for(self.limits.memory);
        most_memory > own.max(limit / 4 * 3)
    }

    pub(super) fn take_peak(&mut self) -> Peak {
        self.most_disk = self.most_disk.max(self.home.disk_use().bytes);
        Peak {
            memory: self.home.take_memory_peak().map(|peak| peak + std::mem::take(&mut self.most_sockets)),
            processes: self.watch.as_mut().map_or(0, Stopwatch::take_most_threads),
            disk: std::mem::take(&mut self.most_disk),
        }
    }

    pub(super) fn freeze(&mut self, motion: Motion) -> io::Result<()> {
        if self.motion == motion {
            return Ok(());
        }
        self.motion = motion;
        self.home.freeze(motion)
    }

    pub(super) fn is_running(&self) -> bool {
        self.wait(Duration::ZERO).is_ok_and(|ready| !ready.end)
    }

    /// Waits for an event, up to `patience`, and handles it.
    pub(super) fn step(&mut self, patience: Duration) -> Result<(), SandboxError> {
        let pause = self.next_check.saturating_duration_since(Instant::now()).min(patience);
        let failed = |error: io::Error| SandboxError::system("cannot watch a job", error);
        let ready = self.wait(pause).map_err(failed)?;
        self.has_ended |= ready.end;
        self.serve(ready);
        if Instant::now() >= self.next_check && !self.has_ended {
            if self.home.capabilities.policy.stop.is_requested() {
                return Err(SandboxError::Stopped);
            }
            self.check_limits().map_err(failed)?;
        }
        Ok(())
    }

    fn wait(&self, pause: Duration) -> io::Result<Ready> {
        self.streams.wait(Some(self.pidfd.as_fd()).filter(|_| !self.has_ended), pause)
    }

    /// Reads and writes whatever is ready, and checks whether the launcher has become the agent.
    fn serve(&mut self, ready: Ready) {
        if self.streams.serve(ready) == Err(LineTooLong) {
            self.end(Some(JobEnd::OverOutput));
        }
        if self.watch.is_none()
            && let Some(LauncherLine::Started { launcher, at }) = self.streams.log.launcher_line()
        {
            let list = match &self.home.account {
                Some(group) => ProcessList::Group(group.procs_file()),
                None => ProcessList::Descendants(self.child.id()),
            };
            if self.watches_memory() {
                let most = self.home.capabilities.memory_for(self.limits.memory);
                self.memory_watch = Some(MemoryWatch::new(list.clone(), most));
            }
            self.watch = Some(Stopwatch::new(list, at));
            self.before.cpu += launcher.cpu;
            self.before.user += launcher.user;
            self.next_check = Instant::now() + SHORTEST_PAUSE;
        }
    }

    fn check_limits(&mut self) -> io::Result<()> {
        let now = Instant::now();
        self.next_check = now + LONGEST_PAUSE;
        if self.watch.is_none() {
            if now - self.launched > START_WITHIN {
                self.end(Some(JobEnd::Starved));
            }
            return Ok(());
        }
        match self.home.shortage() {
            Some(Shortage::Agents) => self.end(Some(JobEnd::OverMemory)),
            Some(Shortage::Machines) => self.end(Some(JobEnd::MachineOutOfMemory)),
            None => {}
        }
        // Reading them takes a millisecond.
        if now >= self.next_look_at_sockets {
            self.sockets = self.home.memory_of_sockets(self.child.id());
            self.most_sockets = self.most_sockets.max(self.sockets);
            self.next_look_at_sockets = now + (now.elapsed() * SOCKETS_PER_LOOK).clamp(LONGEST_PAUSE, LONGEST_UNSEEN);
        }
        let is_over = match &mut self.memory_watch {
            Some(watch) => watch.is_over(self.home.memory_of_files() + self.sockets),
            None => self.sockets > 0 && self.home.is_over_by_sockets(self.sockets),
        };
        if is_over {
            self.end(Some(JobEnd::OverMemory));
        }
        self.next_check = self.memory_watch.iter().map(MemoryWatch::next).fold(self.next_check, Instant::min);
        if let Some(most) = self.limits.cpu {
            let used = self.cpu()?;
            if used >= most {
                self.end(Some(JobEnd::OverCpu));
            }
            self.next_check = self.next_check.min(now + self.pause_for(most.saturating_sub(used)));
        }
        let time = self.time_against(self.limits.wall)?;
        if time.own >= self.limits.wall {
            self.end(Some(JobEnd::OverWall));
        } else if time.waited + time.unseen > self.most_waiting() {
            self.end(Some(JobEnd::Starved));
        }
        let left = self.limits.wall.saturating_sub(time.own);
        self.next_check = self.next_check.min(now + left).max(now + SHORTEST_PAUSE);
        let disk = self.home.disk_use();
        self.most_disk = self.most_disk.max(disk.bytes);
        if disk.is_full {
            self.end(Some(JobEnd::OverDisk));
        }
        Ok(())
    }

    fn most_waiting(&self) -> Duration {
        let usual = || self.limits.wall.saturating_mul(MOST_WAITING).saturating_add(WAITING);
        self.limits.waiting.unwrap_or_else(usual)
    }

    /// Time until the next check of a job with this much CPU time left.
    fn pause_for(&self, left: Duration) -> Duration {
        (left / self.home.capabilities.cores).max(SHORTEST_PAUSE)
    }

    /// CPU time used by the agent, as far as it counts.
    pub(super) fn cpu(&mut self) -> io::Result<Duration> {
        match (self.limits.counts, &self.meter) {
            (CpuTime::User, Meter::CgroupV2(_)) => Ok(self.meter.read(CpuTime::User)?.saturating_sub(self.before.user)),
            _ => self.all_cpu(),
        }
    }

    /// CPU time used by the agent, user and system.
    fn all_cpu(&mut self) -> io::Result<Duration> {
        Ok(self.meter.read(CpuTime::UserAndSystem)?.saturating_sub(self.before.cpu))
    }

    /// Wall time since the agent started. Observes the job again if that is due, or if the job's own time seems to have
    /// reached this limit: it may have been waiting since it was last observed.
    pub(super) fn time_against(&mut self, limit: Duration) -> io::Result<WallTime> {
        let Some(watch) = &self.watch else { return Ok(WallTime::default()) };
        // Read only once: the next observation accounts for any later time.
        let time = watch.time();
        if watch.is_due() || time.own >= limit { self.observe() } else { Ok(time) }
    }

    /// Observes the job; returns the wall time since the agent started, or zero before that.
    pub(super) fn observe(&mut self) -> io::Result<WallTime> {
        let cpu = self.all_cpu()?;
        Ok(self.watch.as_mut().map_or(WallTime::default(), |watch| watch.observe(cpu)))
    }

    /// Ends the job, because it exceeded a limit (`why`) or for another reason.
    pub(super) fn end(&mut self, why: Option<JobEnd>) {
        self.exceeded = self.exceeded.take().or(why);
        // A frozen job cannot end. If it cannot be thawed, it no longer exists.
        let _ = self.freeze(Motion::Free);
        // The job may have ended on its own.
        let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
    }

    pub(super) fn exceeded(&self) -> Option<&JobEnd> {
        self.exceeded.as_ref()
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Reads both streams as far as possible without blocking.
    pub(super) fn drain(&mut self) -> Result<(), SandboxError> {
        let failed = |error: io::Error| SandboxError::system("cannot read the output of an agent", error);
        loop {
            let ready = self.wait(Duration::ZERO).map_err(failed)?;
            if !ready.read {
                return Ok(());
            }
            self.serve(ready);
        }
    }

    /// Waits until the job and everything that it started have ended.
    pub(super) fn finish(mut self) -> Result<Run, SandboxError> {
        while !self.has_ended {
            self.step(LONGEST_PAUSE)?;
        }
        let failed = |error: io::Error| SandboxError::system("cannot end a job", error);
        let time = self.observe().map_err(failed)?;
        self.home.end_all().map_err(failed)?;
        // The clock of a process vanishes when it is reaped, but the total of a group is complete only after that.
        let own = if let Meter::Process(_) = self.meter { Some(self.cpu().map_err(failed)?) } else { None };
        let Reaped { status, cpu: waited_for, most_memory } = meter::reap(&self.child).map_err(failed)?;
        self.reaped = true;
        self.drain()?;
        let mut cpu = own.map_or_else(|| self.cpu(), Ok).map_err(failed)?;
        if let Meter::Perf(_) = self.meter {
            // The counter stops slightly before its process ends, so the kernel may report more to the parent.
            cpu = cpu.max(waited_for.saturating_sub(self.before.cpu));
        }
        let by_itself = match status.signal() {
            Some(libc::SIGXFSZ) => JobEnd::OverDisk,
            Some(libc::SIGKILL) if self.kills_before.is_some_and(|before| kills_on_machine() > before) => {
                if self.has_grown_to(most_memory) { JobEnd::OverMemory } else { JobEnd::MachineOutOfMemory }
            }
            Some(signal) => JobEnd::Signalled(signal),
            None => JobEnd::Exited(status.code().unwrap_or_default()),
        };
        let shortage = self.home.shortage();
        let end = match self.streams.log.not_started() {
            _ if self.home.is_overfull.get() => JobEnd::OverMemory,
            Some(_) if self.exceeded == Some(JobEnd::Starved) => JobEnd::Starved,
            Some(_) if shortage == Some(Shortage::Machines) || by_itself == JobEnd::MachineOutOfMemory => {
                JobEnd::MachineOutOfMemory
            }
            Some(why) => JobEnd::NotStarted(why),
            None if shortage == Some(Shortage::Agents) => JobEnd::OverMemory,
            None if shortage == Some(Shortage::Machines) => JobEnd::MachineOutOfMemory,
            None => match self.exceeded.take() {
                Some(end) => end,
                None if self.limits.cpu.is_some_and(|most| cpu >= most) => JobEnd::OverCpu,
                None if self.home.disk_use().is_full => JobEnd::OverDisk,
                None => by_itself,
            },
        };
        let cpu = if let JobEnd::NotStarted(_) = end { Duration::ZERO } else { cpu };
        let (stdout, stderr) = (self.streams.take_output(), self.streams.log.take_output());
        let WallTime { own, waited, unseen } = time;
        let peak = self.take_peak();
        let folder = self.home.dir().to_owned();
        let was_alone = self.running.take().is_some_and(|running| running.is_alone());
        Ok(Run { end, was_alone, folder, cpu, wall: own, waited, unseen, peak, stdout, stderr })
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = self.freeze(Motion::Free);
            abandon(&mut self.child);
            // Removing the group ends the other processes.
            let _ = self.home.end_all();
        }
    }
}

fn abandon(child: &mut Child) {
    // Neither call can fail for a running child.
    let _ = child.kill();
    let _ = child.wait();
}
