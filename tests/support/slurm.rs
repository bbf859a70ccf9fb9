//! Real Slurm on one machine, listening only on the loopback interface.

#![allow(dead_code, reason = "each test program uses only a part of this")]

use std::env;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::skipped::skipped;

/// Longest wait for a job on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Slurm programs that the tests need.
const PROGRAMS: [&str; 6] = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo"];

/// Running daemons; stopped when dropped.
pub(crate) struct Slurm {
    folder: PathBuf,
    ports: [u16; 2],
    daemons: Vec<Child>,
}

/// Finds a program. The folders of daemons are searched as well, since not every PATH includes them.
fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn output_of(command: &mut Command) -> String {
    let output = command.output().expect("a program that starts");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

impl Slurm {
    /// Starts the daemons. Without Slurm or root it returns `None`, and reports that the test is skipped.
    pub(crate) fn start(test: &str, folder: &Path) -> Option<Slurm> {
        if let Some(missing) = PROGRAMS.iter().find(|name| find(name).is_none()) {
            let packages = "Debian has it in slurmctld, slurmd, slurm-client and munge";
            skipped(test, &format!("there is no {missing} here; {packages}"));
            return None;
        }
        if output_of(Command::new("id").arg("-u")) != "0" {
            skipped(test, "only root may start Slurm's daemons");
            return None;
        }
        // Munge requires a socket that every user can reach.
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("a folder");
        // Both listeners are open at the same time, so the ports differ.
        let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
        let ports = listeners.map(|listener| listener.local_addr().expect("an address").port());
        let mut slurm = Slurm { folder: folder.to_owned(), ports, daemons: Vec::new() };
        slurm.configure();
        let [munge, key] = ["munge", "key"].map(|name| folder.join(name).display().to_string());
        slurm.daemon(
            "munged",
            &[
                "--foreground".to_owned(),
                format!("--key-file={key}"),
                format!("--socket={munge}.socket"),
                format!("--pid-file={munge}.pid"),
                format!("--log-file={munge}.log"),
                format!("--seed-file={munge}.seed"),
            ],
        );
        slurm.wait_for("munge's socket", |slurm| slurm.folder.join("munge.socket").exists());
        slurm.daemon("slurmctld", &["-D".to_owned()]);
        slurm.daemon("slurmd", &["-D".to_owned()]);
        slurm.wait_for("an idle node", |slurm| output_of(slurm.command("sinfo").args(["-h", "-o", "%t"])) == "idle");
        Some(slurm)
    }

    fn configure(&self) {
        let folder = self.folder.display().to_string();
        let host = output_of(Command::new("uname").arg("-n"));
        let host = host.split('.').next().unwrap_or_default();
        let [controller, node] = self.ports.map(|port| port.to_string());
        let values = [("{folder}", &*folder), ("{host}", host), ("{controller}", &controller), ("{node}", &node)];
        let text =
            values.iter().fold(include_str!("slurm.conf").to_owned(), |text, (name, value)| text.replace(name, value));
        fs::write(self.folder.join("slurm.conf"), text).expect("slurm.conf");
        fs::write(self.folder.join("key"), [7; 1024]).expect("a key");
        fs::set_permissions(self.folder.join("key"), fs::Permissions::from_mode(0o600)).expect("a key");
        ["state", "spool"].iter().for_each(|name| fs::create_dir(self.folder.join(name)).expect("a folder"));
    }

    /// Returns a command for a Slurm program, configured for this cluster.
    pub(crate) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(find(name).unwrap_or_else(|| name.into()));
        command.env("SLURM_CONF", self.folder.join("slurm.conf")).stdin(Stdio::null());
        command
    }

    fn daemon(&mut self, name: &str, arguments: &[String]) {
        let log = fs::File::create(self.folder.join(format!("{name}.out"))).expect("a log");
        let mut command = self.command(name);
        command.args(arguments).stdout(log.try_clone().expect("a log")).stderr(log);
        self.daemons.push(command.spawn().expect("a daemon"));
    }

    fn wait_for(&mut self, what: &str, is_there: impl Fn(&Slurm) -> bool) {
        let begin = Instant::now();
        while !is_there(self) {
            let ended = self.daemons.iter_mut().find_map(|daemon| daemon.try_wait().expect("a daemon"));
            if ended.is_some() || begin.elapsed() > PATIENCE {
                let logs = ["munged", "slurmctld", "slurmd"].map(|name| self.folder.join(format!("{name}.out")));
                let logs = logs.map(|path| fs::read_to_string(path).unwrap_or_default());
                panic!("no {what}: {ended:?}\n{}", logs.join("\n"));
            }
            sleep(Duration::from_millis(50));
        }
    }

    /// Waits until a job, or every task of an array, has ended.
    pub(crate) fn wait_for_end(&mut self, job: &str) {
        self.wait_for("end of the last job", |slurm| {
            output_of(slurm.command("squeue").args(["-h", "-j", job])).is_empty()
        });
    }

    /// Returns the addresses at which the daemons listen, as the kernel writes them.
    pub(crate) fn addresses(&self) -> Vec<String> {
        let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|path| fs::read_to_string(path).unwrap_or_default());
        let locals = tables.iter().flat_map(|table| table.lines()).filter_map(|line| line.split_whitespace().nth(1));
        let ports = self.ports.map(|port| format!("{port:04X}"));
        let is_ours =
            |local: &&str| local.rsplit_once(':').is_some_and(|(_, port)| ports.iter().any(|own| own == port));
        locals.filter(is_ours).filter_map(|local| Some(local.rsplit_once(':')?.0.to_owned())).collect()
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        // Stops the node's daemon first, and gives each daemon time to exit before it is killed.
        for mut daemon in self.daemons.drain(..).rev() {
            let _ = Command::new("kill").arg(daemon.id().to_string()).status();
            let begin = Instant::now();
            while daemon.try_wait().is_ok_and(|ended| ended.is_none()) {
                if begin.elapsed() > Duration::from_secs(10) {
                    let _ = daemon.kill();
                }
                sleep(Duration::from_millis(10));
            }
        }
    }
}
