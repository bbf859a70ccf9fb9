//! What in a folder is run? A program as it is, or one that is built of source.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::find::Intake;
use super::java::JavaSource;
use super::language::{Language, Words};
use super::lookalike::lookalike;
use super::script::{self, RunBy};
use super::{Agent, BuildCommand, Invocation, Trouble};
use crate::files::read_bytes;
use crate::master::doctor;
use crate::master::league::GameKind;

/// Run by the shell if it is not executable.
const SCRIPT: &str = "run.sh";
/// Run once before an agent's first game.
const CALIBRATE: &str = "calibrate";

/// A program that was found, and what has to be run before it is there.
pub(super) struct FoundProgram {
    pub(super) build: Vec<BuildCommand>,
    pub(super) run: Invocation,
    /// Whether its commands are those of a recipe, which may build more than this program.
    pub(super) builds_all: bool,
}

/// What an agent's program may be called; the first that exists counts.
fn names(game: GameKind) -> &'static [&'static str] {
    match game {
        GameKind::Checkers => &["homework"],
        GameKind::Loa => &["loa", "homework"],
        GameKind::Loa6 => &["loa6", "homework"],
    }
}

/// The program of a folder that plays: as it is, else as source.
pub(super) fn player(folder: &Path, intake: &Intake) -> Result<FoundProgram, Trouble> {
    let names = names(intake.league.game);
    let all = || names.iter().copied().chain([SCRIPT]);
    if let Some(program) = all().map(|name| folder.join(name)).find(|path| fs::symlink_metadata(path).is_ok()) {
        return as_it_is(folder, program);
    }
    for name in names {
        if let Some(found) = as_source(folder, name, &intake.league.submissions)? {
            return Ok(found);
        }
    }
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Err(Trouble::Empty),
        Ok(false) => Err(below(folder, intake)
            .unwrap_or_else(|| Trouble::NoProgram(all().collect(), lookalike(folder, &all().collect::<Vec<_>>())))),
        Err(error) => Err(Trouble::Unreadable(folder.to_owned(), error)),
    }
}

/// The program of a folder that is run once before the first game; `None`: there is none, or what builds the player too
/// will build it.
pub(super) fn calibrate(
    folder: &Path,
    intake: &Intake,
    player: &FoundProgram,
) -> Result<Option<FoundProgram>, Trouble> {
    let program = folder.join(CALIBRATE);
    if fs::symlink_metadata(&program).is_ok() {
        return as_it_is(folder, program).map(Some);
    }
    let counts = |language: &&Language| !(language.is_recipe() || player.builds_all && language.run.is_empty());
    let languages: Vec<Language> = intake.league.submissions.iter().filter(counts).cloned().collect();
    as_source(folder, CALIBRATE, &languages)
}

/// An agent whose commands have been run, in the folder with what they made.
///
/// # Errors
/// The program that should have been built is not there, or cannot be run.
pub(in crate::master) fn built(agent: &Agent, folder: &Path, game: GameKind) -> Result<Agent, Trouble> {
    let mut built = agent.in_folder(folder);
    built.build = Vec::new();
    if built.player.program.starts_with(folder) {
        let all = || names(game).iter().copied().chain([SCRIPT]);
        let program = all().map(|name| folder.join(name)).find(|path| fs::symlink_metadata(path).is_ok());
        let missing = || {
            let commands: Vec<String> = agent.build.iter().map(|command| format!("`{command}`")).collect();
            let expected = all().collect::<Vec<_>>().join(" or ");
            Trouble::NothingBuilt(commands.join(" and "), expected)
        };
        built.player = as_it_is(folder, program.ok_or_else(missing)?)?.run;
    }
    let calibrate = folder.join(CALIBRATE);
    if fs::symlink_metadata(&calibrate).is_ok() {
        built.calibrate = Some(as_it_is(folder, calibrate)?.run);
    }
    Ok(built)
}

/// A single file as an agent.
pub(super) fn alone(file: &Path) -> Result<Invocation, Trouble> {
    Ok(Invocation { program: executable(file, file.to_owned())?, arguments: Vec::new() })
}

/// A program that is there.
fn as_it_is(folder: &Path, program: PathBuf) -> Result<FoundProgram, Trouble> {
    let run = match executable(folder, program) {
        Err(Trouble::NotExecutable(script)) if script.ends_with(SCRIPT) => {
            runnable(&script, RunBy::Shell)?;
            Invocation { program: "/bin/sh".into(), arguments: vec![script.into_os_string()] }
        }
        program => Invocation { program: program?, arguments: Vec::new() },
    };
    Ok(FoundProgram { build: Vec::new(), run, builds_all: false })
}

