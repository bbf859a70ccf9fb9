//! What grading a class writes: the store, the gradebook, the summary, and a page for each student.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::arguments::GradeArguments;
use super::public::PublicPage;
use super::results_file::ResultsFile;
use super::single::REPORT;
use crate::exam::grade::{ClassGrades, Mark, Pseudonyms, Results, UnfinishedExam, gradebook, summary};
use crate::hash::short_hash;
use crate::record::transcript;
use crate::report::{page_of_refused, student_page};
use crate::reviews::LostGames;
use kingline_players::exit::BadInput;
use kingline_players::files::Lock;
use kingline_players::files::{FileKind, check_target, read_bytes, write_whole};
use kingline_players::terminal::{escaped_path, stderr_line};

/// Output files.
pub(super) struct Outputs {
    pub(super) store: PathBuf,
    /// Folder of builds, calibrations and reviews, beside the store.
    pub(super) files: PathBuf,
    /// File with the secret of pseudonyms, beside the store.
    pub(super) secret: PathBuf,
    csv: Option<PathBuf>,
    /// Folder of the pages.
    report: Option<PathBuf>,
    summary: Option<PathBuf>,
    public: Option<PublicPage>,
    save: Option<PathBuf>,
    results: Option<ResultsFile>,
}

const GRADEBOOK: FileKind = FileKind {
    name: "a gradebook from an earlier grading",
    is_start: |start| start.starts_with(b"submission,points,"),
};

impl Outputs {
    /// Checks the output files, so that errors appear before a night of games, not after it.
    pub(super) fn of(arguments: &GradeArguments) -> Result<Outputs> {
        let class = &arguments.submission;
        let class = class.canonicalize().with_context(|| format!("cannot read {}", class.display()))?;
        let store = arguments.of_class.store.clone().unwrap_or_else(|| store_of(&class));
        let unusable = |option: &str, error: &dyn std::fmt::Display| BadInput::new(format!("{option}: {error}"));
        if let Some(csv) = &arguments.of_class.csv {
            check_target(csv, GRADEBOOK).map_err(|error| unusable("--csv", &format!("{error:#}")))?;
        }
        for (option, folder) in [("--report", &arguments.report), ("--save", &arguments.save)] {
            let Some(folder) = folder else { continue };
            let inner = if option == "--report" { folder.join(PAGES) } else { folder.clone() };
            fs::create_dir_all(&inner).map_err(|error| unusable(option, &format!("{}: {error}", inner.display())))?;
        }
        let results = ResultsFile::of(arguments)?;
        if let Some(folder) = results.as_ref().map(ResultsFile::path) {
            fs::create_dir_all(folder)
                .map_err(|error| unusable("--results", &format!("{}: {error}", folder.display())))?;
        }
        if let Some(folder) = &arguments.report {
            check_target(&folder.join(SUMMARY), REPORT).map_err(|error| unusable("--report", &format!("{error:#}")))?;
        }
        let (csv, report, save) = (arguments.of_class.csv.clone(), arguments.report.clone(), arguments.save.clone());
        let summary = report.as_ref().filter(|_| arguments.of_class.only.is_empty()).map(|folder| folder.join(SUMMARY));
        let public = report.as_ref().filter(|_| arguments.of_class.pseudonyms);
        let secret = beside(&store, ".secret");
        let public = public.map(|folder| PublicPage::in_report(folder, &secret)).transpose()?;
        Ok(Outputs { files: files_of(&store), secret, store, csv, report, summary, public, save, results })
    }

