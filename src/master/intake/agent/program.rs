//! Finds the programs in a folder, ready to run or to be built from source.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::java::{self, JavaSource};
use super::language::{Language, filled_in};
use super::layout::{self, SCRIPT, candidates, package_root};
use super::lookalike::{Misnamed, nearly_named, no_program, only_source, shortened};
use super::script::{self, RunBy};
use super::walk::{folder_of, shown, text};
use super::{Agent, BuildCommand, Invocation, Trouble, class_path};
use crate::league::preparation::TreeLimits;
use crate::league::{League, program_names};
use crate::sandbox;
use kingline_players::game_name::GameName;
use kingline_players::terminal::escaped;

/// Program that is run once before an agent's first game.
const CALIBRATE: &str = "calibrate";

/// Terms of the search for an agent's program.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) league: &'a League,
    /// Limits on the files.
    pub(crate) limits: &'a TreeLimits,
    pub(crate) depth: Depth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    Top,
    /// Nested folders as well, if the outermost one has no program.
    Any,
}

pub(crate) struct FoundProgram {
    /// The folder that it needs.
    pub(crate) folder: PathBuf,
    pub(crate) build: Vec<BuildCommand>,
    pub(crate) run: Invocation,
    /// True if it is built by a recipe, which may build other programs as well.
    pub(crate) builds_all: bool,
}

/// Finds the program that plays. A script is run as it is; a compiled program only if there is no source, since it may
/// be out of date or made for another system. Adds notes on files that were left out.
pub(crate) fn player(folder: &Path, search: Search, notes: &mut Vec<String>) -> Result<FoundProgram, Trouble> {
    let (names, languages) = (program_names(search.league.game), &search.league.submissions);
    let all = || names.iter().copied().chain([SCRIPT]);
    let ready = all().map(|name| folder.join(name)).find(|path| is_file_or_link(path));
    if let Some(script) = ready.as_ref().filter(|path| path.ends_with(SCRIPT) || script::is_script(path)) {
        return as_it_is(folder, script.clone());
    }
    for name in names {
        match (as_source(folder, name, languages, search), &ready) {
            (Ok(None), _) => {}
            (Ok(Some(found)), None) if found.builds_all => {
                return instead_of_recipe(folder, search, notes).transpose().unwrap_or(Ok(found));
            }
            (Ok(Some(found)), Some(program)) => {
                notes.push(format!("{} was passed over: its source is there", shown(program)));
                return Ok(found);
            }
            (Ok(Some(found)), None) => return Ok(found),
            (Err(Trouble::NoLanguage { file, program: missing }), Some(program)) => {
                let program = shown(program);
                notes.push(format!("{program} was run as handed in: this machine lacks {missing}, which {file} needs"));
            }
            (Err(why), _) => return Err(why),
        }
    }
    if let Some(program) = ready {
        return as_it_is(folder, program);
    }
    if fs::read_dir(folder).and_then(|mut entries| entries.next().transpose()).is_ok_and(|first| first.is_none()) {
        return Err(Trouble::Empty);
    }
    let unreadable = |error| Trouble::Unreadable(folder.to_owned(), error);
    let at_top = layout::top_files(folder).map_err(unreadable)?;
    let mut misnamed = |found: Misnamed| {
        let Misnamed { file: handed_in, name, language } = found;
        let file = language.file_of(name);
        notes.push(format!("there is no {file}: {} was taken for it", escaped(&handed_in)));
        resolve(folder, name, language, Source { file: &file, handed_in: &handed_in }, search)
    };
    if let Some(found) = nearly_named(&at_top, names, languages) {
        return misnamed(found);
    }
    let only = only_source(&at_top, names, languages);
    let files = match search.depth {
        Depth::Any => layout::files(folder, search.limits).map_err(Trouble::Files)?,
        Depth::Top => at_top,
    };
    let found = candidates(folder, &files, names, languages);
    match (&found[..], only) {
        ([path], _) => below(folder, path, search, notes),
        (_, Some(found)) => misnamed(found),
        ([], None) => {
            let none = no_program(&files, &all().collect::<Vec<_>>(), languages);
            Err(Trouble::NoProgram(Box::new(none)))
        }
        (_, None) => Err(Trouble::TwoPrograms(shortened(found))),
    }
}

