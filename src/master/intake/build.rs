//! Builds agents submitted as source in a cell without network access, once for each set of files. Outcomes are kept whole or
//! not at all: the built folder, or the reason why there is none.

mod commands;

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::agent::{self, Agent, BuildCommand, Origin, TreeError, Trouble, Walk, class_path, copy, copy_within};
use crate::hash::short_hash;
use crate::league::League;
use crate::league::clock_rules::Spent;
use crate::league::preparation::{BuildLimits, PreparationLimits, TreeLimits};
use crate::sandbox::{Workspace, read_untrusted};
use commands::Builder;
use kingline_players::files::write_whole;

#[derive(Debug)]
pub(crate) struct Build {
    /// The agent with its programs, or the reason why it cannot be built.
    pub(crate) result: Result<Agent, Trouble>,
    /// Total time of the commands; zero if they were run earlier.
    pub(crate) spent: Spent,
}

impl Build {
    /// Returns the agent with its programs or, if it could not be built, the agent as found, which then fails to start
    /// in its first game.
    pub(crate) fn or_as_found(self, agent: &Agent) -> Agent {
        self.result.unwrap_or_else(|_| agent.clone())
    }
}

/// Builds an agent submitted as source; returns any other agent unchanged. Builds the player first and then, in a copy
/// of the result, `calibrate`: if that fails, the agent gets a note and plays without it. Keeps both outcomes in the
/// workspace, under a hash of the agent's files and commands.
pub(crate) fn build(workspace: Workspace, league: &League, agent: &Agent) -> Result<Build> {
    let mut spent = Spent::default();
    let builds = Builds { workspace, limits: &league.preparation, class_path: &league.class_path };
    let (mut built, mut source) = (agent.clone(), agent.hash.clone());
    if !agent.build.is_empty() {
        source = key(&agent.hash, &agent.build);
        let made = builds.folder(&agent.folder, &source, &agent.build, &mut spent)?;
        match made.and_then(|folder| agent::built(agent, &folder, league.game).map_err(|why| why.inside(&folder))) {
            Ok(agent) => built = agent,
            Err(why) => return Ok(Build { result: Err(why), spent }),
        }
    }
    if !agent.build_calibrate.is_empty() {
        let key = key(&source, &agent.build_calibrate);
        let made = builds.folder(&built.folder, &key, &agent.build_calibrate, &mut spent)?;
        match made.and_then(|folder| agent::calibrate_built(&built, &folder).map_err(|why| why.inside(&folder))) {
            Ok(agent) => built = agent,
            Err(why) => {
                (built.calibrate, built.build_calibrate) = (None, Vec::new());
                built.notes.push(why.of_calibrate());
            }
        }
    }
    Ok(Build { result: Ok(built), spent })
}

/// Why an agent could not be built earlier, as the folder `kept` has it.
pub(crate) fn why_not_built(kept: &Path, league: &League, agent: &Agent) -> Option<Trouble> {
    if agent.build.is_empty() {
        return None;
    }
    let built = known(kept, &league.preparation, &key(&agent.hash, &agent.build))?;
    built.and_then(|folder| agent::built(agent, &folder, league.game)).err()
}

/// Copies the builds of an agent that the folder `from` keeps to the folder `to`, except those that are there.
pub(crate) fn take_over_builds(from: &Path, to: &Path, agent: &Agent) -> Result<()> {
    let mut source = agent.hash.clone();
    for commands in [&agent.build, &agent.build_calibrate].into_iter().filter(|commands| !commands.is_empty()) {
        source = key(&source, commands);
        take_over(from, to, &source)?;
    }
    Ok(())
}

/// Folder of finished builds, inside the folder for files kept between games.
const BUILT: &str = "built";
/// Maximum length of a kept failure in bytes.
const LONGEST_FAILURE: usize = 1 << 20;

struct Builds<'a> {
    workspace: Workspace<'a>,
    limits: &'a PreparationLimits,
    class_path: &'a [PathBuf],
}

/// A failed build as kept, under the limits with which it failed.
#[derive(Serialize, Deserialize)]
struct Failure {
    files: TreeLimits,
    build: BuildLimits,
    telling: String,
    details: String,
}

/// Hash of everything that a build depends on, in hexadecimal; `source` is a hash of the files.
fn key(source: &str, commands: &[BuildCommand]) -> String {
    let commands = commands.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    short_hash(format!("{source}\n{commands}"))
}

fn places(kept: &Path, key: &str) -> [PathBuf; 2] {
    [key.to_owned(), format!("{key}.failed")].map(|name| kept.join(BUILT).join(name))
}

/// The outcome kept under this key, if there is one: the built folder, or why there is none under the same limits.
fn known(kept: &Path, limits: &PreparationLimits, key: &str) -> Option<Result<PathBuf, Trouble>> {
    let [built, failed] = places(kept, key);
    if built.is_dir() {
        return Some(Ok(built));
    }
    let bytes = read_untrusted(&failed, LONGEST_FAILURE).ok()?;
    let Failure { files, build, telling, details } = serde_json::from_slice(&bytes).ok()?;
    let is_same = (files, build) == (limits.files, limits.build);
    is_same.then_some(Err(Trouble::NotBuilt { telling, details }))
}

