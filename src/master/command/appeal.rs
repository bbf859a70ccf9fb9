//! The command `master appeal`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::grade::{file_name, files_of, store_of};
use super::intake::{LayoutOption, intake_of};
use super::options::absolute;
use crate::exam::ExamStore;
use crate::gradebook::{Appeal, NotGraded};
use crate::intake::agent::{Agent, FoundAgents, agents_in, class_at};
use crate::intake::build::why_not_built;
use kingline_players::exit::BadInput;
use kingline_players::files::{folder_of, write_whole};
use kingline_players::help::GuidePage;
use kingline_players::terminal::{escaped, escaped_path, stdout_line};

/// Collects everything about one mark of a graded class: `master appeal class/ ada "move 3"`.
///
/// The folder gets the verdict in words with the board, the times and their limits, the command that asks the question
/// again, input.txt as the agent got it, the playdata.txt that it had, its output.txt and its standard error byte by
/// byte, and the whole game as PDN. For a game, these files are those of the agent's last turn. Nothing is run.
///
/// Exit codes: 0 done, 1 a file cannot be read or written, 2 bad usage or input: no such student or question, no answer,
/// or the folder is not empty.
#[derive(Args)]
#[command(after_help = GuidePage::Class.line())]
pub(super) struct AppealArguments {
    /// Folder of the class, as it was graded.
    class: PathBuf,
    /// Name of the student, as in the gradebook.
    student: String,
    /// Name of the question, as in the gradebook, or in short: "move 3", "game 2".
    question: String,
    /// File with the answers of the class. Default: the class folder's name with .grades, beside it.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    layout: LayoutOption,
    /// Folder to write to, new or empty. Default: appeal-STUDENT-QUESTION.
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &AppealArguments) -> Result<()> {
    let AppealArguments { class, student, question, layout, .. } = arguments;
    let unusable = |error: &dyn std::fmt::Display| anyhow::Error::from(BadInput::new(error.to_string()));
    let path = class.canonicalize().map_err(|error| unusable(&format!("cannot read {}: {error}", class.display())))?;
    let store = arguments.store.clone().unwrap_or_else(|| store_of(&path));
    if !store.exists() {
        let (store, help) = (store.display(), "run `master grade` first, or give its --store");
        bail!(unusable(&format!("{store}: no such file, expected the store of a graded class; help: {help}")));
    }
    let stored = ExamStore::read(&store)?;
    let (exam, league) = (stored.1.exam()?, stored.1.course.league()?);
    let index = exam.find(question).map_err(|error| unusable(&error))?;
    let asked = exam.short_name(index);
    let intake = intake_of(&league, layout)?;
    let folder = class_at(&path, 1, &intake).map_err(|refused| unusable(&refused))?.unwrap_or_else(|| path.clone());
    let found = agents_in(std::slice::from_ref(&folder), &intake)
        .map_err(|error| unusable(&format!("cannot read {}: {error}", folder.display())))?;
    let agent = student_of(&found, student)?;
    if let Some(why) = why_not_built(&files_of(&store), &league, agent) {
        return Err(never_asked(student, &why).into());
    }
    let output = arguments.output.clone();
    let output = output.unwrap_or_else(|| format!("appeal-{}-{}", file_name(student), asked.replace(' ', "-")).into());
    let again = again(&path, student, &asked, &stored.0, &output);
    let appeal = Appeal::collect(&stored, &exam, agent, index, &again)?.ok_or_else(|| {
        unusable(&format!(
            "{}: no answer of {} to {asked} with the files that are there now; help: if they have changed since, put the \
             old ones back, or run `master grade` again",
            store.display(),
            escaped(student),
        ))
    })?;
    write(&appeal, &output)?;
    let names: Vec<&str> = appeal.files.iter().map(|(name, _)| name.as_str()).collect();
    stdout_line(format_args!("{}: {}", escaped_path(&output), names.join(", ")))
}

