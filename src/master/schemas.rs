//! JSON Schemas of what `master` prints, writes and reads.
#![expect(dead_code, reason = "only the types are used")]

use kingline_players::schemas::{Named, read, written};
use schemars::JsonSchema;

use crate::command::tournament::{shards, table::StandingsTable};
use crate::command::{check::Checked, report::SiteSummary, verify::Verified};
use crate::gradebook::formats::{Autolab, Classroom50, Gradescope, PrairieLearn};
use crate::{doctor, exam, gradebook::ClassGrades, league::League, record::GameRecord, report, reviews, tournament};

/// Games, in games.json of a site, in the order of their numbers.
#[derive(JsonSchema)]
struct SiteGames(Vec<report::data::GameRow>);

/// A line of `*.review-0.02.jsonl`, which `master report --review 0.02` writes beside a store.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum ReviewLine {
    Header(reviews::file::Header),
    Game(Box<reviews::file::ReviewRow>),
}

/// Schemas of what `master` prints, writes and reads.
pub fn all() -> Vec<Named> {
    vec![
        written::<GameRecord>("game"),
        written::<Checked<'_>>("check"),
        written::<exam::Grade>("grade"),
        written::<ClassGrades>("class"),
        written::<doctor::Diagnosis>("doctor"),
        written::<doctor::TrialRun>("trial-run"),
        written::<StandingsTable<'_>>("standings"),
        written::<shards::WrittenPlan<'_>>("plan-summary"),
        written::<shards::PlayedShard<'_>>("shard-summary"),
        written::<shards::MergedResults<'_>>("merge"),
        written::<tournament::TournamentPlan>("plan"),
        written::<Verified<'_>>("verify"),
        written::<SiteSummary<'_>>("report-summary"),
        written::<SiteGames>("site-games"),
        written::<report::standings::SiteStandings<'_>>("site-standings"),
        written::<Gradescope<'_>>("results-gradescope"),
        written::<PrairieLearn<'_>>("results-prairielearn"),
        written::<Classroom50>("results-classroom50"),
        written::<Autolab>("results-autolab"),
        written::<ReviewLine>("reviews-file"),
        read::<League>("league"),
        read::<exam::Course>("../courses/course"),
    ]
}
