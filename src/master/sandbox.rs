//! How are untrusted programs run? Confined, measured, and ended with everything that they started.
//!
//! Every job starts as another process of this program: a launcher that drops its rights and then becomes the agent.
//! The agent has its own user (if the referee is root), its own process namespace, no network, no files but its own and
//! the system's programs, and limits on what it uses. The referee watches from outside.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `policy` | what does the referee require of the machine? |
//! | `job`, `run` | what is run, within which limits, and how did it end? |
//! | `error` | why does the sandbox itself fail? |
//! | `tier` | how is CPU time read, and how reliably? |
//! | `capabilities` | how can this machine confine and measure agents? |
//! | `survey` | which of these capabilities work here? It tries each one. |
//! | `gaps` | what does this machine lack, and how is it fixed? |
//! | `namespaces` | which parts of the system do a thread's children see? |
//! | `cgroup` | which processes belong together, what do they use, and how are they ended? |
//! | `users` | which user does an agent run as? |
//! | `view` | which files does it see? |
//! | `memory` | how much memory do agents have, and how many of them fit in it? |
//! | `shortage` | who is to blame if memory runs out? |
//! | `memory_watch` | how much memory does a job use where no control group counts it? |
//! | `meter` | how much CPU time has a job used? |
//! | `user_time` | does the kernel count user time exactly? |
//! | `home` | where does an agent live: folder, user, control groups? |
//! | `working_dir`, `layering` | how does each turn start with the same files? |
//! | `own_files` | how do an agent's own files get there, and what if they do not fit? |
//! | `launch_spec`, `launch`, `confine`, `calls` | how does a launcher become an agent? |
//! | `unreadable` | could a program escape the counter that reads its CPU time? |
//! | `supervisor` | how is a job watched until it ends? |
//! | `precedence` | how does the referee get a core before any agent? |
//! | `streams` | how does the referee write to a job and read from it? |
//! | `stopwatch` | how much wall time counts as the job's own? |
//! | `starvation` | how long has it waited for cores that others had? |
//! | `cores` | how long have others had the cores? |
//! | `launcher_log` | what do a launcher and then its agent write to standard error? |
//! | `process` | how does the referee talk to an agent that keeps running? |
//! | `folder` | how are files that an agent may have created read and removed safely? |
//! | `excerpt` | what is kept of text and files that are too long? |
//! | `copier` | how are files copied into memory that counts as an agent's? |
//! | `kept_file` | how is a file carried from turn to turn? |
//! | `cell` | where and how does an agent run? |
//! | `open` | what does the machine offer as a whole? |
//! | `workspace` | which folders do builds and games use? |

mod calls;
mod capabilities;
mod cell;
mod cgroup;
mod confine;
mod copier;
mod cores;
mod error;
mod excerpt;
mod folder;
mod gaps;
mod home;
mod job;
mod kept_file;
mod launch;
mod launch_spec;
mod launcher_log;
mod layering;
mod memory;
mod memory_watch;
mod meter;
mod namespaces;
mod open;
mod own_files;
mod policy;
mod precedence;
mod process;
mod run;
mod shortage;
mod starvation;
mod stopwatch;
mod streams;
mod supervisor;
mod survey;
mod tier;
mod unreadable;
mod user_time;
mod users;
mod view;
mod working_dir;
mod workspace;

pub use cell::Cell;
pub use error::SandboxError;
pub use folder::{DiskLimit, UntrustedFileError, open_untrusted, read_untrusted};
pub use gaps::{Gap, Survey};
pub use job::{CpuTime, Job, JobLimits, Output};
pub use kept_file::KeptFile;
pub use launch::launched;
pub use memory::{MemoryDemand, MemoryShare};
pub use namespaces::enter_user_namespace;
pub use open::Sandbox;
pub use policy::Policy;
pub use process::{LineTimeout, NextLine, Process};
pub use run::{JobEnd, Peak, Run};
pub use stopwatch::WallTime;
pub use survey::Trial;
pub use tier::Tier;
pub use workspace::Workspace;
