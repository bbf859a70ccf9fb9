//! Finds the programs in a folder, ready to run or to be built from source.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::java::JavaSource;
use super::language::{Language, Words};
use super::lookalike::{Misnamed, misnamed, no_program};
use super::script::{self, RunBy};
use super::{Agent, BuildCommand, Invocation, Trouble};
use crate::doctor;
use crate::league::{GameKind, League};
use crate::sandbox::read_untrusted;
use kingline::terminal::escaped;

/// Script that the shell runs if it is not executable itself.
const SCRIPT: &str = "run.sh";
/// Program that is run once before an agent's first game.
const CALIBRATE: &str = "calibrate";
/// Maximum length of a source whose class is looked for, in bytes.
const LONGEST_SOURCE: usize = 1 << 20;

/// A program and the commands that build it.
pub(crate) struct FoundProgram {
    pub(crate) build: Vec<BuildCommand>,
    pub(crate) run: Invocation,
    /// True if it is built by a recipe, which may build other programs as well.
    pub(crate) builds_all: bool,
}

/// Finds the program that plays. A script is run as it is; a compiled program only if there is no source, since it may
/// be out of date or made for another system. Adds notes on files that were left out.
pub(crate) fn player(folder: &Path, league: &League, notes: &mut Vec<String>) -> Result<FoundProgram, Trouble> {
    let names = league.game.program_names();
    let all = || names.iter().copied().chain([SCRIPT]);
    let ready = all().map(|name| folder.join(name)).find(|path| is_file_or_link(path));
    if let Some(script) = ready.as_ref().filter(|path| path.ends_with(SCRIPT) || script::is_script(path)) {
        return as_it_is(folder, script.clone());
    }
    for name in names {
        match (as_source(folder, name, &league.submissions), &ready) {
            (Ok(None), _) => {}
            (Ok(Some(found)), Some(program)) => {
                notes.push(format!("{} was passed over: its source is there", file_name(program)));
                return Ok(found);
            }
            (Ok(Some(found)), None) => return Ok(found),
            (Err(Trouble::NoLanguage { file, program: missing }), Some(program)) => {
                let program = file_name(program);
                notes.push(format!("{program} was run as handed in: this machine lacks {missing}, which {file} needs"));
            }
            (Err(why), _) => return Err(why),
        }
    }
    if let Some(program) = ready {
        return as_it_is(folder, program);
    }
    if let Some(Misnamed { file: handed_in, name, language }) = misnamed(folder, names, &league.submissions) {
        let file = language.file_of(name);
        notes.push(format!("there is no {file}: {} was taken for it", escaped(&handed_in)));
        return resolve(folder, name, language, Source { file: &file, handed_in: &handed_in });
    }
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Err(Trouble::Empty),
        Ok(false) => Err(below(folder, league).unwrap_or_else(|| {
            Trouble::NoProgram(no_program(folder, &all().collect::<Vec<_>>(), &league.submissions))
        })),
        Err(error) => Err(Trouble::Unreadable(folder.to_owned(), error)),
    }
}

/// Returns true if there is anything but a folder at the path.
fn is_file_or_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| !about.is_dir())
}

fn file_name(path: &Path) -> String {
    escaped(&path.file_name().unwrap_or_default().to_string_lossy())
}

/// Finds the program that is run once before the first game; `None` if there is none, or if the player's recipe will
/// build it.
pub(crate) fn calibrate(
    folder: &Path,
    league: &League,
    player: &FoundProgram,
) -> Result<Option<FoundProgram>, Trouble> {
    let program = folder.join(CALIBRATE);
    if fs::symlink_metadata(&program).is_ok() {
        return as_it_is(folder, program).map(Some);
    }
    let counts = |language: &&Language| !(language.is_recipe() || player.builds_all && language.run.is_empty());
    let languages: Vec<Language> = league.submissions.iter().filter(counts).cloned().collect();
    as_source(folder, CALIBRATE, &languages)
}

/// Completes an agent whose player has been built in this folder.
///
/// # Errors
/// The build did not produce the expected program, or it cannot be run.
pub(crate) fn built(agent: &Agent, folder: &Path, game: GameKind) -> Result<Agent, Trouble> {
    let mut built = agent.in_folder(folder);
    built.build = Vec::new();
    if built.player.program.starts_with(folder) {
        let all = || game.program_names().iter().copied().chain([SCRIPT]);
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
        match as_it_is(folder, calibrate) {
            Ok(found) => built.calibrate = Some(found.run),
            Err(why) => {
                built.calibrate = None;
                built.notes.push(why.of_calibrate());
            }
        }
    }
    Ok(built)
}