/// A program that comes as source; `None`: there is none.
fn as_source(folder: &Path, name: &str, languages: &[Language]) -> Result<Option<FoundProgram>, Trouble> {
    let file_of = |language: &Language| language.file.replace("{name}", name);
    let there: Vec<&Language> = languages.iter().filter(|language| folder.join(file_of(language)).is_file()).collect();
    let recipe = there.iter().find(|language| language.is_recipe());
    let language = match (recipe, &there[..]) {
        (Some(recipe), _) => recipe,
        (None, []) => return Ok(None),
        (None, [language]) => language,
        (None, several) => {
            return Err(Trouble::TwoPrograms(several.iter().map(|language| file_of(language)).collect()));
        }
    };
    let found = resolve(folder, name, language, &file_of(language))?;
    Ok(Some(FoundProgram { builds_all: language.is_recipe(), ..found }))
}

/// The commands of a language for a file.
fn resolve(folder: &Path, name: &str, language: &Language, file: &str) -> Result<FoundProgram, Trouble> {
    let mut build = Vec::new();
    let mut words = Words { name, file, class: "" };
    let (class, wanted);
    if language.run.iter().chain(language.build.iter().flatten()).any(|word| word.contains("{class}")) {
        let path = folder.join(file);
        let bytes = read_bytes(&path).map_err(|error| Trouble::Unreadable(path, error))?;
        // What is not UTF-8 the compiler will name.
        let source = JavaSource::read(&String::from_utf8_lossy(&bytes));
        class = source.main.ok_or_else(|| Trouble::NoMainClass(file.to_owned()))?;
        wanted = source.public.map_or(file.to_owned(), |public| format!("{public}.java"));
        if wanted != file {
            // The compiler wants a file named after its public class.
            build.push(command(&["mv".to_owned(), file.to_owned(), wanted.clone()], file)?);
        }
        words = Words { name, file: &wanted, class: &class };
    }
    for line in &language.build {
        build.push(command(&words.fill_all(line), file)?);
    }
    let run = match &words.fill_all(&language.run)[..] {
        [] => Invocation { program: folder.join(name), arguments: Vec::new() },
        [program, arguments @ ..] => {
            let own = |word: &String| if *word == words.file { folder.join(word).into() } else { word.into() };
            Invocation { program: system_program(program, file)?, arguments: arguments.iter().map(own).collect() }
        }
    };
    Ok(FoundProgram { build, run, builds_all: false })
}

fn command(words: &[String], file: &str) -> Result<BuildCommand, Trouble> {
    let program = words.first().ok_or_else(|| no_language(file, "a command with words"))?;
    Ok(BuildCommand { program: system_program(program, file)?, words: words.to_vec() })
}

fn system_program(name: &str, file: &str) -> Result<PathBuf, Trouble> {
    doctor::program(OsStr::new(name)).map_err(|_| no_language(file, name))
}

fn no_language(file: &str, program: &str) -> Trouble {
    Trouble::NoLanguage { file: file.to_owned(), program: program.to_owned() }
}

/// Where the program is, if it is one folder too deep.
fn below(folder: &Path, intake: &Intake) -> Option<Trouble> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    let is_program = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let names = names(intake.league.game);
        let sources = intake.league.submissions.iter();
        let mut files = sources.flat_map(|source| names.iter().map(|name| source.file.replace("{name}", name)));
        path.is_file() && (name == SCRIPT || names.contains(&&*name) || files.any(|file| file == name))
    };
    folders.iter().find_map(|below| {
        let mut files: Vec<PathBuf> = fs::read_dir(below).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        let found = files.into_iter().find(is_program)?;
        Some(Trouble::TooDeep(found.strip_prefix(folder).unwrap_or(&found).to_owned()))
    })
}

/// The path, if it is an executable regular file in the folder, or a link to one.
fn executable(folder: &Path, path: PathBuf) -> Result<PathBuf, Trouble> {
    let Ok(target) = path.canonicalize() else { return Err(Trouble::NotAProgram(path)) };
    match fs::metadata(&target) {
        Ok(about) if about.is_file() && target.starts_with(folder) => {
            if about.permissions().mode() & 0o111 == 0 {
                Err(Trouble::NotExecutable(path))
            } else {
                runnable(&target, RunBy::Itself)?;
                Ok(path)
            }
        }
        Ok(_) => Err(Trouble::NotAProgram(path)),
        Err(error) => Err(Trouble::Unreadable(path, error)),
    }
}

/// Refuses a script that cannot be run.
fn runnable(path: &Path, by: RunBy) -> Result<(), Trouble> {
    match script::trouble(path, by) {
        Ok(None) => Ok(()),
        Ok(Some(why)) => Err(why),
        Err(error) => Err(Trouble::Unreadable(path.to_owned(), error)),
    }
}
