//! Patterns of file names in an export of a course system, which say whose file each is.

use std::fmt;
use std::str::FromStr;

use kingline::game::ParseError;
use regex_lite::{Captures, Regex};

/// Pattern of file names: plain text with placeholders in braces, e.g. `{student}{late}_{id}_{number}_{file}`.
#[derive(Clone, Debug)]
pub struct NamePattern {
    text: String,
    regex: Regex,
    /// Number of placeholders `{number}`.
    numbers: usize,
}

/// A file name taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExportedName<'a> {
    /// The student, with the number of their account if the name has one: `smithjohn_12345`.
    pub(super) student: String,
    /// Name that the file had when it was handed in.
    pub(super) file: &'a str,
    /// Numbers of the submission; the greatest are those of the newest.
    pub(super) numbers: Vec<u128>,
    /// True if the name says that it was handed in late.
    pub(super) is_late: bool,
}

/// Patterns of the systems that many courses use, the most particular first: Moodle, Blackboard, Canvas.
pub(super) const KNOWN: [&str; 3] = [
    "{student}_{id}_assignsubmission_file_{file}",
    "{any}_{student}_attempt_{number}_{file}",
    "{student}{late}_{id}_{number}_{file}",
];

const EXPECTED: &str = "a pattern with {student} once, at most one {id}, {late} and {file}, any number of {number} and \
                        {any}, and nothing after {file}, e.g. {student}_{id}_{number}_{file}";

impl FromStr for NamePattern {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<NamePattern, ParseError> {
        let wrong = || ParseError::new(text, EXPECTED);
        let (mut regex, mut rest, mut numbers) = ("^".to_owned(), text, 0);
        while let Some((literal, after)) = rest.split_once('{') {
            regex.push_str(&regex_lite::escape(literal));
            let (placeholder, after) = after.split_once('}').ok_or_else(wrong)?;
            match placeholder {
                "student" => regex.push_str("(?<student>.+?)"),
                "id" => regex.push_str("(?<id>[0-9]+)"),
                "late" => regex.push_str("(?<late>_LATE|_late)?"),
                "number" => {
                    numbers += 1;
                    regex.push_str(&format!("(?<number{numbers}>[0-9][0-9-]*)"));
                }
                "any" => regex.push_str("(?:.+)"),
                "file" if after.is_empty() => regex.push_str("(?<file>.+)"),
                _ => return Err(wrong()),
            }
            rest = after;
        }
        regex.push_str(&regex_lite::escape(rest));
        regex.push('$');
        // A placeholder given twice is a group defined twice, which is an error.
        let regex = Regex::new(&regex).ok().filter(|_| text.contains("{student}")).ok_or_else(wrong)?;
        Ok(NamePattern { text: text.to_owned(), regex, numbers })
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl NamePattern {
    /// Takes a file name apart; `None` if the pattern does not match, or a part cannot be a name.
    pub(super) fn parse<'a>(&self, name: &'a str) -> Option<ExportedName<'a>> {
        let found = self.regex.captures(name)?;
        let text = |group: &str| found.name(group).map(|found| found.as_str());
        let student = text("student")?;
        let student = text("id").map_or(student.to_owned(), |id| format!("{student}_{id}"));
        let numbers = (1..=self.numbers).flat_map(|number| numbers(&found, number)).collect();
        let file = text("file").unwrap_or(name);
        // Both become names of their own.
        let is_name = |name: &str| name != "." && name != "..";
        let is_late = text("late").is_some();
        (is_name(&student) && is_name(file)).then_some(ExportedName { student, file, numbers, is_late })
    }
}

/// The numbers that one placeholder stands for: one, or those of a date.
fn numbers(found: &Captures, number: usize) -> Vec<u128> {
    let text = found.name(&format!("number{number}")).map_or("", |found| found.as_str());
    text.split('-').filter(|part| !part.is_empty()).map(|part| part.parse().unwrap_or(u128::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str) -> Option<(usize, ExportedName<'_>)> {
        KNOWN.iter().enumerate().find_map(|(place, text)| {
            let pattern: NamePattern = text.parse().unwrap();
            Some((place, pattern.parse(name)?))
        })
    }

    #[test]
    fn names_of_known_systems_are_taken_apart() {
        for (name, place, student, file, numbers, is_late) in [
            ("lastname_12345_678_homework.py", 2, "lastname_12345", "homework.py", &[678][..], false),
            ("smithjohn_LATE_12_678_my_file-1.py", 2, "smithjohn_12", "my_file-1.py", &[678], true),
            ("Ada Byron_77_assignsubmission_file_homework.java", 0, "Ada Byron_77", "homework.java", &[], false),
            (
                "HW2_resubmit_ada_attempt_2026-01-31-23-59-01_homework.cpp",
                1,
                "ada",
                "homework.cpp",
                &[2026, 1, 31, 23, 59, 1],
                false,
            ),
        ] {
            let student = student.to_owned();
            assert_eq!(known(name), Some((place, ExportedName { student, file, numbers: numbers.to_vec(), is_late })));
        }
        for name in ["homework.py", "ada_homework.py", "ada_1_homework.py", "_1_2_homework.py", "ada_1_2_"] {
            assert_eq!(known(name), None, "{name}");
        }
    }

    #[test]
    fn a_pattern_of_ones_own_is_plain_text_with_placeholders() {
        let pattern: NamePattern = "cs561.{student}.{number}.py".parse().unwrap();
        let found = pattern.parse("cs561.ada.b.3.py").unwrap();
        assert_eq!((found.student.as_str(), found.file, found.numbers), ("ada.b", "cs561.ada.b.3.py", vec![3]));
        assert_eq!(pattern.parse("cs561-ada.3.py"), None);
        assert_eq!(pattern.parse("cs561....3.py"), None, "a student called \"..\"");
        assert_eq!("{student}_{file}".parse::<NamePattern>().unwrap().parse("ada_.."), None);
        assert_eq!(pattern.to_string(), "cs561.{student}.{number}.py");
        for wrong in ["", "{file}", "{student}{student}", "{student}_{file}_x", "{student", "{student}_{name}"] {
            assert!(wrong.parse::<NamePattern>().is_err(), "{wrong}");
        }
    }
}
