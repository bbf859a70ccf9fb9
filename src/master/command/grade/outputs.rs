//! Files that grading writes: for a class the store, the gradebook, the summary, and a page for each student.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::super::options::beside;
use super::arguments::GradeArguments;
use crate::exam::{Course, Exam, ExamStore, Grade, Mark};
use crate::gradebook::{ClassGrades, NotGraded, Pseudonyms, Results, SECRET, markdown};
use crate::hash::short_hash;
use crate::intake::agent::{FoundAgents, Trouble};
use crate::record::transcript;
use crate::report::{class_page, page_of_refused, student_page};
use crate::reviews::LostGames;
use kingline_players::exit::BadInput;
use kingline_players::files::{FileId, FileKind, Lock, check_target, folder_of, write_whole};
use kingline_players::terminal::{escaped_path, stderr_line, stdout_line};

/// Output files of a class or of a single submission.
pub(super) struct Outputs<'a> {
    arguments: &'a GradeArguments,
    is_class: bool,
    /// Store of a class, or folder of that of a single submission.
    pub(super) store: PathBuf,
    public: Option<PublicPage>,
}

struct PublicPage {
    /// The page; alone in its folder, which can be published as a whole.
    page: PathBuf,
    /// Names and pseudonyms, for the staff.
    table: PathBuf,
    secret: [u8; SECRET],
}

const GRADEBOOK: FileKind = FileKind {
    name: "a gradebook from an earlier grading",
    is_start: |start| start.starts_with(b"submission,points,"),
};

const REPORT: FileKind = FileKind {
    name: "a report from an earlier grading",
    is_start: |start| {
        let first = String::from_utf8_lossy(start);
        let first = first.lines().next().unwrap_or_default();
        first.starts_with("# ") && first.ends_with(" points")
    },
};

const PAGE: FileKind =
    FileKind { name: "a page from an earlier grading", is_start: |start| start.starts_with(b"<!DOCTYPE html>") };

const TABLE: FileKind = FileKind {
    name: "a table of pseudonyms from an earlier grading",
    is_start: |start| start.starts_with(b"submission,pseudonym"),
};

const SUMMARY: &str = "grade.md";
const PAGES: &str = "pages";

