//! Flat exports: the files of many students in one folder, where each name says whose file it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use regex_lite::{Captures, Regex};

use super::language::named_source;
use super::lookalike::cleaned;
use super::walk::{Origin, Walk, shown};
use super::{TreeError, Trouble};
use crate::intake::archive;
use crate::league::preparation::TreeLimits;
use crate::league::{League, program_names};
use kingline::game::ParseError;

#[derive(Debug)]
pub(crate) struct FlatExport {
    pub(crate) folder: PathBuf,
    /// Pattern of the file names, e.g. `{student}_{id}_{number}_{file}`.
    pub(crate) pattern: String,
    pub(crate) students: Vec<FlatStudent>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FlatStudent {
    pub(crate) name: String,
    /// Names of the files as handed in, each with its place in the export, sorted.
    pub(crate) files: BTreeMap<String, PathBuf>,
    pub(crate) is_late: bool,
    /// Earlier files of the same names, which do not count.
    pub(crate) earlier: Vec<PathBuf>,
}

/// Characters between a student's name and that of a file.
const SEPARATORS: [char; 3] = ['_', '-', ' '];

/// Finds out whose each file is, by `patterns`. Without any, the names may be those of a known system, or begin with
/// the student's name, which ends before a program's name or before the longest ending that all sources have.
///
/// `None` if the names do not say.
pub(super) fn export(
    folder: &Path,
    files: &[PathBuf],
    patterns: &[NamePattern],
    league: &League,
) -> Option<FlatExport> {
    let named: Vec<(&str, &PathBuf)> =
        files.iter().filter_map(|path| Some((path.file_name()?.to_str()?, path))).collect();
    if !patterns.is_empty() {
        return by_patterns(folder, &named, patterns);
    }
    // A name without a student's is that of a program.
    if named.iter().any(|(name, _)| is_program(name, league)) {
        return None;
    }
    let mut known = KNOWN.iter().filter_map(|text| text.parse::<NamePattern>().ok());
    match known.find(|pattern| is_by(pattern, &named, league)) {
        Some(pattern) => by_patterns(folder, &named, &[pattern]),
        None => by_ending(folder, &named, league),
    }
}

/// Returns true if at least two students' files match a pattern, and more programs match it than do not.
fn is_by(pattern: &NamePattern, named: &[(&str, &PathBuf)], league: &League) -> bool {
    let is_handed_in = |(name, path): &&(&str, &PathBuf)| is_source(name, league) || archive::is_archive(path);
    let (matching, others): (Vec<_>, Vec<_>) =
        named.iter().filter(is_handed_in).partition(|(name, _)| pattern.parse(name).is_some());
    let students: BTreeSet<_> = matching.iter().filter_map(|(name, _)| Some(pattern.parse(name)?.student)).collect();
    students.len() > 1 && matching.len() > others.len()
}

fn by_patterns(folder: &Path, named: &[(&str, &PathBuf)], patterns: &[NamePattern]) -> Option<FlatExport> {
    let files = named.iter().filter_map(|&(name, path)| {
        let found = patterns.iter().find_map(|pattern| pattern.parse(name))?;
        Some((found, path))
    });
    let texts: Vec<String> = patterns.iter().map(ToString::to_string).collect();
    grouped(folder, texts.join(" or "), files.collect())
}

/// Takes the text before a program's name as the student's; if no file has the name of a program, the text before the
/// longest common ending of the sources' names.
fn by_ending(folder: &Path, named: &[(&str, &PathBuf)], league: &League) -> Option<FlatExport> {
    let sources: Vec<&str> = named.iter().map(|&(name, _)| name).filter(|name| is_source(name, league)).collect();
    let mut students: Vec<&str> = sources.iter().filter_map(|name| before_program(name, league)).collect();
    let mut pattern = "{student}_{file}".to_owned();
    if students.is_empty() {
        let stems: Vec<&str> = sources.iter().filter_map(|name| Some(name.rsplit_once('.')?.0)).collect();
        let ending = common_ending(&stems)?;
        students = stems.iter().map(|stem| &stem[..stem.len() - ending.len()]).collect();
        pattern = format!("{{student}}{ending}.*");
    }
    students.sort_unstable();
    students.dedup();
    if students.len() < 2 || students.iter().any(|student| student.is_empty()) {
        return None;
    }
    // The longest name first: `ada_b` has files of its own beside `ada`.
    students.sort_by_key(|student| std::cmp::Reverse(student.len()));
    let files = named.iter().filter_map(|&(name, path)| {
        let (student, rest) = students
            .iter()
            .find_map(|&student| Some((student, name.strip_prefix(student)?.strip_prefix(SEPARATORS)?)))?;
        let found = ExportedName { student: student.to_owned(), file: rest, numbers: Vec::new(), is_late: false };
        Some((found, path))
    });
    grouped(folder, pattern, files.collect())
}

fn grouped(folder: &Path, pattern: String, mut files: Vec<(ExportedName, &PathBuf)>) -> Option<FlatExport> {
    // The newest last.
    files.sort_by(|(a, _), (b, _)| a.numbers.cmp(&b.numbers));
    let mut students: BTreeMap<String, FlatStudent> = BTreeMap::new();
    for (found, path) in files {
        let student = students.entry(found.student.clone()).or_default();
        student.name = found.student;
        student.is_late |= found.is_late;
        student.earlier.extend(student.files.insert(found.file.to_owned(), path.clone()));
    }
    let students: Vec<FlatStudent> = students.into_values().collect();
    (!students.is_empty()).then(|| FlatExport { folder: folder.to_owned(), pattern, students })
}

/// The longest ending of all these texts that begins with a separator; `None` if there is none, or only one text.
fn common_ending<'a>(texts: &[&'a str]) -> Option<&'a str> {
    let first = texts.first().filter(|_| texts.len() > 1)?;
    let endings = first.match_indices(SEPARATORS).map(|(place, _)| &first[place..]);
    endings.into_iter().find(|ending| texts.iter().all(|text| text.ends_with(ending) && text.len() > ending.len()))
}

