//! `kingline-manual`: writes man pages and shell completions for all programs, from their argument definitions.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use anyhow::{Context, Result, ensure};
use clap::{Command, CommandFactory, Parser};
use clap_complete::{Generator, Shell};
use clap_mangen::Man;

use kingline_players::files::{NewFile, folder_of};
use kingline_players::play::arguments::{
    HomeworkArguments, HubArguments, Loa6Arguments, LoaArguments, ReferenceArguments,
};
#[cfg(unix)]
use kingline_players::play::tester::TestLoaArguments;
use kingline_players::review::ReviewArguments;
use kingline_players::terminal::stderr_line;

/// Writes man pages and shell completions for all programs.
///
/// Each program gets man1/NAME.1, each of its commands man1/NAME-COMMAND.1. The completions are for bash, zsh and fish:
/// completions/NAME.bash, _NAME and NAME.fish. Either all files are written or none.
///
/// Exit codes: 0 done, 1 a file cannot be written, 2 bad usage.
#[derive(Parser)]
#[command(name = "kingline-manual", version)]
struct Arguments {
    /// Folder to write to; created if it does not exist.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

fn main() -> ExitCode {
    let Arguments { folder } = Arguments::parse();
    match pages().and_then(|pages| write(&folder, &pages)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            stderr_line(format_args!("kingline-manual: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Returns the command-line definitions of all programs on this system.
fn programs() -> Vec<Command> {
    vec![
        HomeworkArguments::command(),
        ReferenceArguments::command(),
        LoaArguments::command(),
        HubArguments::command(),
        Loa6Arguments::command(),
        #[cfg(unix)]
        TestLoaArguments::command(),
        ReviewArguments::command(),
        kingline_calibrate::command(),
        #[cfg(target_os = "linux")]
        kingline_master::command::command(),
    ]
}

fn pages() -> Result<Vec<Page>> {
    let mut pages = Vec::new();
    for program in programs() {
        add_pages(program, &mut pages)?;
    }
    Ok(pages)
}

/// Writes all files or none, unless renaming fails halfway.
fn write(folder: &Path, pages: &[Page]) -> Result<()> {
    let mut files = Vec::new();
    for page in pages {
        let path = folder.join(&page.path);
        ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
        let parent = folder_of(&path);
        fs::create_dir_all(parent).with_context(|| format!("cannot create the folder {}", parent.display()))?;
        let mut file = NewFile::create(&path)?;
        file.write(&page.text)?;
        file.sync()?;
        files.push(file);
    }
    files.into_iter().try_for_each(NewFile::finish)
}

const VERSION: &str = env!("CARGO_PKG_VERSION");
const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];

pub(crate) struct Page {
    /// Path relative to the manual's folder.
    pub(crate) path: PathBuf,
    pub(crate) text: Vec<u8>,
}

/// Adds the man pages and completions of a program.
pub(crate) fn add_pages(command: Command, pages: &mut Vec<Page>) -> io::Result<()> {
    let name = command.get_name().to_owned();
    let mut completed = without_hidden_commands(&command);
    let mut command = command.disable_help_subcommand(true);
    command.build();
    add_man_pages(&command, pages)?;
    for shell in SHELLS {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut completed, &name, &mut text);
        pages.push(Page { path: Path::new("completions").join(shell.file_name(&name)), text });
    }
    Ok(())
}

/// Copies a command without its hidden commands, which completions would otherwise offer.
fn without_hidden_commands(command: &Command) -> Command {
    // A non-static name requires the feature `string` of clap.
    let name: &'static str = command.get_name().to_owned().leak();
    Command::new(name)
        .version(VERSION)
        .disable_help_subcommand(true)
        .args(command.get_arguments().cloned())
        .groups(command.get_groups().cloned())
        .subcommands(command.get_subcommands().filter(|command| !command.is_hide_set()).cloned())
}

fn add_man_pages(command: &Command, pages: &mut Vec<Page>) -> io::Result<()> {
    let man = Man::new(command.clone().version(None)).source(format!("kingline {VERSION}"));
    let mut text = Vec::new();
    man.render(&mut text)?;
    pages.push(Page { path: Path::new("man1").join(man.get_filename()), text });
    let mut commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    commands.try_for_each(|command| add_man_pages(command, pages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_written_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let pages = pages().unwrap();
        let last = folder.path().join(&pages.last().unwrap().path);
        fs::create_dir_all(&last).unwrap();
        let error = format!("{:#}", write(folder.path(), &pages).unwrap_err());
        assert!(error.starts_with("cannot write ") && error.ends_with(": it is a folder"), "{error}");
        assert_eq!(fs::read_dir(folder.path().join("man1")).unwrap().count(), 0);
        assert_eq!(fs::read_dir(folder.path().join("completions")).unwrap().count(), 1);
        fs::remove_dir(last).unwrap();
        write(folder.path(), &pages).unwrap();
        assert!(pages.iter().all(|page| fs::read(folder.path().join(&page.path)).unwrap() == page.text));
    }

    /// Does its work.
    #[derive(clap::Parser)]
    #[command(name = "made-up")]
    struct Arguments {
        /// A number.
        #[arg(long)]
        number: u8,
        #[command(subcommand)]
        command: Option<MadeUpCommand>,
    }

    #[derive(clap::Subcommand)]
    enum MadeUpCommand {
        Visible,
        #[command(hide = true)]
        Secret,
    }

    fn made_up() -> Vec<Page> {
        let mut pages = Vec::new();
        add_pages(Arguments::command(), &mut pages).unwrap();
        pages
    }

    #[test]
    fn hidden_commands_appear_nowhere() {
        for page in made_up() {
            let text = String::from_utf8(page.text).unwrap();
            assert!(!text.contains("secret") && !page.path.to_string_lossy().contains("secret"), "{text}");
            assert!(text.contains("visible") && text.contains("made"), "{text}");
        }
    }
}
