//! `kingline-manual`: writes man pages and shell completions for all programs, from their argument definitions.

mod page;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{Command, CommandFactory, Parser};
use kingline_players::files::{NewFile, folder_of};
#[cfg(unix)]
use kingline_players::play::arguments::TestLoaArguments;
use kingline_players::play::arguments::{
    HomeworkArguments, HubArguments, Loa6Arguments, LoaArguments, ReferenceArguments,
};
use kingline_players::review::ReviewArguments;
use kingline_players::terminal::stderr_line;

use page::Page;

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
        page::add_pages(program, &mut pages)?;
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
}
