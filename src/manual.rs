//! How do the programs write their man pages and completions?
//!
//! From the definitions by which they read their arguments, on `NAME --manual FOLDER` and nothing else: it is no option of
//! those definitions, so programs take it whose other arguments are required, and no help lists it.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::builder::StyledStr;
use clap::{Command, CommandFactory};
use clap_complete::{Generator, Shell};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::files::NewFile;
use crate::terminal::stderr_line;

const OPTION: &str = "--manual";
const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];
/// Begins the paragraph of a description that becomes a section of its own.
const EXIT_CODES: &str = "Exit codes: ";
/// Likewise; see [`GuidePage::line`](crate::help::GuidePage::line).
const GUIDE: &str = "Guide: ";

/// A file of the manual.
struct Page {
    /// Seen from the folder that was named.
    path: PathBuf,
    text: Vec<u8>,
}

/// Writes the manual of the program with these arguments where its command line asks for it; none where it does not.
///
/// The files are `man1/NAME.1`, with `man1/NAME-COMMAND.1` for each command, and `completions/NAME.bash`, `_NAME` and
/// `NAME.fish`. Nothing of the folder is replaced before all of them have been written.
#[must_use]
pub fn write_if_asked<Arguments: CommandFactory>() -> Option<ExitCode> {
    let mut words = env::args_os().skip(1);
    if words.next()? != OPTION {
        return None;
    }
    let command = Arguments::command();
    let name = command.get_name().to_owned();
    let words: Vec<OsString> = words.collect();
    let [folder] = &words[..] else {
        stderr_line(format_args!("{name}: {OPTION}: found {} words behind it, expected a folder alone", words.len()));
        return Some(ExitCode::from(2));
    };
    Some(match pages(command).and_then(|pages| write(Path::new(folder), &pages)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            stderr_line(format_args!("{name}: {error:#}"));
            ExitCode::FAILURE
        }
    })
}

/// All files.
fn pages(command: Command) -> Result<Vec<Page>> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let name = command.get_name().to_owned();
    let mut pages = Vec::new();
    add_man_pages(&command, &mut pages)?;
    for shell in SHELLS {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command, &name, &mut text);
        pages.push(Page { path: Path::new("completions").join(shell.file_name(&name)), text });
    }
    Ok(pages)
}

fn add_man_pages(command: &Command, pages: &mut Vec<Page>) -> io::Result<()> {
    let parts = Parts::of(command);
    // The version is in the last line of each page.
    let described = command.clone().long_about(parts.description.join("\n\n"));
    let described = described.after_help(None).after_long_help(None).version(None);
    let man = Man::new(described).source(concat!("kingline ", env!("CARGO_PKG_VERSION")));
    pages.push(Page { path: Path::new("man1").join(man.get_filename()), text: parts.man_page(&man)? });
    let mut commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    commands.try_for_each(|command| add_man_pages(command, pages))
}

/// The paragraphs of a command's help, sorted by the sections of a man page.
#[derive(Default)]
struct Parts {
    description: Vec<String>,
    exit_codes: Option<String>,
    guide: Option<String>,
    notes: Vec<String>,
}

impl Parts {
    fn of(command: &Command) -> Parts {
        let paragraphs = |text: Option<&StyledStr>| {
            let text = text.map(ToString::to_string).unwrap_or_default();
            text.split("\n\n").map(str::to_owned).filter(|paragraph| !paragraph.is_empty()).collect::<Vec<_>>()
        };
        let mut parts = Parts::default();
        for paragraph in paragraphs(command.get_long_about().or(command.get_about())) {
            match paragraph.strip_prefix(EXIT_CODES) {
                Some(codes) => parts.exit_codes = Some(codes.to_owned()),
                None => parts.description.push(paragraph),
            }
        }
        for paragraph in paragraphs(command.get_after_long_help().or(command.get_after_help())) {
            if let Some(codes) = paragraph.strip_prefix(EXIT_CODES) {
                parts.exit_codes = Some(codes.to_owned());
            } else if let Some(page) = paragraph.strip_prefix(GUIDE) {
                parts.guide = Some(page.to_owned());
            } else {
                parts.notes.push(paragraph);
            }
        }
        parts
    }

    fn man_page(&self, man: &Man) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        man.render(&mut text)?;
        let mut rest = Roff::new();
        if let Some(codes) = &self.exit_codes {
            rest.control("SH", ["EXIT STATUS"]).text([roman(codes)]);
        }
        if !self.notes.is_empty() {
            // The lines stay as they are.
            rest.control("SH", ["NOTES"]).control("nf", []);
            let notes = self.notes.join("\n\n");
            for line in notes.lines() {
                rest.text([roman(line)]);
            }
            rest.control("fi", []);
        }
        if let Some(guide) = &self.guide {
            rest.control("SH", ["SEE ALSO"]).text([roman(guide)]);
        }
        rest.to_writer(&mut text)?;
        Ok(text)
    }
}

/// Writes all files or none, but for what can go wrong when files are renamed.
fn write(folder: &Path, pages: &[Page]) -> Result<()> {
    let mut files = Vec::new();
    for page in pages {
        let path = folder.join(&page.path);
        ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
        let parent = crate::files::folder_of(&path);
        fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
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

    /// Does what it is for.
    ///
    /// More on that.
    ///
    /// Exit codes: 0 done, 1 not.
    #[derive(clap::Parser)]
    #[command(name = "made-up", after_long_help = "Lines:\n  .one\n\n  two\n\nGuide: a page.")]
    struct Arguments {
        /// A number.
        #[arg(long)]
        number: u8,
    }

    fn text_of(page: &str) -> String {
        let pages = pages(Arguments::command()).unwrap();
        let page = pages.into_iter().find(|found| found.path == Path::new(page)).expect("a page");
        String::from_utf8(page.text).unwrap().replace("\\-", "-")
    }

    #[test]
    fn exit_codes_and_notes_are_sections_of_their_own() {
        let text = text_of("man1/made-up.1");
        for part in [
            ".SH NAME\nmade-up - Does what it is for\n",
            ".SH DESCRIPTION\nDoes what it is for.\n.PP\nMore on that.\n.SH OPTIONS",
            "\n.SH \"EXIT STATUS\"\n0 done, 1 not.\n",
            "\n.SH NOTES\n.nf\nLines:\n  .one\n\n  two\n.fi\n.SH \"SEE ALSO\"\na page.\n",
        ] {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
    }

    #[test]
    fn all_files_are_written_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let pages = pages(Arguments::command()).unwrap();
        fs::create_dir_all(folder.path().join("completions/_made-up")).unwrap();
        let error = format!("{:#}", write(folder.path(), &pages).unwrap_err());
        assert!(error.starts_with("cannot write ") && error.ends_with("_made-up: it is a folder"), "{error}");
        assert_eq!(fs::read_dir(folder.path().join("man1")).unwrap().count(), 0);
        fs::remove_dir(folder.path().join("completions/_made-up")).unwrap();
        write(folder.path(), &pages).unwrap();
        assert!(pages.iter().all(|page| fs::read(folder.path().join(&page.path)).unwrap() == page.text));
    }
}