/// Completes an agent whose `calibrate` has been built in this folder, which also has its player.
///
/// # Errors
/// The build did not produce `calibrate`, or one of the programs cannot be run.
pub(crate) fn calibrate_built(agent: &Agent, folder: &Path) -> Result<Agent, Trouble> {
    let built = Agent { build_calibrate: Vec::new(), ..agent.in_folder(folder) };
    for program in [Some(&built.player), built.calibrate.as_ref()].into_iter().flatten().map(|run| &run.program) {
        if program.starts_with(folder) {
            as_it_is(folder, program.clone())?;
        }
    }
    Ok(built)
}

/// Checks that a single file is a program.
pub(crate) fn alone(file: &Path) -> Result<FoundProgram, Trouble> {
    let run = Invocation { program: executable(file, file.to_owned())?, arguments: Vec::new() };
    Ok(FoundProgram { build: Vec::new(), run, builds_all: false })
}

/// Checks that an existing file is a program.
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

/// Finds a program that comes as source; `None` if there is none.
fn as_source(folder: &Path, name: &str, languages: &[Language]) -> Result<Option<FoundProgram>, Trouble> {
    let mut there: Vec<&Language> = Vec::new();
    for language in languages {
        if is_source(folder, folder.join(language.file_of(name)))? {
            there.push(language);
        }
    }
    let recipe = there.iter().find(|language| language.is_recipe());
    let language = match (recipe, &there[..]) {
        (Some(recipe), _) => recipe,
        (None, []) => return Ok(None),
        (None, [language]) => language,
        (None, several) => {
            return Err(Trouble::TwoPrograms(several.iter().map(|language| language.file_of(name)).collect()));
        }
    };
    let file = language.file_of(name);
    let found = resolve(folder, name, language, Source { file: &file, handed_in: &file })?;
    Ok(Some(FoundProgram { builds_all: language.is_recipe(), ..found }))
}

/// Returns true if there is a regular file at the path, or a link to one in the same folder.
fn is_source(folder: &Path, path: PathBuf) -> Result<bool, Trouble> {
    let Ok(about) = fs::symlink_metadata(&path) else { return Ok(false) };
    if about.is_file() || about.is_dir() {
        return Ok(about.is_file());
    }
    // Opening a pipe, or some files in /proc, would block.
    let own = path.canonicalize().ok().filter(|target| target.starts_with(folder));
    let about = own.and_then(|target| fs::metadata(target).ok()).filter(|about| about.is_file() || about.is_dir());
    about.map(|about| about.is_file()).ok_or(Trouble::NotAProgram(path))
}

/// Source file of a program.
#[derive(Clone, Copy)]
struct Source<'a> {
    /// Name by which its language knows it.
    file: &'a str,
    /// Name of the file as handed in.
    handed_in: &'a str,
}

/// Fills in a language's commands for a file.
fn resolve(folder: &Path, name: &str, language: &Language, source: Source) -> Result<FoundProgram, Trouble> {
    let mut build = Vec::new();
    let Source { file, handed_in } = source;
    let mut words = Words { name, file, class: "" };
    let (class, wanted);
    if language.run.iter().chain(language.build.iter().flatten()).any(|word| word.contains("{class}")) {
        let path = folder.join(handed_in);
        let read = |path: &Path| read_untrusted(&path.canonicalize()?, LONGEST_SOURCE).map_err(io::Error::other);
        let bytes = read(&path).map_err(|error| Trouble::Unreadable(path, error))?;
        // The compiler will report invalid UTF-8.
        let source = JavaSource::read(&String::from_utf8_lossy(&bytes));
        class = source.main.ok_or_else(|| Trouble::NoMainClass(handed_in.to_owned()))?;
        // The compiler expects the file to be named after its public class.
        wanted = source.public.map_or(file.to_owned(), |public| format!("{public}.java"));
        words = Words { name, file: &wanted, class: &class };
    }
    if words.file != handed_in {
        // A name that begins with a hyphen would be an option.
        let from = if handed_in.starts_with('-') { format!("./{handed_in}") } else { handed_in.to_owned() };
        build.push(command(&["mv".to_owned(), from, words.file.to_owned()], file)?);
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

/// Finds a program that is one folder too deep.
fn below(folder: &Path, league: &League) -> Option<Trouble> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    let is_program = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let names = league.game.program_names();
        let sources = league.submissions.iter();
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

/// Checks that the path is an executable regular file in the folder, or a link to one.
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

/// Rejects a script that cannot be run.
fn runnable(path: &Path, by: RunBy) -> Result<(), Trouble> {
    match script::trouble(path, by) {
        Ok(None) => Ok(()),
        Ok(Some(why)) => Err(why),
        Err(error) => Err(Trouble::Unreadable(path.to_owned(), error)),
    }
}