/// Finds the only program below a folder, which is at this path.
fn below(top: &Path, path: &str, search: Search, notes: &mut Vec<String>) -> Result<FoundProgram, Trouble> {
    let folder = folder_of(path);
    let names = program_names(search.league.game);
    let java = search.league.submissions.iter().find(|row| row.extension() == Some("java") && path.ends_with(".java"));
    if !folder.is_empty() {
        notes.push(format!("there is no program at the top: {} was taken", escaped(path)));
    }
    let Some(java) = java else {
        return player(&top.join(folder), Search { depth: Depth::Top, ..search }, notes);
    };
    let source = text(top, path).map_err(|error| Trouble::Unreadable(top.join(path), error))?;
    let root = package_root(path, &JavaSource::read(&source).package);
    if root == folder && !folder.is_empty() {
        return player(&top.join(folder), Search { depth: Depth::Top, ..search }, notes);
    }
    let inside = path.strip_prefix(root).unwrap_or(path).trim_start_matches('/');
    let root = if root.is_empty() { top.to_owned() } else { top.join(root) };
    resolve(&root, names[0], java, Source { file: inside, handed_in: inside }, search)
}

/// Finds the only Java program in a folder whose recipe builds no program, such as a Makefile that compiles classes.
fn instead_of_recipe(folder: &Path, search: Search, notes: &mut Vec<String>) -> Result<Option<FoundProgram>, Trouble> {
    let (names, languages) = (program_names(search.league.game), &search.league.submissions);
    let mut recipes = languages.iter().filter(|language| language.is_recipe());
    let Some(recipe) = recipes.find(|recipe| is_file_or_link(&folder.join(&recipe.file))) else { return Ok(None) };
    let Ok(files) = layout::files(folder, search.limits) else { return Ok(None) };
    let found = candidates(folder, &files, names, languages);
    let [path] = &found[..] else { return Ok(None) };
    let (Ok(source), Ok(text)) = (text(folder, path), text(folder, &recipe.file)) else {
        return Ok(None);
    };
    let package = JavaSource::read(&source).package;
    let makes_one = names.iter().chain([&SCRIPT]).any(|&name| makes(&text, name, package == name));
    if makes_one || !path.ends_with(".java") {
        return Ok(None);
    }
    notes.push(format!("{} was passed over: it makes no program", escaped(&recipe.file)));
    below(folder, path, search, notes).map(Some)
}

/// Returns true if a recipe seems to make this program: it is a target, or something is written to it. Any other
/// mention counts as well, unless a package has the same name.
fn makes(recipe: &str, program: &str, is_package: bool) -> bool {
    recipe.replace("> ", ">").lines().any(|line| {
        let targets = line.split_once(':').map_or("", |(targets, _)| targets);
        let mut words = line.split(|letter: char| letter.is_whitespace() || "()'\"/=".contains(letter));
        let is_written = |word: &str| word.trim_start_matches('>') == program && (!is_package || word.starts_with('>'));
        targets.split_whitespace().any(|target| target == program) || words.any(is_written)
    })
}

fn is_file_or_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| !about.is_dir())
}

/// Finds the program that is run once before the first game; `None` if there is none, or if the player's recipe will
/// build it.
pub(crate) fn calibrate(player: &FoundProgram, search: Search) -> Result<Option<FoundProgram>, Trouble> {
    let folder = &player.folder;
    let program = folder.join(CALIBRATE);
    if fs::symlink_metadata(&program).is_ok() {
        return as_it_is(folder, program).map(Some);
    }
    let counts = |language: &&Language| !(language.is_recipe() || player.builds_all && language.run.is_empty());
    let languages: Vec<Language> = search.league.submissions.iter().filter(counts).cloned().collect();
    as_source(folder, CALIBRATE, &languages, search)
}

