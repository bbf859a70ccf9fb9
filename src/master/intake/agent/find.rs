//! Finds agents in folders and archives.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::export::{self, FlatStudent};
use super::layout::{self, Layout};
use super::program::{self, Depth, FoundProgram, Search};
use super::{Agent, FoundAgents, NamePattern, Refused, Trouble, class_path, copy, name_of};
use crate::intake::archive;
use crate::league::League;
use crate::league::preparation::TreeLimits;
use kingline_players::terminal::{escaped_path, is_deceptive};

#[cfg(test)]
mod tests;

/// Number of submissions for which there is room in one archive.
const MOST_STUDENTS: u64 = 1000;

/// Settings for finding agents: the league, and where archives are unpacked.
#[derive(Debug)]
pub struct Intake<'a> {
    league: &'a League,
    /// Patterns of file names in flat exports; empty to detect them.
    layouts: &'a [NamePattern],
    unpacked: TempDir,
}

impl<'a> Intake<'a> {
    /// Creates the settings for a league's games. Dropping them removes the unpacked files.
    ///
    /// # Errors
    /// A temporary folder cannot be created.
    pub fn new(league: &'a League) -> io::Result<Intake<'a>> {
        Ok(Intake { league, layouts: &[], unpacked: tempfile::tempdir()? })
    }

    #[must_use]
    pub(crate) fn with_layouts(self, layouts: &'a [NamePattern]) -> Intake<'a> {
        Intake { layouts, ..self }
    }

    /// Returns the folder of unpacked archives, which their agents need for as long as they play.
    pub(crate) fn into_unpacked(self) -> TempDir {
        self.unpacked
    }

    pub(crate) fn league(&self) -> &'a League {
        self.league
    }
}

/// Finds the agents in `directories`, whose entries are folders or archives, or files of many students with the
/// students in their names. Skips hidden entries.
///
/// # Errors
/// A directory cannot be read.
pub fn agents_in(directories: &[PathBuf], intake: &Intake) -> io::Result<FoundAgents> {
    agents_within(directories, intake, Depth::Any)
}

fn agents_within(directories: &[PathBuf], intake: &Intake, depth: Depth) -> io::Result<FoundAgents> {
    let mut found = FoundAgents::default();
    let mut agents = Vec::new();
    for directory in directories {
        let unread = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", directory.display()));
        let mut paths = paths_in(directory).map_err(unread)?;
        let files: Vec<PathBuf> = paths.iter().filter(|path| path.is_file()).cloned().collect();
        if let Some(export) = export::export(directory, &files, intake.layouts, intake.league) {
            for student in &export.students {
                paths.retain(|path| !student.has(path));
                match exported(student, intake, depth) {
                    Ok(agent) => agents.push((directory.join(&student.name), agent)),
                    Err(why) => found.refused.push(Refused::new(directory.join(&student.name), why)),
                }
            }
            found.exports.push(export);
        }
        for path in paths {
            if path.is_file() && !archive::is_archive(&path) {
                found.ignored.push(path);
                continue;
            }
            match agent_within(&path, intake, depth) {
                Ok(agent) => agents.push((path, agent)),
                Err(refused) => found.refused.push(refused),
            }
        }
    }
    let playing = agents.iter().map(|(path, agent)| (agent.name.clone(), path.clone()));
    let refused = found.refused.iter().map(|refused| (escaped_path(Path::new(&refused.name)), refused.path.clone()));
    found.namesakes = namesakes(playing.chain(refused).collect());
    // If two paths lead to the same folder, a path that is not a link comes first and is kept.
    agents.sort_by_cached_key(|(path, _)| (path.is_symlink(), path.clone()));
    let rivals: Vec<_> = (0..agents.len()).map(|place| rival(&agents, place)).collect();
    for ((path, agent), rival) in agents.into_iter().zip(rivals) {
        match rival {
            None => found.agents.push(agent),
            Some(why) => found.refused.push(Refused::new(path, why)),
        }
    }
    found.agents.sort_by(|a, b| a.name.cmp(&b.name));
    found.refused.sort_by(|a, b| a.path.cmp(&b.path));
    found.ignored.sort();
    Ok(found)
}

/// Finds the folder of a class with at least `least` submissions of which one can play: this folder, or one that it, or
/// this archive, only wraps. `None` if there is none. Folders without any source count as no submissions: one agent may
/// have its documents beside the folder of its program.
pub(crate) fn class_at(path: &Path, least: usize, intake: &Intake) -> Result<Option<PathBuf>, Refused> {
    let of_one = &intake.league.preparation.files;
    let limits = TreeLimits {
        bytes: of_one.bytes.saturating_mul(MOST_STUDENTS),
        entries: of_one.entries.saturating_mul(MOST_STUDENTS),
        ..*of_one
    };
    let refused = |why| Refused::new(path, why);
    let unreadable = |error| refused(Trouble::Unreadable(path.to_owned(), error));
    let is_class = |folder: &PathBuf, depth| {
        let found = agents_within(std::slice::from_ref(folder), intake, depth).map_err(unreadable)?;
        let refused = found.refused.iter().filter(|refused| refused.why.is_of_program()).count();
        Ok(!found.agents.is_empty() && found.agents.len() + refused >= least)
    };
    let mut folders = Vec::new();
    let mut next = Some(path.to_owned());
    while let Some(folder) = next.filter(|_| folders.len() < limits.depth) {
        if folder.is_dir() && is_class(&folder, Depth::Top)? {
            return Ok(Some(folder));
        }
        next = layout::unwrapped(&folder, intake.unpacked.path(), &limits).map_err(refused)?;
        folders.push(folder);
    }
    // Only now, since below the folder of a class there are programs as well.
    for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
        if is_class(&folder, Depth::Any)? {
            return Ok(Some(folder));
        }
    }
    Ok(None)
}