/// The part of a name like `smith_homework.py` before the program's name.
fn before_program<'a>(name: &'a str, league: &League) -> Option<&'a str> {
    let splits = name.match_indices(SEPARATORS).map(|(place, _)| (&name[..place], &name[place + 1..]));
    let is_split = |(student, rest): &(&str, &str)| !student.is_empty() && is_program(rest, league);
    splits.into_iter().find(is_split).map(|(student, _)| student)
}

/// True for the name of a program's source, apart from what browsers and course systems add to it.
fn is_program(name: &str, league: &League) -> bool {
    let (languages, names) = (&league.submissions, program_names(league.game));
    cleaned(name, languages).is_some_and(|cleaned| named_source(languages, names, &cleaned).is_some())
}

fn is_source(name: &str, league: &League) -> bool {
    cleaned(name, &league.submissions).is_some()
}

impl FlatStudent {
    pub(super) fn has(&self, path: &Path) -> bool {
        self.files.values().chain(&self.earlier).any(|own| own == path)
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let late = self.is_late.then(|| "handed in late, as the names of its files say".to_owned());
        let earlier: Vec<String> = self.earlier.iter().map(|path| shown(path)).collect();
        let earlier =
            (!earlier.is_empty()).then(|| format!("not graded, since there is a newer one: {}", earlier.join(", ")));
        late.into_iter().chain(earlier).collect()
    }

    /// Copies the files into the new folder `to`, under the names that they had when they were handed in.
    pub(super) fn collect(&self, to: &Path, limits: &TreeLimits) -> Result<(), Trouble> {
        let failed = |error| Trouble::Files(TreeError::Unwritable(to.to_owned(), error));
        fs::create_dir_all(to).map_err(failed)?;
        for (name, path) in &self.files {
            // A folder of its own, since its name in the export may be that of another file.
            let incoming = tempfile::tempdir_in(to.parent().unwrap_or(to)).map_err(failed)?;
            let walk = Walk { top: path, origin: Origin::HandedIn, limits, except: None };
            super::copy_within(walk, incoming.path()).map_err(Trouble::Files)?;
            fs::rename(incoming.path().join(path.file_name().unwrap_or_default()), to.join(name)).map_err(failed)?;
        }
        Ok(())
    }
}

/// Pattern of file names: plain text with placeholders in braces, e.g. `{student}{late}_{id}_{number}_{file}`.
#[derive(Clone, Debug)]
pub(crate) struct NamePattern {
    text: String,
    regex: Regex,
    numbers: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExportedName<'a> {
    /// The student, with the number of their account if the name has one: `smithjohn_12345`.
    pub(super) student: String,
    /// Name that the file had when it was handed in.
    pub(super) file: &'a str,
    /// Numbers of the submission; the greatest are those of the newest.
    pub(super) numbers: Vec<u128>,
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

