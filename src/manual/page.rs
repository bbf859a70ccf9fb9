//! Man pages and completions for one program.

use std::io;
use std::path::{Path, PathBuf};

use clap::Command;
use clap::builder::StyledStr;
use clap_complete::{Generator, Shell};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];
/// Start of the paragraph that becomes the EXIT STATUS section.
const EXIT_CODES: &str = "Exit codes: ";
/// Start of the paragraph that becomes the SEE ALSO section; see [`kingline_players::help::GuidePage::line`].
const GUIDE: &str = "Guide: ";

/// A file of the manual.
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
    let sections = Sections::of(command);
    // The last line of each page states the version.
    let described = command.clone().long_about(sections.description.join("\n\n"));
    let described = described.after_help(None).after_long_help(None).version(None);
    let man = Man::new(described).source(format!("kingline {VERSION}"));
    pages.push(Page { path: Path::new("man1").join(man.get_filename()), text: sections.man_page(&man)? });
    let mut commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    commands.try_for_each(|command| add_man_pages(command, pages))
}

/// Paragraphs of a command's help, by man page section.
#[derive(Default)]
struct Sections {
    description: Vec<String>,
    exit_codes: Option<String>,
    guide: Option<String>,
    notes: Vec<String>,
}

impl Sections {
    fn of(command: &Command) -> Sections {
        let mut sections = Sections::default();
        for paragraph in paragraphs(command.get_long_about().or(command.get_about())) {
            match paragraph.strip_prefix(EXIT_CODES) {
                Some(codes) => sections.exit_codes = Some(codes.to_owned()),
                None => sections.description.push(paragraph),
            }
        }
        for paragraph in paragraphs(command.get_after_long_help().or(command.get_after_help())) {
            if let Some(codes) = paragraph.strip_prefix(EXIT_CODES) {
                sections.exit_codes = Some(codes.to_owned());
            } else if let Some(page) = paragraph.strip_prefix(GUIDE) {
                sections.guide = Some(page.to_owned());
            } else {
                sections.notes.push(paragraph);
            }
        }
        sections
    }

    fn man_page(&self, man: &Man) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        man.render(&mut text)?;
        let mut rest = Roff::new();
        if let Some(codes) = &self.exit_codes {
            rest.control("SH", ["EXIT STATUS"]).text([roman(codes)]);
        }
        if !self.notes.is_empty() {
            // No filling, so that lines stay as they are.
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

fn paragraphs(text: Option<&StyledStr>) -> Vec<String> {
    let text = text.map(ToString::to_string).unwrap_or_default();
    text.split("\n\n").filter(|paragraph| !paragraph.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// Does its work.
    ///
    /// With some detail.
    ///
    /// Exit codes: 0 done, 1 not.
    #[derive(clap::Parser)]
    #[command(name = "made-up", after_long_help = "Lines:\n  .one\n\n  two\n\nGuide: a page.")]
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
    fn exit_codes_and_notes_become_sections() {
        let page = made_up().into_iter().find(|page| page.path == Path::new("man1/made-up.1")).unwrap();
        let text = String::from_utf8(page.text).unwrap().replace("\\-", "-");
        for part in [
            ".SH NAME\nmade-up - Does its work\n",
            ".SH DESCRIPTION\nDoes its work.\n.PP\nWith some detail.\n.SH OPTIONS",
            "\n.SH \"EXIT STATUS\"\n0 done, 1 not.\n",
            "\n.SH NOTES\n.nf\nLines:\n  .one\n\n  two\n.fi\n.SH \"SEE ALSO\"\na page.\n",
        ] {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
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