fn paths_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let is_hidden = |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
    let mut paths: Vec<_> = entries.iter().filter(|entry| !is_hidden(entry)).map(fs::DirEntry::path).collect();
    paths.sort();
    Ok(paths)
}

/// Returns the first two of these paths whose names differ in letter case at most.
fn namesakes(mut named: Vec<(String, PathBuf)>) -> Option<[PathBuf; 2]> {
    named.sort_by(|(_, a), (_, b)| a.cmp(b));
    let mut seen: BTreeMap<String, PathBuf> = BTreeMap::new();
    named.into_iter().find_map(|(name, path)| {
        let first = seen.insert(name.to_lowercase(), path.clone())?;
        Some([first, path])
    })
}

/// Returns why this agent cannot be distinguished from another: they share a folder and the other comes first, or they
/// share a name.
fn rival(agents: &[(PathBuf, Agent)], place: usize) -> Option<Trouble> {
    let (_, agent) = &agents[place];
    let first = agents.iter().position(|(_, other)| other.folder == agent.folder)?;
    if first < place {
        return Some(Trouble::SameFolder(agents[first].0.clone()));
    }
    let name = agent.name.to_lowercase();
    let namesake = |(_, other): &&(PathBuf, Agent)| other.folder != agent.folder && other.name.to_lowercase() == name;
    agents.iter().find(namesake).map(|(path, _)| Trouble::SameName(path.clone()))
}

/// Finds the agent in a folder or an archive, or takes a single executable file as an agent.
pub(crate) fn agent_at(path: &Path, intake: &Intake) -> Result<Agent, Refused> {
    agent_within(path, intake, Depth::Any)
}

/// Finds the agent like [`agent_at`], with its program in one of these folders.
pub(crate) fn agent_within(path: &Path, intake: &Intake, depth: Depth) -> Result<Agent, Refused> {
    let search = Search { league: intake.league, limits: &intake.league.preparation.files, depth };
    read(path, intake, search).map_err(|why| Refused::new(path, why))
}

/// Finds an agent that the staff chose, to which the usual limits apply rather than those of the league.
pub(crate) fn opponent_at(path: &Path, intake: &Intake) -> Result<Agent, Refused> {
    let search = Search { league: intake.league, limits: &TreeLimits::default(), depth: Depth::Any };
    read(path, intake, search).map_err(|why| Refused::new(path, why))
}

fn read(path: &Path, intake: &Intake, search: Search) -> Result<Agent, Trouble> {
    let top = path.canonicalize().map_err(|error| Trouble::Unreadable(path.to_owned(), error))?;
    let name = name_of(path).into_string().ok().filter(|name| !name.is_empty() && !name.contains(is_deceptive));
    let name = name.ok_or(Trouble::Name)?;
    let Layout { files: folder, notes: found } = layout::settle(top, intake.unpacked.path(), search.limits)?;
    agent(name, &folder, found, search).map_err(|why| why.inside(&folder))
}

fn exported(student: &FlatStudent, intake: &Intake, depth: Depth) -> Result<Agent, Trouble> {
    let limits = &intake.league.preparation.files;
    let unpacked = intake.unpacked.path();
    let made = tempfile::tempdir_in(unpacked).map(TempDir::keep);
    let files = made.map_err(|error| Trouble::Unreadable(unpacked.to_owned(), error))?.join(&student.name);
    student.collect(&files, limits)?;
    let mut agent = read(&files, intake, Search { league: intake.league, limits, depth })?;
    agent.found.splice(0..0, student.notes());
    Ok(agent)
}

fn agent(name: String, top: &Path, mut found: Vec<String>, search: Search) -> Result<Agent, Trouble> {
    let is_alone = top.is_file();
    let player = if is_alone { program::alone(top)? } else { program::player(top, search, &mut found)? };
    let folder = &player.folder;
    // Comes after the search for the program: a folder of many agents is not read.
    let mut hash = copy::hash(folder, search.limits).map_err(Trouble::Files)?;
    let mut notes = Vec::new();
    let calibrate = match program::calibrate(&player, search) {
        _ if is_alone => None,
        Err(why) if why.is_machines() => return Err(why),
        Err(why) => {
            notes.push(why.inside(folder).of_calibrate());
            None
        }
        Ok(calibrate) => calibrate,
    };
    let (build_calibrate, calibrate) =
        calibrate.map_or_else(Default::default, |calibrate| (calibrate.build, Some(calibrate.run)));
    if player.build.iter().chain(&build_calibrate).any(|command| class_path::is_used_by(&command.words)) {
        hash = copy::with_files(&hash, &search.league.class_path).map_err(Trouble::Machine)?;
    }
    let FoundProgram { folder, run: player, build, .. } = player;
    Ok(Agent { name, folder, build, build_calibrate, player, calibrate, found, notes, hash })
}