/// Copies a build kept under this key from the folder `from` to the folder `to`, unless it is there.
fn take_over(from: &Path, to: &Path, key: &str) -> Result<()> {
    let [from, builds] = [from, to].map(|kept| kept.join(BUILT));
    let (from, kept) = (from.join(key), builds.join(key));
    if !from.is_dir() || kept.is_dir() {
        return Ok(());
    }
    make_folder(&builds)?;
    let take = || {
        let copied = tempfile::tempdir_in(&builds)?;
        copy(&from, copied.path())?;
        place(copied, &kept)
    };
    take().with_context(|| format!("cannot copy {} to {}", from.display(), kept.display()))
}

/// Makes the folder of builds. Others can read a build if they know its name, but they cannot list the names.
fn make_folder(builds: &Path) -> Result<()> {
    fs::create_dir_all(builds)
        .and_then(|()| fs::set_permissions(builds, Permissions::from_mode(0o711)))
        .with_context(|| format!("cannot make {}", builds.display()))
}

fn place(built: TempDir, kept: &Path) -> io::Result<()> {
    // After a power failure there must be no build whose files are empty.
    File::open(built.path()).and_then(|folder| Ok(rustix::fs::syncfs(folder)?))?;
    match fs::rename(built.path(), kept) {
        // Another thread has already built the same files.
        Err(_) if kept.is_dir() => {}
        renamed => {
            renamed?;
            // Its old name is free.
            let _ = built.keep();
        }
    }
    Ok(())
}

impl Builds<'_> {
    /// Returns the folder in which these commands have been run, as kept under this key or built now. Adds the time
    /// that they take to `spent`.
    fn folder(
        &self,
        source: &Path,
        key: &str,
        commands: &[BuildCommand],
        spent: &mut Spent,
    ) -> Result<Result<PathBuf, Trouble>> {
        let (builds, [kept, failed]) = (self.workspace.kept.join(BUILT), places(self.workspace.kept, key));
        match known(self.workspace.kept, self.limits, key) {
            Some(Err(why)) => return Ok(Err(why)),
            Some(Ok(_)) => {}
            None => {
                make_folder(&builds)?;
                if let Err(why) = self.make(source, commands, &kept, spent)? {
                    self.keep(&failed, &why)?;
                    return Ok(Err(why));
                }
            }
        }
        Ok(Ok(kept.canonicalize().with_context(|| format!("cannot read {}", kept.display()))?))
    }

    /// Runs the commands in a copy of the folder and keeps the result.
    fn make(
        &self,
        from: &Path,
        commands: &[BuildCommand],
        kept: &Path,
        spent: &mut Spent,
    ) -> Result<Result<(), Trouble>> {
        let unwritable = || format!("cannot copy {} to {}", from.display(), kept.display());
        let beside = kept.parent().unwrap_or(self.workspace.kept).canonicalize()?;
        let source = tempfile::tempdir_in(&beside).with_context(unwritable)?;
        let walk = Walk { top: from, origin: Origin::HandedIn, limits: &self.limits.files, except: None };
        match copy_within(walk, source.path()) {
            Ok(()) => {}
            Err(error @ (TreeError::Unwritable(..) | TreeError::Unreadable(..))) => {
                return Err(error).with_context(unwritable);
            }
            // It has changed since it was found.
            Err(error) => return Ok(Err(Trouble::Files(error))),
        }
        if commands.iter().any(|command| class_path::is_used_by(&command.words)) {
            class_path::copy_into(source.path(), self.class_path).context("cannot copy the class path")?;
        }
        let mut builder = match Builder::new(self.workspace, self.limits, source.path())? {
            Ok(builder) => builder,
            Err(why) => return Ok(Err(why)),
        };
        for command in commands {
            let ran = builder.run(command);
            if let Err(why) = ran? {
                *spent += builder.spent();
                return Ok(Err(why));
            }
        }
        *spent += builder.spent();
        let result = tempfile::tempdir_in(&beside).with_context(unwritable)?;
        if let Err(why) = builder.take(result.path()).with_context(unwritable)? {
            return Ok(Err(why));
        }
        place(result, kept).with_context(unwritable)?;
        Ok(Ok(()))
    }

    /// Keeps a failure that the same files and commands would have again.
    fn keep(&self, path: &Path, why: &Trouble) -> Result<()> {
        let Trouble::NotBuilt { telling, details } = why else { return Ok(()) };
        let (telling, details) = (telling.clone(), details.clone());
        let failure = Failure { files: self.limits.files, build: self.limits.build, telling, details };
        write_whole(path, &serde_json::to_vec(&failure)?)
    }
}
