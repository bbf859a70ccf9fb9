//! Comparison of actual and expected output.

use std::io::{self, ErrorKind};
use std::path::Path;

use super::lines::printed_text;
use crate::files::read_bytes;

/// Reads the text of a file; `None` if there is no such file.
///
/// # Errors
/// The file cannot be read.
pub(super) fn expected(path: &Path) -> Result<Option<String>, String> {
    match read_bytes(path) {
        Ok(bytes) => Ok(Some(printed_text(bytes))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(cannot_read(path, &error)),
    }
}

pub(super) fn cannot_read(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

/// Lines without comments, trailing blanks and empty lines (§1).
pub(super) fn lines_2020(text: &str) -> Vec<&str> {
    let lines = text.lines().map(|line| line.split_once('#').map_or(line, |(line, _)| line).trim_end());
    lines.filter(|line| !line.is_empty()).collect()
}

/// Reasons why the course's own tester would fail a test whose output is equal to its `.std`: that tester keeps a comment
/// after `===` and the blanks before any other, and loses the end of a last line without a newline (§1).
pub(super) fn failures_in_the_course(name: &str, std: &str, output: &str) -> Vec<String> {
    let filtered = |line| match str::split_once(line, '#') {
        Some((text, _)) if !line.starts_with("===") => text,
        _ => line.trim_end(),
    };
    let numbered = |text| (1..).zip(str::lines(text)).filter(|(_, line)| !lines_2020(line).is_empty());
    let mut pairs = numbered(std).zip(numbered(output));
    let mut failures = Vec::new();
    if let Some(((number, _), _)) = pairs.find(|((_, right), (_, line))| filtered(right) != filtered(line)) {
        failures.push(format!("{name}: line {number}: found a comment at the end of the line"));
    }
    if !std.is_empty() && !std.ends_with('\n') {
        failures.push(format!("{name}: found no newline after the last line"));
    }
    failures
}

/// Lines without surrounding blanks (§2), up to the last nonempty one.
pub(super) fn lines_2015(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim).collect()
}

/// Joins lines, each with a newline.
pub(super) fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_blanks_do_not_count_in_2020() {
        let text = "# what it is\n\n===\r\n    - b \t\n  \n# why\n===   # end\n\n";
        assert_eq!(lines_2020(text), ["===", "    - b", "==="]);
        assert_ne!(lines_2020(" ==="), lines_2020("==="), "leading blanks count");
        assert_eq!(lines_2020("# nothing\n\n"), [""; 0]);
    }

    #[test]
    fn stricter_rules_of_the_course() {
        for (std, output, count) in [
            ("===\n - b  \n===\n", "===\n - b \n===\n", 0),
            ("===\n - b# why\n===\n", "===\n - b \n===\n", 0),
            ("===\n - b # why\n===\n", "===\n - b \n===\n", 1),
            ("===\n - b # why\n===\n", "===\n - b # x\n===\n", 0),
            ("* Tie game.\t# why\n", "* Tie game.\n", 1),
            ("", "", 0),
            ("# ===\n  #=== # why\n", "\n", 0),
            ("===\n===", "===\n===\n", 1),
            ("=== # why\n===# why", "===\n===\n", 2),
        ] {
            assert_eq!(failures_in_the_course("t.std", std, output).len(), count, "{std}");
        }
        let expected = ["t.std: line 3: found a comment at the end of the line"];
        assert_eq!(failures_in_the_course("t.std", "# a dump\n===\n=== # why\n", "===\n===\n"), expected);
    }

    #[test]
    fn blanks_around_lines_do_not_count_in_2015() {
        let text = " Program #1:\r\n===\n    - b \n\n===\n\n\n";
        assert_eq!(lines_2015(text), ["Program #1:", "===", "- b", "", "==="]);
        assert_ne!(lines_2015("- b"), lines_2015("-  b"));
    }
}