impl<'a> Outputs<'a> {
    /// Checks the output files, so that errors appear before a night of games, not after it.
    pub(super) fn of(arguments: &'a GradeArguments, course: &Course, is_class: bool) -> Result<Outputs<'a>> {
        let GradeArguments { submission, report, save, results, format, of_class, .. } = arguments;
        if let (Some(format), Some(_)) = (format, results) {
            format.check().map_err(|error| unusable("--format", &format!("{error:#}")))?;
        }
        let writable = |option: &str, path: &Path, kind: FileKind| {
            check_target(path, kind).map_err(|error| unusable(option, &format!("{error:#}")))
        };
        if !is_class {
            save.as_deref().map_or(Ok(()), |folder| created("--save", folder))?;
            if let Some(report) = report {
                writable("--report", report, if is_html(report) { PAGE } else { REPORT })?;
                let is_report = |path: PathBuf| FileId::of(&path) == FileId::of(report);
                let mut saved = save.iter().flat_map(|folder| course.saved_games().map(|name| folder.join(name)));
                let by_a_game = format!("{} would be overwritten by a game", report.display());
                ensure!(!saved.any(is_report), unusable("--report", &by_a_game));
            }
            let store = report.as_deref().map_or(Path::new("."), folder_of).to_owned();
            return Ok(Outputs { arguments, is_class, store, public: None });
        }
        let class = submission.canonicalize().with_context(|| format!("cannot read {}", submission.display()))?;
        let store = of_class.store.clone().unwrap_or_else(|| store_of(&class));
        of_class.csv.as_deref().map_or(Ok(()), |csv| writable("--csv", csv, GRADEBOOK))?;
        let pages = report.as_ref().map(|folder| folder.join(PAGES));
        for (option, folder) in [("--report", &pages), ("--save", save), ("--results", results)] {
            folder.as_deref().map_or(Ok(()), |folder| created(option, folder))?;
        }
        report.as_deref().map_or(Ok(()), |folder| writable("--report", &folder.join(SUMMARY), REPORT))?;
        let mut public = None;
        if let Some(folder) = report.as_ref().filter(|_| of_class.pseudonyms) {
            let (folder, table) = (folder.join("public"), folder.join("pseudonyms.csv"));
            created("--pseudonyms", &folder)?;
            let page = folder.join("index.html");
            writable("--pseudonyms", &page, PAGE)?;
            writable("--pseudonyms", &table, TABLE)?;
            let file = beside(&store, ".secret");
            let secret = secret(&file).with_context(|| file.display().to_string())?;
            public = Some(PublicPage { page, table, secret });
        }
        Ok(Outputs { arguments, is_class, store, public })
    }

    /// Paths that agents must not see.
    pub(super) fn private(&self) -> Vec<PathBuf> {
        let mut private = vec![self.arguments.submission.clone()];
        if self.is_class {
            private.extend([self.store.clone(), beside(&self.store, ".secret")]);
        }
        private
    }

    /// Folder of builds, calibrations and reviews, which only a class keeps.
    pub(super) fn files(&self) -> Option<PathBuf> {
        self.is_class.then(|| files_of(&self.store))
    }

    pub(super) fn in_words(&self) -> String {
        let GradeArguments { report, save, results, of_class, .. } = self.arguments;
        let files = [
            ("answers", Some(self.store.clone())),
            ("builds, calibrations and reviews", self.files()),
            ("gradebook", of_class.csv.clone()),
            ("summary", self.summary()),
            ("a page for each student", report.as_ref().map(|folder| folder.join(PAGES))),
            ("leaderboard", self.public.as_ref().map(|public| public.page.clone())),
            ("games", save.clone()),
            ("results", results.clone()),
        ];
        let lines = files.iter().filter_map(|(what, path)| Some(format!("{what}: {}", escaped_path(path.as_ref()?))));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The summary, which is of the whole class.
    fn summary(&self) -> Option<PathBuf> {
        let is_whole = self.is_class && self.arguments.of_class.only.is_empty();
        self.arguments.report.as_ref().filter(|_| is_whole).map(|folder| folder.join(SUMMARY))
    }

    /// Fails if the only submission cannot play. Its results have the reason, so that an autograder shows it.
    pub(super) fn check_single(&self, found: &FoundAgents, exam: &Exam) -> Result<()> {
        let Some(refused) = found.refused.first().filter(|_| !self.is_class) else { return Ok(()) };
        if let Trouble::Machine(why) = &refused.why {
            bail!("{why}");
        }
        let not_graded = NotGraded::of(refused);
        self.write_results(&not_graded.name, &Results::of_refused(&not_graded, exam.of()))?;
        Err(BadInput::new(format!("{}: {}", escaped_path(&self.arguments.submission), refused.why)).into())
    }

    /// Prints which submissions cannot play, how much is already done, and the seed.
    pub(super) fn announce(&self, found: &FoundAgents, exam: &Exam, known: usize) -> Result<()> {
        let FoundAgents { agents, refused, .. } = found;
        let (steps, seed) = (agents.len() * exam.steps(), exam.seed);
        if self.is_class {
            refused.iter().for_each(|refused| stderr_line(format_args!("master: cannot play: {refused}")));
            let (all, store) = (agents.len() + refused.len(), self.store.display());
            stderr_line(format_args!(
                "{all} submissions, {known} of {steps} moves and games are done, seed {seed}, store {store}"
            ));
            return Ok(());
        }
        if known > 0 {
            stderr_line(format_args!("continuing an exam: {known} of {steps} moves and games are done"));
        }
        if self.arguments.json {
            return Ok(());
        }
        stdout_line(format_args!("seed {seed}: --seed {seed} gives the same exam again"))
    }

    pub(super) fn write_so_far(&self, marks: &[Mark], exam: &Exam) -> Result<()> {
        if self.is_class { Ok(()) } else { self.write_results("", &Results::so_far(marks, exam.steps(), exam.of())) }
    }

    fn write_results(&self, name: &str, results: &Results) -> Result<()> {
        let (Some(format), Some(path)) = (self.arguments.format, &self.arguments.results) else { return Ok(()) };
        let of_class = path.join(format!("{}.json", file_name(name)));
        write_whole(if self.is_class { &of_class } else { path }, format.write(results)?.as_bytes())
    }

    /// Writes everything that was asked for; `reviews` has the lost games of each graded student.
    pub(super) fn write(&self, class: &ClassGrades, store: &ExamStore, reviews: &[LostGames]) -> Result<()> {
        let pseudonyms = self
            .public
            .as_ref()
            .map(|public| Pseudonyms::new(&public.secret, store.seed, store.submissions.iter().map(String::as_str)));
        if let Some(csv) = &self.arguments.of_class.csv {
            write_whole(csv, class.gradebook().as_bytes())?;
        }
        if let Some(path) = self.summary() {
            write_whole(&path, class.summary().as_bytes())?;
            // These are of the whole class as well.
            if let (Some(public), Some(pseudonyms)) = (&self.public, &pseudonyms) {
                write_whole(&public.page, class_page(class, pseudonyms).as_bytes())?;
                write_whole(&public.table, pseudonyms.table().as_bytes())?;
            }
        }
        for (grade, reviews) in class.grades.iter().zip(reviews) {
            let pseudonym = pseudonyms.as_ref().and_then(|pseudonyms| pseudonyms.of(&grade.agent));
            if let Some(path) = self.page_of(&grade.agent) {
                let is_page = is_html(&path);
                let text = if is_page { student_page(grade, pseudonym, reviews) } else { markdown(grade) };
                write_whole(&path, text.as_bytes())?;
            }
            self.write_results(&grade.agent, &Results::of_grade(grade))?;
            self.save_games(grade)?;
        }
        for refused in &class.not_graded {
            if let Some(page) = self.page_of(&refused.name) {
                write_whole(&page, page_of_refused(refused, class.of).as_bytes())?;
            }
            self.write_results(&refused.name, &Results::of_refused(refused, class.of))?;
        }
        for page in class.withdrawn.iter().filter_map(|name| self.page_of(name)).filter(|page| page.exists()) {
            fs::remove_file(&page).with_context(|| format!("cannot delete {}", page.display()))?;
        }
        Ok(())
    }

    /// The page or report of a submission.
    fn page_of(&self, name: &str) -> Option<PathBuf> {
        let report = self.arguments.report.as_ref()?;
        Some(if self.is_class { report.join(PAGES).join(format!("{}.html", file_name(name))) } else { report.clone() })
    }

    fn save_games(&self, grade: &Grade) -> Result<()> {
        let Some(folder) = &self.arguments.save else { return Ok(()) };
        let own = if self.is_class { folder.join(file_name(&grade.agent)) } else { folder.clone() };
        fs::create_dir_all(&own).with_context(|| format!("cannot create {}", own.display()))?;
        grade
            .marks
            .iter()
            .flat_map(Mark::saved_games)
            .try_for_each(|(name, record)| write_whole(&own.join(name), transcript::write(record)?.as_bytes()))
    }

    /// Renames the store of a class to the first free of its names with a number, e.g. `class.grades.1`.
    pub(super) fn set_aside(&self) -> Result<()> {
        let store = &self.store;
        if !self.is_class || !store.exists() {
            return Ok(());
        }
        // Its lock is held until it has its new name.
        let lock = Lock::take(store).with_context(|| format!("cannot write {}", store.display()))?;
        let _lock = lock.with_context(|| format!("{} is in use by another run", store.display()))?;
        let aside = self.free_beside()?;
        fs::rename(store, &aside).with_context(|| format!("cannot rename {}", store.display()))?;
        stderr_line(format_args!("earlier answers are kept in {}", escaped_path(&aside)));
        Ok(())
    }

    /// Copies the store to the first free of its names with a number, before some of its answers are set aside.
    pub(super) fn copy_aside(&self) -> Result<()> {
        let aside = self.free_beside()?;
        let bytes = fs::read(&self.store).with_context(|| format!("cannot read {}", self.store.display()))?;
        write_whole(&aside, &bytes)?;
        stderr_line(format_args!("earlier answers are kept in {} as well", escaped_path(&aside)));
        Ok(())
    }

    fn free_beside(&self) -> Result<PathBuf> {
        let mut names = (1_u32..).map(|number| beside(&self.store, &format!(".{number}")));
        names.find(|path| !path.exists()).context("no free name for the store")
    }
}

fn unusable(option: &str, error: &dyn Display) -> BadInput {
    BadInput::new(format!("{option}: {error}"))
}

fn created(option: &str, folder: &Path) -> Result<(), BadInput> {
    fs::create_dir_all(folder).map_err(|error| unusable(option, &format!("{}: {error}", folder.display())))
}

pub(super) fn is_html(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("html"))
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

/// Reads the secret; creates it at random, readable for its owner only, if there is none.
fn secret(path: &Path) -> Result<[u8; SECRET]> {
    let mut secret = [0; SECRET];
    match fs::read(path) {
        Ok(bytes) => {
            let found = bytes.len();
            return bytes.try_into().ok().with_context(|| {
                format!("found {found} bytes, expected the {SECRET} bytes of a secret; help: move it away for new pseudonyms")
            });
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).context("cannot read it"),
    }
    File::open("/dev/urandom")
        .and_then(|mut random| random.read_exact(&mut secret))
        .context("cannot read /dev/urandom")?;
    let mut options = File::options();
    let mut file = options.write(true).create_new(true).mode(0o600).open(path).context("cannot create it")?;
    let written = file.write_all(&secret).and_then(|()| file.sync_data());
    if let Err(error) = written {
        // Half a secret would be refused forever.
        let _ = fs::remove_file(path);
        return Err(error).context("cannot write it");
    }
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

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

    #[test]
    fn a_secret_is_created_once_for_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let first = secret(&path).unwrap();
        assert_eq!(secret(&path).unwrap(), first);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_ne!(secret(&folder.path().join("other")).unwrap(), first);
        fs::write(&path, "short").unwrap();
        assert!(format!("{:#}", secret(&path).unwrap_err()).contains("found 5 bytes, expected the 32 bytes"));
    }
}