    /// The pattern, and the students with their files.
    type Found = (String, Vec<(String, Vec<String>)>);

    fn students(files: &[&str], patterns: &[&str]) -> Option<Found> {
        let league = League::named("checkers").unwrap();
        let files: Vec<PathBuf> = files.iter().map(|file| Path::new("class").join(file)).collect();
        let patterns: Vec<NamePattern> = patterns.iter().map(|text| text.parse().unwrap()).collect();
        let found = export(Path::new("class"), &files, &patterns, &league)?;
        let students = found.students.into_iter();
        Some((found.pattern, students.map(|student| (student.name, student.files.into_keys().collect())).collect()))
    }

    fn expect(files: &[&str], patterns: &[&str], pattern: &str, expected: &[(&str, &[&str])]) {
        let expected = expected.iter().map(|&(student, files)| {
            (student.to_owned(), files.iter().map(|&file| file.to_owned()).collect::<Vec<_>>())
        });
        assert_eq!(students(files, patterns), Some((pattern.to_owned(), expected.collect())), "{files:?}");
    }

    #[test]
    fn names_say_whose_each_file_is() {
        expect(
            &[
                "adab_1_10_homework.py",
                "adab_1_11_board.py",
                "moves.py",
                "cem_LATE_2_12_homework-1.java",
                "dan_3_13_hw.zip",
            ],
            &[],
            KNOWN[2],
            &[("adab_1", &["board.py", "homework.py"]), ("cem_2", &["homework-1.java"]), ("dan_3", &["hw.zip"])],
        );
        expect(
            &["ada_homework.py", "ada_b_Homework (1).py", "ada_b_board.py", "cem-homework.cpp", "readme.txt"],
            &[],
            "{student}_{file}",
            &[("ada", &["homework.py"]), ("ada_b", &["Homework (1).py", "board.py"]), ("cem", &["homework.cpp"])],
        );
        expect(
            &["ada_hw2.py", "cem_hw2.java", "dan_d_hw2.py"],
            &[],
            "{student}_hw2.*",
            &[("ada", &["hw2.py"]), ("cem", &["hw2.java"]), ("dan_d", &["hw2.py"])],
        );
        expect(&["ada.py", "cem.py"], &["{student}.py"], "{student}.py", &[("ada", &["ada.py"]), ("cem", &["cem.py"])]);
    }

    #[test]
    fn the_newest_of_two_files_counts() {
        let league = League::named("checkers").unwrap();
        let files = ["HW2_ada_attempt_2026-10-2-1-0-0_homework.py", "HW2_ada_attempt_2026-9-30-1-0-0_homework.py"]
            .map(PathBuf::from);
        let found = export(Path::new(""), &files, &[KNOWN[1].parse().unwrap()], &league).unwrap();
        assert_eq!(found.students[0].files["homework.py"], files[0]);
        assert_eq!(found.students[0].earlier, [files[1].clone()]);
    }

    #[test]
    fn where_names_do_not_say_there_is_no_export() {
        for files in [
            &["homework.py", "ada_homework.py", "bob_homework.py"][..],
            &["ada_homework.py"],
            &["ada.py", "cem.py"],
            &["board.py", "moves.py", "search.py"],
            &["_hw2.py", "a_hw2.py"],
            &["notes.txt", "ada.zip", "cem.zip"],
            &[],
        ] {
            assert_eq!(students(files, &[]), None, "{files:?}");
        }
    }

    #[test]
    fn files_are_collected_under_their_names() {
        let top = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = top.path().join(name);
            fs::write(&path, name).unwrap();
            path
        };
        let files = BTreeMap::from([("b".to_owned(), file("a")), ("a".to_owned(), file("x_a"))]);
        let student = FlatStudent { files, ..FlatStudent::default() };
        let to = top.path().join("students/ada");
        student.collect(&to, &TreeLimits::default()).unwrap();
        let read = |name: &str| fs::read_to_string(to.join(name)).unwrap();
        assert_eq!((read("a").as_str(), read("b").as_str()), ("x_a", "a"));
        let short = TreeLimits { bytes: 2, ..TreeLimits::default() };
        assert!(matches!(student.collect(&top.path().join("y/z"), &short), Err(Trouble::Files(TreeError::TooBig(2)))));
    }

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
