//! Reviews of lost games for the students' pages.

use std::path::Path;

use anyhow::{Result, bail};

use super::super::screen::progress_bar;
use super::arguments::GradeArguments;
use super::single::is_html;
use crate::exam::grade::Grade;
use crate::reviews::{KeptReviews, LostGame, LostGames, Work, lost_games, review_lost};
use crate::stop::StopFlag;

/// Reviews of the lost games of some students.
pub(super) struct StudentReviews {
    /// One entry for each student, in order.
    pub(super) of_students: Vec<LostGames>,
    /// Number of lost games without a review because the command was stopped.
    missing: usize,
    lost: usize,
}

/// Reviews the lost games of students, if their pages are asked for. With `folder`, reviews are kept there.
///
/// # Errors
/// A review cannot be kept.
pub(super) fn reviews(
    arguments: &GradeArguments,
    grades: &[Grade],
    folder: Option<&Path>,
    stop: &StopFlag,
) -> Result<StudentReviews> {
    let has_pages = arguments.report.as_deref().is_some_and(|report| report.is_dir() || is_html(report));
    if arguments.review <= 0.0 || !has_pages || stop.is_requested() {
        return Ok(StudentReviews { of_students: vec![LostGames::new(); grades.len()], missing: 0, lost: 0 });
    }
    let kept = KeptReviews::in_folder(folder, arguments.review)?;
    let mut games = lost_games(grades);
    let lost = games.len();
    let mut of_students = kept.known(&mut games, grades.len());
    let positions = games.iter().map(LostGame::positions).sum();
    let bar = progress_bar(positions, "reviewing lost games [{bar:24}] {pos}/{len} positions{left}");
    let work = Work { seconds: arguments.review, stop, progress: &|| bar.inc(1) };
    let done = review_lost(&games, &mut of_students, &kept, work);
    bar.finish_and_clear();
    done?;
    let missing = lost - of_students.iter().map(LostGames::len).sum::<usize>();
    Ok(StudentReviews { of_students, missing: if stop.is_requested() { missing } else { 0 }, lost })
}

impl StudentReviews {
    /// Fails if the command was stopped before all games were reviewed.
    pub(super) fn all_there(&self) -> Result<()> {
        let StudentReviews { missing, lost, .. } = self;
        if *missing > 0 {
            bail!(
                "stopped: all is graded, but {missing} of {lost} lost games are not reviewed; help: run the same command again, \
                 or with --review 0"
            );
        }
        Ok(())
    }
}
