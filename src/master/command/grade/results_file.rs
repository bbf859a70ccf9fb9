//! The file with the results in the format of another autograder.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::arguments::GradeArguments;
use crate::exam::grade::{Mark, Results, ResultsFormat};
use kingline_players::exit::BadInput;
use kingline_players::files::write_whole;
use kingline_players::terminal::stderr_line;

/// Where the results go, and in which format.
pub(super) struct ResultsFile {
    format: ResultsFormat,
    path: PathBuf,
}

impl ResultsFile {
    /// The file or, for a class, the folder that the arguments ask for.
    ///
    /// # Errors
    /// The format's environment variables are missing.
    pub(super) fn of(arguments: &GradeArguments) -> Result<Option<ResultsFile>> {
        let (Some(format), Some(path)) = (arguments.format, &arguments.results) else { return Ok(None) };
        format.check().map_err(|error| BadInput::new(format!("--format: {error:#}")))?;
        Ok(Some(ResultsFile { format, path: path.clone() }))
    }

    /// The file of one submission of a class, in the folder.
    pub(super) fn of_submission(&self, file_name: &str) -> ResultsFile {
        ResultsFile { format: self.format, path: self.path.join(format!("{file_name}.json")) }
    }

    /// The folder of a class, or the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the results; the file is whole at any time.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write(&self, results: &Results) -> Result<()> {
        write_whole(&self.path, self.format.write(results)?.as_bytes())
    }
}

/// Results of one submission that grow mark by mark.
pub(super) struct GrowingResults<'a> {
    file: &'a ResultsFile,
    steps: usize,
    of: u32,
    marks: Vec<Mark>,
}

impl GrowingResults<'_> {
    /// Begins with no marks, of `steps` moves and games and `of` points.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn new(file: &ResultsFile, steps: usize, of: u32) -> Result<GrowingResults<'_>> {
        let growing = GrowingResults { file, steps, of, marks: Vec::new() };
        file.write(&Results::so_far(&growing.marks, steps, of))?;
        Ok(growing)
    }

    /// Adds a mark. A file that cannot be written now is reported when the grading ends.
    pub(super) fn add(&mut self, mark: &Mark) {
        self.marks.push(Mark { records: Vec::new(), ..mark.clone() });
        if let Err(error) = self.file.write(&Results::so_far(&self.marks, self.steps, self.of)) {
            stderr_line(format_args!("master: {error:#}"));
        }
    }
}
