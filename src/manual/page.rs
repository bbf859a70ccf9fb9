//! Man pages and completions for one program.

use std::io;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::{Generator, Shell};
use clap_mangen::Man;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];

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
    let man = Man::new(command.clone().version(None)).source(format!("kingline {VERSION}"));
    let mut text = Vec::new();
    man.render(&mut text)?;
    pages.push(Page { path: Path::new("man1").join(man.get_filename()), text });
    let mut commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    commands.try_for_each(|command| add_man_pages(command, pages))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

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
