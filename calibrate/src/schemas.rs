//! JSON Schemas of what `calibrate` prints and writes.
#![expect(dead_code, reason = "only the types are used")]

use kingline_players::schemas::{Named, written};
use schemars::JsonSchema;

use crate::learn::{census, chances, judge, round::History};
use crate::matches::{MatchHeader, MatchReport, runner::Row};
use crate::tables::build::BuildReport;
use crate::tune::{TuneReport, run::Batch, run::TuneHeader};

/// A line of the record of a match: of `calibrate match --record FILE`, and of match.jsonl of `calibrate tune`.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum MatchLine {
    Match(MatchHeader),
    Tune(TuneHeader<'static>),
    Game(Row),
}

/// A line of games.jsonl of `calibrate tune`.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum TuneLine {
    Header(TuneHeader<'static>),
    Batch(Batch),
}

/// Schemas of what `calibrate` prints and writes.
pub fn all() -> Vec<Named> {
    vec![
        written::<MatchReport>("match"),
        written::<MatchLine>("match-record"),
        written::<TuneReport>("tune"),
        written::<TuneLine>("tune-games"),
        written::<census::Report>("positions"),
        written::<chances::Report>("chances"),
        written::<judge::Report>("judge"),
        written::<BuildReport>("tables"),
        written::<History<'_>>("round"),
    ]
}
