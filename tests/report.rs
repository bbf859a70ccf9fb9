//! Reports on tournaments, and transcripts of games.

mod html;
mod site;
mod synthetic;
mod transcripts;
