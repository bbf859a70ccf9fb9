//! Finds agents in folders and archives.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::flat::{self, FlatStudent};
use super::layout::{self, Layout};
use super::{Agent, FoundAgents, NamePattern, Refused, Trouble, hash, program};
use crate::intake::archive;
use crate::league::League;
use crate::league::preparation::TreeLimits;
use kingline::terminal::is_deceptive;

/// Number of submissions for which there is room in one archive.
const MOST_STUDENTS: u64 = 1000;

/// Settings for finding agents: the league, and where archives are unpacked.
#[derive(Debug)]
pub struct Intake<'a> {
    league: &'a League,
    /// What the names of files in flat exports look like; empty if that is to be found out.
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

    /// Sets what the names of files in flat exports look like.
    #[must_use]
    pub fn with_layouts(self, layouts: &'a [NamePattern]) -> Intake<'a> {
        Intake { layouts, ..self }
    }

    /// Returns the folder of unpacked archives, which their agents need for as long as they play.
    pub fn into_unpacked(self) -> TempDir {
        self.unpacked
    }

    /// The league of the games.
    pub fn league(&self) -> &'a League {
        self.league
    }
}

/// Finds the agents in `directories`, whose entries are folders or archives, or files of many students with the
/// students in their names. Skips hidden entries.
///
/// # Errors
/// A directory cannot be read.
pub fn agents_in(directories: &[PathBuf], intake: &Intake) -> io::Result<FoundAgents> {
    let mut found = FoundAgents::default();
    let mut agents = Vec::new();
    for directory in directories {
        let unread = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", directory.display()));
        let mut paths = paths_in(directory).map_err(unread)?;
        let files: Vec<PathBuf> = paths.iter().filter(|path| path.is_file()).cloned().collect();
        if let Some(export) = flat::export(directory, &files, intake.layouts, intake.league) {
            for student in &export.students {
                paths.retain(|path| !student.has(path));
                match exported(student, intake) {
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
            match agent_at(&path, intake) {
                Ok(agent) => agents.push((path, agent)),
                Err(refused) => found.refused.push(refused),
            }
        }
    }
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
/// this archive, only wraps. `None` if there is none.
///
/// # Errors
/// An archive is refused, or a folder cannot be read.
pub fn class_at(path: &Path, least: usize, intake: &Intake) -> Result<Option<PathBuf>, Refused> {
    let of_one = &intake.league.preparation.files;
    let limits = TreeLimits {
        bytes: of_one.bytes.saturating_mul(MOST_STUDENTS),
        entries: of_one.entries.saturating_mul(MOST_STUDENTS),
        ..*of_one
    };
    let refused = |why| Refused::new(path, why);
    let unreadable = |error| refused(Trouble::Unreadable(path.to_owned(), error));
    let mut folder = path.to_owned();
    for _ in 0..limits.depth {
        if folder.is_dir() {
            let found = agents_in(std::slice::from_ref(&folder), intake).map_err(unreadable)?;
            if !found.agents.is_empty() && found.agents.len() + found.refused.len() >= least {
                return Ok(Some(folder));
            }
        }
        match layout::unwrapped(&folder, intake.unpacked.path(), &limits).map_err(refused)? {
            Some(inner) => folder = inner,
            None => break,
        }
    }
    Ok(None)
}

/// Entries of a folder that are not hidden, sorted.
fn paths_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let is_hidden = |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
    let mut paths: Vec<_> = entries.iter().filter(|entry| !is_hidden(entry)).map(fs::DirEntry::path).collect();
    paths.sort();
    Ok(paths)
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
///
/// # Errors
/// The submission cannot play.
pub fn agent_at(path: &Path, intake: &Intake) -> Result<Agent, Refused> {
    let limits = &intake.league.preparation.files;
    read(path, intake, limits).map_err(|why| Refused::new(path, why))
}

/// Finds an agent that the staff chose, to which the usual limits apply rather than those of the league.
///
/// # Errors
/// The agent cannot play.
pub fn opponent_at(path: &Path, intake: &Intake) -> Result<Agent, Refused> {
    read(path, intake, &TreeLimits::default()).map_err(|why| Refused::new(path, why))
}

/// Returns the name of a submission in tables: that of its folder or program, or of its archive without the extension.
pub(crate) fn name_of(path: &Path) -> OsString {
    // The name as given, not the name of a link's target.
    let named = std::path::absolute(path).ok().filter(|path| path.file_name().is_some());
    let named = named.or_else(|| path.canonicalize().ok()).unwrap_or_else(|| path.to_owned());
    let without_ending = archive::name_without_ending(&named).filter(|_| !named.is_dir());
    without_ending.map_or_else(|| named.file_name().unwrap_or_default().to_owned(), OsString::from)
}

fn read(path: &Path, intake: &Intake, limits: &TreeLimits) -> Result<Agent, Trouble> {
    let top = path.canonicalize().map_err(|error| Trouble::Unreadable(path.to_owned(), error))?;
    let name = name_of(path).into_string().ok().filter(|name| !name.is_empty() && !name.contains(is_deceptive));
    let name = name.ok_or(Trouble::Name)?;
    let Layout { files: folder, notes: found } = layout::settle(top, intake.unpacked.path(), limits)?;
    agent(name, &folder, found, intake.league, limits).map_err(|why| why.inside(&folder))
}

/// Finds a student's agent in a flat export.
fn exported(student: &FlatStudent, intake: &Intake) -> Result<Agent, Trouble> {
    let limits = &intake.league.preparation.files;
    let unpacked = intake.unpacked.path();
    let made = tempfile::tempdir_in(unpacked).map(TempDir::keep);
    let files = made.map_err(|error| Trouble::Unreadable(unpacked.to_owned(), error))?.join(&student.name);
    student.collect(&files, limits)?;
    let mut agent = read(&files, intake, limits)?;
    agent.found.splice(0..0, student.notes());
    Ok(agent)
}

fn agent(
    name: String,
    folder: &Path,
    mut found: Vec<String>,
    league: &League,
    limits: &TreeLimits,
) -> Result<Agent, Trouble> {
    let is_alone = folder.is_file();
    let player = if is_alone { program::alone(folder)? } else { program::player(folder, league, &mut found)? };
    // Comes after the search for the program: a folder of many agents is not read.
    let hash = hash::hash(folder, limits).map_err(Trouble::Files)?;
    let mut notes = Vec::new();
    let calibrate = match program::calibrate(folder, league, &player) {
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
    let (folder, player, build) = (folder.to_owned(), player.run, player.build);
    Ok(Agent { name, folder, build, build_calibrate, player, calibrate, found, notes, hash })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use tempfile::TempDir;

    use super::*;

    struct Class(TempDir);

    impl Class {
        fn new() -> Class {
            Class(tempfile::tempdir().unwrap())
        }

        fn file(&self, path: &str, mode: u32) -> &Class {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            self
        }

        fn found(&self) -> FoundAgents {
            let league = League::named("checkers").unwrap();
            agents_in(&[self.0.path().to_owned()], &Intake::new(&league).unwrap()).unwrap()
        }

        fn names(&self) -> Vec<String> {
            self.found().agents.into_iter().map(|agent| agent.name).collect()
        }

        fn hash(&self) -> String {
            self.found().agents[0].hash.clone()
        }
    }

    #[test]
    fn an_agent_is_a_folder_with_a_program() {
        let class = Class::new();
        class.file("b/homework", 0o755).file("b/calibrate", 0o755).file("a/run.sh", 0o644).file("c/run.sh", 0o755);
        class.file("d/loa6", 0o755).file(".git/homework", 0o755).file("notes.txt", 0o644);
        let found = class.found();
        assert_eq!(class.names(), ["a", "b", "c"]);
        let top = class.0.path().canonicalize().unwrap();
        let programs = [PathBuf::from("/bin/sh"), top.join("b/homework"), top.join("c/run.sh")];
        assert_eq!(found.agents.iter().map(|agent| agent.player.program.clone()).collect::<Vec<_>>(), programs);
        assert_eq!(found.agents[0].player.arguments, [top.join("a/run.sh")]);
        assert_eq!(found.agents[1].calibrate.as_ref().map(|run| &run.program), Some(&top.join("b/calibrate")));
        assert!(matches!(found.refused[..], [Refused { why: Trouble::NoProgram(..), .. }]));
        assert_eq!(found.ignored, [class.0.path().join("notes.txt")]);
        let [loa6, checkers] = ["loa6", "checkers"].map(|name| League::named(name).unwrap());
        let intake = Intake::new(&loa6).unwrap();
        assert_eq!(agent_at(&class.0.path().join("d"), &intake).unwrap().player.program, top.join("d/loa6"));
        let alone = agent_at(&class.0.path().join("b/homework"), &Intake::new(&checkers).unwrap()).unwrap();
        assert_eq!((alone.name.as_str(), alone.folder), ("homework", alone.player.program));
    }

    #[test]
    fn agents_that_cannot_play_are_refused_with_the_reason() {
        let class = Class::new();
        class.file("plain/homework", 0o644).file("kept/homework", 0o755);
        class.file("twice/homework", 0o755).file("Twice/homework", 0o755);
        let path = |name: &str| class.0.path().join(name);
        fs::create_dir(path("empty")).unwrap();
        fs::create_dir_all(path("folder/homework")).unwrap();
        fs::create_dir(path("out")).unwrap();
        for (name, text) in [
            ("crlf/homework", "#!/bin/sh\r\nexec ./a\r\n"),
            ("crlf2/run.sh", "exec ./a\r\n"),
            ("venv/homework", "#!/home/nobody/venv/bin/python\n"),
            ("python/main.py", ""),
            ("python/board.py", ""),
        ] {
            class.file(name, if name == "crlf2/run.sh" { 0o644 } else { 0o755 });
            fs::write(path(name), text).unwrap();
        }
        symlink("/bin/true", path("out/homework")).unwrap();
        symlink("nowhere", path("broken")).unwrap();
        symlink("kept", path("again")).unwrap();
        symlink("nowhere", path("kept/calibration.txt")).unwrap();
        assert_eq!(class.names(), ["kept"]);
        let refused: Vec<String> = class.found().refused.iter().map(ToString::to_string).collect();
        let expected = [
            ("Twice", "has the same name as"),
            ("again", "is the same as"),
            ("broken", "No such file"),
            ("crlf", ": homework has CRLF line endings, expected LF; help: sed -i 's/\\r$//' homework"),
            ("crlf2", ": run.sh has CRLF line endings"),
            ("empty", "an empty folder"),
            ("folder", "an empty folder"),
            ("out", "not a regular file in the agent's own folder"),
            ("plain", ": homework is not executable; help: chmod +x homework"),
            ("python", "expected homework.py; found main.py, board.py; help: mv main.py homework.py"),
            ("twice", "has the same name as"),
            ("venv", "names /home/nobody/venv/bin/python, which does not exist; help: `#!/usr/bin/env"),
        ];
        assert_eq!(refused.len(), expected.len(), "{refused:?}");
        for (text, (name, why)) in refused.iter().zip(expected) {
            assert!(text.starts_with(&format!("{}: ", path(name).display())) && text.contains(why), "{text}");
        }
        let loa = League::named("loa").unwrap();
        let missing = agents_in(&[path("missing")], &Intake::new(&loa).unwrap()).unwrap_err();
        assert!(missing.to_string().contains("missing"), "{missing}");
    }

    #[test]
    fn what_only_wraps_an_agent_is_passed_through() {
        let class = Class::new();
        class
            .file("ada/HW2-resubmit/submission_2/homework", 0o755)
            .file("ada/HW2-resubmit/submission_10/homework", 0o755);
        class.file("bob/mine/mine/homework", 0o755).file("bob/mine/.DS_Store", 0o644);
        // Students of a course, files beside a folder, and folders that differ: nobody can tell what counts.
        class.file("cem/submission_12345/homework", 0o755).file("cem/submission_12346/homework", 0o755);
        class.file("dan/notes.txt", 0o644).file("dan/mine/homework", 0o755);
        class.file("eva/old/homework", 0o755).file("eva/new/homework", 0o755);
        let found = class.found();
        assert_eq!(class.names(), ["ada", "bob"]);
        let top = class.0.path().canonicalize().unwrap();
        assert_eq!(found.agents[0].folder, top.join("ada/HW2-resubmit/submission_10"));
        assert_eq!(found.agents[0].found, ["submission_10 is graded as the newest; not submission_2"]);
        assert_eq!(found.agents[1].folder, top.join("bob/mine/mine"));
        assert_eq!(found.agents[1].found, [""; 0]);
        assert!(found.refused.iter().all(|refused| matches!(refused.why, Trouble::TooDeep(_))), "{:?}", found.refused);
        assert_eq!(found.refused.len(), 3);
    }

    #[test]
    fn archives_in_archives_are_unpacked_up_to_a_limit() {
        let class = Class::new();
        let zip = |dir: &Path, from: &str| {
            let done = std::process::Command::new("tar").args(["-cf", "x.tar", from]).current_dir(dir).status();
            assert!(done.unwrap().success());
        };
        class.file("homework", 0o755);
        let top = class.0.path();
        zip(top, "homework");
        for depth in 2..=6 {
            fs::rename(top.join("x.tar"), top.join("inner.tar")).unwrap();
            zip(top, "inner.tar");
            let league = League::named("checkers").unwrap();
            let found = agent_at(&top.join("x.tar"), &Intake::new(&league).unwrap());
            match found {
                Ok(agent) => assert!(depth <= 4 && agent.name == "x", "{agent:?}"),
                Err(refused) => assert!(depth > 4 && matches!(refused.why, Trouble::Nested(4)), "{refused}"),
            }
        }
    }

    #[test]
    fn source_comes_before_a_program_compiled_from_it() {
        let class = Class::new();
        class.file("both/homework.py", 0o644).file("folder/homework.py", 0o644).file("script/homework.py", 0o644);
        class.file("script/homework", 0o755).file("folder/homework/data", 0o644).file("missing/homework.xyz", 0o644);
        for name in ["both", "missing"] {
            let path = class.0.path().join(name).join("homework");
            fs::write(&path, b"\x7fELF").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let mut league = League::named("checkers").unwrap();
        let no_compiler = r#"{"file": "{name}.xyz", "build": [["no-such-compiler", "{file}"]]}"#;
        league.submissions.push(serde_json::from_str(no_compiler).unwrap());
        let intake = Intake::new(&league).unwrap();
        let found = |name: &str| agent_at(&class.0.path().join(name), &intake).unwrap();
        for (name, program, notes) in [
            ("both", "python3", vec!["homework was passed over: its source is there"]),
            ("folder", "python3", vec![]),
            ("script", "homework", vec![]),
            (
                "missing",
                "homework",
                vec!["homework was run as handed in: this machine lacks no-such-compiler, which homework.xyz needs"],
            ),
        ] {
            let agent = found(name);
            let run = agent.player.program.file_name().unwrap_or_default().to_string_lossy();
            assert!(run.starts_with(program), "{agent:?}");
            assert_eq!(agent.found, notes, "{name}");
        }
    }

    #[test]
    fn the_hash_changes_with_every_change_of_the_files() {
        let class = Class::new();
        class.file("a/homework", 0o755);
        let path = |name: &str| class.0.path().join("a").join(name);
        let mut seen = vec![class.hash()];
        assert_eq!(class.hash(), seen[0]);
        let mut changed = |what: &str| {
            let hash = class.hash();
            assert!(!seen.contains(&hash), "{what}");
            seen.push(hash);
        };
        fs::write(path("homework"), "#!/bin/sh\n#").unwrap();
        changed("contents");
        fs::set_permissions(path("homework"), fs::Permissions::from_mode(0o700)).unwrap();
        changed("mode");
        fs::create_dir(path("data")).unwrap();
        changed("an empty folder");
        fs::write(path("data/x"), "").unwrap();
        changed("an empty file");
        fs::rename(path("data/x"), path("data/y")).unwrap();
        changed("a name");
        symlink("y", path("data/x")).unwrap();
        changed("a link");
        fs::remove_file(path("data/x")).unwrap();
        symlink("z", path("data/x")).unwrap();
        changed("where a link leads");
    }
}
