//! How are untrusted programs run? Confined, measured, and ended with everything that they started.
//!
//! Every job starts as another process of this program: a launcher that drops its rights and then becomes the agent.
//! The agent has its own user (if the referee is root), its own process namespace, no network, no files but its own and
//! the system's programs, and limits on what it uses. The referee watches from outside.
//!
//! A job is described in `job`, started by `launch`, `confine` and `calls` as a `launch_spec` says, watched by `supervisor`, and
//! lives in a `cell`. What the machine can do (`capabilities`) is tried out in `survey`; what it lacks is listed in `gaps`.

mod calls;
mod capabilities;
mod cell;
mod cgroup;
mod confine;
mod copier;
mod folder;
mod gaps;
mod home;
mod job;
mod kernel_files;
mod launch;
mod launch_spec;
mod memory;
mod meter;
mod namespaces;
mod precedence;
mod process;
mod socket_memory;
mod starvation;
mod stopwatch;
mod streams;
mod supervisor;
mod survey;
mod view;
mod working_dir;

pub use cell::{Cell, Sandbox, Workspace};
pub use copier::KeptFile;
pub use folder::{DiskLimit, UntrustedFileError, open_untrusted, read_untrusted};
pub(crate) use gaps::Survey;
pub use job::{CpuTime, Job, JobEnd, JobLimits, Output, Peak, Policy, Run, SandboxError, Tier};
pub use launch::launched;
pub(crate) use launch_spec::PROGRAM_FOLDERS;
pub use launch_spec::program;
pub use memory::{MemoryDemand, MemoryShare};
pub use namespaces::enter_user_namespace;
pub use process::{NextLine, Process};
pub use stopwatch::WallTime;
pub(crate) use survey::Trial;
