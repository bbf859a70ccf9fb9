//! The commands of a page, with the output that it shows.
//!
//! A block `sh` holds a command a line; a block `console` holds lines `$ command`, each with the output that follows it.
//! `\` at the end of a line goes on in the next one, and `#` begins a comment, as in the shell.

use super::pages::{Page, made_up};

/// Languages of blocks that hold no commands.
const NO_COMMANDS: &[&str] = &["text", "json", "toml", "sql", "rust"];
/// Stands for any lines, or for any text within a line.
const ANYTHING: &str = "...";

/// A command of a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) line: usize,
    pub(crate) command: String,
    /// The lines that the page shows below it; none in a block that shows no output.
    pub(crate) output: Option<Vec<String>>,
}

/// All commands of a page.
///
/// # Errors
/// A block whose language is unknown, that has no fence, or that is not of its form.
pub(crate) fn steps(page: &Page) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    for block in page.blocks() {
        let Some(language) = &block.what.language else {
            let first = block.what.text.trim_end();
            return Err(format!("{}:{}: {first:?}, expected ``` and a language before it", page.name, block.line));
        };
        let lines = joined(block.line, &block.what.text);
        match language.as_str() {
            "sh" => steps.extend(lines.into_iter().filter(is_command).map(|(line, command)| Step {
                line,
                command: command.trim().to_owned(),
                output: None,
            })),
            "console" => add_shown(lines, &mut steps).map_err(|why| format!("{}:{}: {why}", page.name, block.line))?,
            other if NO_COMMANDS.contains(&other) => {}
            other => {
                let expected = [&["sh", "console"], NO_COMMANDS].concat().join(", ");
                return Err(format!("{}:{}: a block of {other:?}, expected one of {expected}", page.name, block.line));
            }
        }
    }
    Ok(steps)
}

fn is_command((_, line): &(usize, String)) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

/// The lines of a block with their numbers; those that end in `\` are joined with the next one.
fn joined(first: usize, text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut goes_on = false;
    for (number, line) in (first..).zip(text.lines()) {
        let (line, more) = line.strip_suffix('\\').map_or((line, false), |start| (start, true));
        match lines.last_mut() {
            Some((_, before)) if goes_on => *before = format!("{} {}", before.trim_end(), line.trim_start()),
            _ => lines.push((number, line.to_owned())),
        }
        goes_on = more;
    }
    lines
}

fn add_shown(lines: Vec<(usize, String)>, steps: &mut Vec<Step>) -> Result<(), String> {
    let first = steps.len();
    for (line, text) in lines {
        if let Some(command) = text.strip_prefix("$ ") {
            steps.push(Step { line, command: command.trim().to_owned(), output: Some(Vec::new()) });
        } else if let Some(Step { output: Some(output), .. }) = steps[first..].last_mut() {
            output.push(text);
        } else {
            return Err(format!("found {text:?}, expected `$ ` and a command"));
        }
    }
    Ok(())
}

/// Is this output what the page shows? A line `...` stands for any lines, `...` within a line for any text.
pub(crate) fn matches(shown: &[String], output: &str) -> bool {
    let lines: Vec<&str> = output.lines().map(str::trim_end).collect();
    lines_match(shown, &lines)
}

fn lines_match(shown: &[String], lines: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == ANYTHING => {
            (0..=lines.len()).any(|from| lines_match(rest, &lines[from..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, lines)| line_matches(first.trim_end(), line) && lines_match(rest, lines)),
    }
}

fn line_matches(shown: &str, line: &str) -> bool {
    let Some((start, rest)) = shown.split_once(ANYTHING) else { return shown == line };
    let Some(line) = line.strip_prefix(start) else { return false };
    let places = (0..=line.len()).filter(|&place| line.is_char_boundary(place));
    places.into_iter().any(|place| line_matches(rest, &line[place..]))
}

#[test]
fn commands_are_found_with_their_lines_and_outputs() {
    let page = made_up(
        "Text with `calibrate depth 3`.\n\n```sh\n# a comment\none a \\\n    b\n\ntwo < x   # why\n```\n\n\
         ```console\n$ three\nout 1\n\nout 2\n$ four\n```\n\n```text\n$ five\n```\n",
    );
    let shown = |lines: &[&str]| Some(lines.iter().map(|&line| line.to_owned()).collect());
    let step = |line, command: &str, output| Step { line, command: command.to_owned(), output };
    assert_eq!(
        steps(&page),
        Ok(vec![
            step(5, "one a b", None),
            step(8, "two < x   # why", None),
            step(12, "three", shown(&["out 1", "", "out 2"])),
            step(16, "four", shown(&[])),
        ])
    );
}

#[test]
fn blocks_of_another_form_are_refused() {
    let error = steps(&made_up("\n```bash\nls\n```\n")).expect_err("no bash");
    assert!(error.starts_with("README.md:3: a block of \"bash\", expected one of sh, console, text"), "{error}");
    let error = steps(&made_up("Text.\n\n    ls\n")).expect_err("no fence");
    assert_eq!(error, "README.md:3: \"ls\", expected ``` and a language before it");
    let error = steps(&made_up("```sh\nls\n```\n\n```console\nls\n```\n")).expect_err("no $");
    assert_eq!(error, "README.md:6: found \"ls\", expected `$ ` and a command");
}

#[test]
fn output_that_differs_is_found() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    for (page, output) in [
        ("", ""),
        ("a\nb", "a\nb\n"),
        ("a  ", "a"),
        ("...", ""),
        ("...", "a\nb\n"),
        ("a\n...\nd", "a\nb\nc\nd\n"),
        ("a\n...", "a"),
        ("White plays ...   (depth ...)", "White plays a3-b4   (depth 12)"),
        ("a, ...", "a, b"),
        ("a, ...", "a, ..."),
    ] {
        assert!(matches(&shown(page), output), "{page:?} {output:?}");
    }
    for (page, output) in [
        ("", "a"),
        ("a", ""),
        ("a\nb", "a\nc\n"),
        ("a\n...\nd", "a\nb\nc\n"),
        ("...\nb", "b\nc"),
        ("a ... c", "a b d"),
        ("a ...", "b c"),
        ("a\n\nb", "a\nb"),
    ] {
        assert!(!matches(&shown(page), output), "{page:?} {output:?}");
    }
}