/// Completes an agent whose player has been built in this folder.
pub(crate) fn built(agent: &Agent, folder: &Path, game: GameName) -> Result<Agent, Trouble> {
    let mut built = agent.in_folder(folder);
    built.build = Vec::new();
    if built.player.program.starts_with(folder) {
        let all = || program_names(game).iter().copied().chain([SCRIPT]);
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
pub(crate) fn calibrate_built(agent: &Agent, folder: &Path) -> Result<Agent, Trouble> {
    let built = Agent { build_calibrate: Vec::new(), ..agent.in_folder(folder) };
    for program in [Some(&built.player), built.calibrate.as_ref()].into_iter().flatten().map(|run| &run.program) {
        if program.starts_with(folder) {
            as_it_is(folder, program.clone())?;
        }
    }
    Ok(built)
}

pub(crate) fn alone(file: &Path) -> Result<FoundProgram, Trouble> {
    let run = Invocation { program: executable(file, file.to_owned())?, arguments: Vec::new() };
    Ok(FoundProgram { folder: file.to_owned(), build: Vec::new(), run, builds_all: false })
}

fn as_it_is(folder: &Path, program: PathBuf) -> Result<FoundProgram, Trouble> {
    let run = match executable(folder, program) {
        Err(Trouble::NotExecutable(script)) if script.ends_with(SCRIPT) => {
            script::runnable(&script, RunBy::Shell)?;
            Invocation { program: "/bin/sh".into(), arguments: vec![script.into_os_string()] }
        }
        program => Invocation { program: program?, arguments: Vec::new() },
    };
    let build = script::check_of_script(folder, &run.program).into_iter().collect();
    Ok(FoundProgram { folder: folder.to_owned(), build, run, builds_all: false })
}

/// Finds a program that comes as source; `None` if there is none.
fn as_source(
    folder: &Path,
    name: &str,
    languages: &[Language],
    search: Search,
) -> Result<Option<FoundProgram>, Trouble> {
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
    let found = resolve(folder, name, language, Source { file: &file, handed_in: &file }, search)?;
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

#[derive(Clone, Copy)]
struct Source<'a> {
    /// Name by which its language knows it.
    file: &'a str,
    /// Name of the file as handed in.
    handed_in: &'a str,
}

fn resolve(
    folder: &Path,
    name: &str,
    language: &Language,
    source: Source,
    search: Search,
) -> Result<FoundProgram, Trouble> {
    let Source { file, handed_in } = source;
    let mut sources = vec![(handed_in.to_owned(), file.to_owned())];
    let mut class = String::new();
    if language.run.iter().chain(language.build.iter().flatten()).any(|word| word.contains("{class}")) {
        let files = layout::files(folder, search.limits).map_err(Trouble::Files)?;
        let unreadable = |error| Trouble::Unreadable(folder.join(handed_in), error);
        let program = java::program(folder, handed_in, file, &files).map_err(unreadable)?;
        class = program.main.ok_or_else(|| Trouble::NoMainClass(handed_in.to_owned()))?;
        sources = program.sources;
    }
    let mut build = Vec::new();
    for (handed_in, expected) in sources.iter().filter(|(handed_in, expected)| handed_in != expected) {
        build.push(command(&["mv".to_owned(), as_argument(handed_in), as_argument(expected)], file)?);
    }
    let sources: Vec<String> = sources.iter().map(|(_, expected)| as_argument(expected)).collect();
    // A build puts them into the agent's folder.
    let jars = if language.build.is_empty() { 0 } else { search.league.class_path.len() };
    let filled = |line: &[String]| {
        let mut filled = filled_in(line, name, &sources, &class);
        class_path::add_to(&mut filled, jars);
        filled
    };
    for line in &language.build {
        build.push(command(&filled(line), file)?);
    }
    let run = match &filled(&language.run)[..] {
        [] => Invocation { program: folder.join(name), arguments: Vec::new() },
        [program, arguments @ ..] => {
            let own = |word: &String| if *word == sources[0] { folder.join(word).into() } else { word.into() };
            Invocation { program: system_program(program, file)?, arguments: arguments.iter().map(own).collect() }
        }
    };
    if language.build.is_empty() && !language.is_recipe() {
        let interpreter = language.run.first();
        build.extend(interpreter.and_then(|program| script::check(folder, program, handed_in, &sources[0])));
    }
    Ok(FoundProgram { folder: folder.to_owned(), build, run, builds_all: false })
}

/// A path as a command's argument: one that begins with a hyphen would be an option.
fn as_argument(path: &str) -> String {
    if path.starts_with(['-', '@']) { format!("./{path}") } else { path.to_owned() }
}

fn command(words: &[String], file: &str) -> Result<BuildCommand, Trouble> {
    let program = words.first().ok_or_else(|| no_language(file, "a command with words"))?;
    Ok(BuildCommand { program: system_program(program, file)?, words: words.to_vec() })
}

fn system_program(name: &str, file: &str) -> Result<PathBuf, Trouble> {
    sandbox::program(OsStr::new(name)).map_err(|_| no_language(file, name))
}

fn no_language(file: &str, program: &str) -> Trouble {
    Trouble::NoLanguage { file: file.to_owned(), program: program.to_owned() }
}

/// Checks that the path is an executable regular file in the folder, or a link to one.
fn executable(folder: &Path, path: PathBuf) -> Result<PathBuf, Trouble> {
    let Ok(target) = path.canonicalize() else { return Err(Trouble::NotAProgram(path)) };
    match fs::metadata(&target) {
        Ok(about) if about.is_file() && target.starts_with(folder) => {
            if about.permissions().mode() & 0o111 == 0 {
                Err(Trouble::NotExecutable(path))
            } else {
                script::runnable(&target, RunBy::Itself)?;
                Ok(path)
            }
        }
        Ok(_) => Err(Trouble::NotAProgram(path)),
        Err(error) => Err(Trouble::Unreadable(path, error)),
    }
}