/// Finds the student; the error about a wrong name has those that may be meant.
fn student_of<'a>(found: &'a FoundAgents, student: &str) -> Result<&'a Agent, BadInput> {
    if let Some(agent) = found.agents.iter().find(|agent| agent.name == student) {
        return Ok(agent);
    }
    let refused: Vec<NotGraded> = found.refused.iter().map(NotGraded::of).collect();
    if let Some(refused) = refused.iter().find(|refused| refused.name == student) {
        return Err(never_asked(student, &refused.why));
    }
    let all = found.agents.iter().map(|agent| agent.name.as_str());
    let near = near(student, all.chain(refused.iter().map(|refused| refused.name.as_str())));
    let near = if near.is_empty() { String::new() } else { format!("; similar: {}", escaped(&near.join(", "))) };
    Err(BadInput::new(format!("the class has no submission called {}{near}", escaped(student))))
}

/// Returns the names closest to `wrong`, the closest first: those with a few other letters, and those that contain it.
/// Letter case does not matter.
fn near<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    const MOST: usize = 5;
    let wrong = wrong.to_lowercase();
    let most = (wrong.chars().count() / 3).max(2);
    let distance = |name: &str| {
        let name = name.to_lowercase();
        if !wrong.is_empty() && name.contains(&wrong) { 1 } else { strsim::levenshtein(&wrong, &name) }
    };
    let mut close: Vec<(usize, &str)> = names.map(|name| (distance(name), name)).collect();
    close.retain(|(distance, _)| *distance <= most);
    close.sort();
    close.dedup();
    close.into_iter().take(MOST).map(|(_, name)| name).collect()
}

fn never_asked(student: &str, why: &impl std::fmt::Display) -> BadInput {
    let why = why.to_string();
    let why = why.lines().next().unwrap_or_default();
    BadInput::new(format!("{}: no question was asked, since it cannot play: {why}", escaped(student)))
}

/// Commands that ask a question again, into a store of its own, and that collect the new answer.
fn again(class: &Path, student: &str, question: &str, stored: &ExamStore, output: &Path) -> String {
    let [class, store] = [absolute(class), absolute(&output.join("again.grades"))];
    let seed = stored.seed.to_string();
    let mut grade = vec!["master", "grade", &class, "--class", "--only", student, "--question", question];
    grade.extend(["--seed", &seed, "--store", &store]);
    grade.extend(stored.options.iter().map(String::as_str));
    let mut appeal = vec!["master", "appeal", &class, student, question, "--store", &store, "--output"];
    let new = absolute(&output.join("again"));
    appeal.push(&new);
    let layout = stored.options.windows(2).filter(|words| words[0] == "--layout");
    appeal.extend(layout.flatten().map(String::as_str));
    let line = |words: Vec<&str>| words.into_iter().map(in_shell).collect::<Vec<_>>().join(" ");
    format!("{}\n{}\n", line(grade), line(appeal))
}

fn in_shell(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn write(appeal: &Appeal, output: &Path) -> Result<()> {
    let cannot = || format!("cannot write {}", output.display());
    match fs::read_dir(output).map(|mut entries| entries.next().is_none()) {
        Ok(true) => {}
        Ok(false) => {
            let output = output.display();
            return Err(
                BadInput::new(format!("{output}: not empty, expected a new folder; help: --output FOLDER")).into()
            );
        }
        Err(_) if !output.exists() => {}
        Err(error) => return Err(BadInput::new(format!("{}: {error}", output.display())).into()),
    }
    let parent = folder_of(output);
    fs::create_dir_all(parent).with_context(cannot)?;
    let mut new = tempfile::Builder::new();
    let new = new.prefix(".appeal-").permissions(Permissions::from_mode(0o777)).tempdir_in(parent);
    let new = new.with_context(cannot)?;
    for (name, bytes) in &appeal.files {
        write_whole(&new.path().join(name), bytes)?;
    }
    // Replaces an empty folder.
    fs::rename(new.path(), output).with_context(cannot)?;
    let _ = new.keep();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        for (word, quoted) in
            [("class/ada", "class/ada"), ("move 3", "'move 3'"), ("", "''"), ("it's $HOME", "'it'\\''s $HOME'")]
        {
            assert_eq!(in_shell(word), quoted);
        }
    }

    #[test]
    fn close_names_come_first() {
        let names = ["ada", "adam", "cleo", "Ada_101", "zoe"];
        let near = |wrong| near(wrong, names.into_iter());
        assert_eq!(near("adda"), ["ada", "adam"]);
        assert_eq!(near("ADA"), ["Ada_101", "ada", "adam"]);
        assert_eq!(near("cloe"), ["cleo", "zoe"]);
        assert!(near("somebody else").is_empty());
    }
}