    /// Where everything is, on lines.
    pub(super) fn in_words(&self) -> String {
        let pages = self.report.as_ref().map(|folder| folder.join(PAGES));
        let public = self.public.as_ref().map(PublicPage::path);
        let files = [
            ("answers", Some(self.store.as_path())),
            ("builds, calibrations and reviews", Some(&self.files)),
            ("gradebook", self.csv.as_deref()),
            ("summary", self.summary.as_deref()),
            ("a page for each student", pages.as_deref()),
            ("leaderboard", public),
            ("games", self.save.as_deref()),
            ("results", self.results.as_ref().map(ResultsFile::path)),
        ];
        let lines = files.iter().filter_map(|(what, path)| Some(format!("{what}: {}", escaped_path((*path)?))));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Pseudonyms of all submissions that were ever in the class, if any were asked for.
    pub(super) fn pseudonyms(&self, exam: &UnfinishedExam) -> Option<Pseudonyms> {
        let names = exam.submissions().iter().map(String::as_str);
        self.public.as_ref().map(|public| public.pseudonyms(exam.seed(), names))
    }

    /// Writes everything that was asked for; `reviews` has the lost games of each graded student.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn write(
        &self,
        class: &ClassGrades,
        pseudonyms: Option<&Pseudonyms>,
        reviews: &[LostGames],
    ) -> Result<()> {
        if let Some(csv) = &self.csv {
            write_whole(csv, gradebook(class).as_bytes())?;
        }
        if let Some(path) = &self.summary {
            write_whole(path, summary(class).as_bytes())?;
            // These are of the whole class as well.
            if let (Some(public), Some(pseudonyms)) = (&self.public, pseudonyms) {
                public.write(class, pseudonyms)?;
            }
        }
        if let Some(folder) = &self.report {
            let pages = folder.join(PAGES);
            for (grade, reviews) in class.grades.iter().zip(reviews) {
                let pseudonym = pseudonyms.and_then(|pseudonyms| pseudonyms.of(&grade.agent));
                write_whole(&page_in(&pages, &grade.agent), student_page(grade, pseudonym, reviews).as_bytes())?;
            }
            for refused in &class.not_graded {
                write_whole(&page_in(&pages, &refused.name), page_of_refused(refused, class.of).as_bytes())?;
            }
            for name in &class.withdrawn {
                let page = page_in(&pages, name);
                if page.exists() {
                    fs::remove_file(&page).with_context(|| format!("cannot delete {}", page.display()))?;
                }
            }
        }
        if let Some(results) = &self.results {
            for grade in &class.grades {
                results.of_submission(&file_name(&grade.agent)).write(&Results::of_grade(grade))?;
            }
            for refused in &class.not_graded {
                results.of_submission(&file_name(&refused.name)).write(&Results::of_refused(refused, class.of))?;
            }
        }
        if let Some(folder) = &self.save {
            for grade in &class.grades {
                let own = folder.join(file_name(&grade.agent));
                fs::create_dir_all(&own).with_context(|| format!("cannot create {}", own.display()))?;
                for (name, record) in grade.marks.iter().flat_map(Mark::saved_games) {
                    write_whole(&own.join(name), transcript::write(record)?.as_bytes())?;
                }
            }
        }
        Ok(())
    }
}

const SUMMARY: &str = "grade.md";
const PAGES: &str = "pages";

/// The page of a submission in this folder.
fn page_in(pages: &Path, name: &str) -> PathBuf {
    pages.join(format!("{}.html", file_name(name)))
}

/// The store of a class for which no other is given; `class` is an absolute path.
pub(in crate::command) fn store_of(class: &Path) -> PathBuf {
    beside(class, ".grades")
}

/// The folder of builds, calibrations and reviews beside a store.
pub(in crate::command) fn files_of(store: &Path) -> PathBuf {
    beside(store, ".files")
}

/// A file name for a submission, short enough to append an extension.
pub(in crate::command) fn file_name(name: &str) -> String {
    const LONGEST: usize = 200;
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let cut: String = name.chars().take(LONGEST / 4).collect();
    format!("{cut}-{}", short_hash(name))
}

/// Renames a store to the first free of its names with a number, e.g. `class.grades.1`.
pub(super) fn set_aside(store: &Path) -> Result<()> {
    if !store.exists() {
        return Ok(());
    }
    // Its lock is held until it has its new name.
    let lock = Lock::take(store).with_context(|| format!("cannot write {}", store.display()))?;
    let _lock = lock.with_context(|| format!("{}: another process has this exam open", store.display()))?;
    let aside = free_beside(store)?;
    fs::rename(store, &aside).with_context(|| format!("cannot rename {}", store.display()))?;
    stderr_line(format_args!("earlier answers are kept in {}", escaped_path(&aside)));
    Ok(())
}

/// Copies a store to the first free of its names with a number, before some of its answers are set aside.
pub(super) fn copy_aside(store: &Path) -> Result<()> {
    let aside = free_beside(store)?;
    write_whole(&aside, &read_bytes(store).with_context(|| format!("cannot read {}", store.display()))?)?;
    stderr_line(format_args!("earlier answers are kept in {} as well", escaped_path(&aside)));
    Ok(())
}

fn free_beside(store: &Path) -> Result<PathBuf> {
    let mut names = (1_u32..).map(|number| beside(store, &format!(".{number}")));
    names.find(|path| !path.exists()).context("no free name for the store")
}

/// A path with an ending appended.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_have_files_of_their_own() {
        assert_eq!(file_name("ada"), "ada");
        let long = |end: &str| format!("{}{end}", "a".repeat(250));
        // These two were one in a polynomial hash with factor 31.
        let [one, other] = ["Aa", "BB"].map(|end| file_name(&long(end)));
        assert!(one != other && one.len() <= 200 && other.len() <= 200, "{one} {other}");
        assert!(file_name(&"\u{10348}".repeat(250)).len() < 240);
    }
}
