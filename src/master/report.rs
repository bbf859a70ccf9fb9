//! Report on a tournament: a site of static files. Also the pages of graded students. The site needs no server. Standings,
//! ratings and agents' pages are read without scripts; scripts show any game, and search and compare. Its only links to
//! other sites are the web pages that agents give in their titles.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `results` | what is computed from all games |
//! | `site`, `folder` | which files are written, in which order, and how a site is replaced and kept up to date |
//! | `page`, `names` | what pages share: their frame, numbers and text, names and links of agents and games |
//! | `index` | what is on the home page |
//! | `meetings` | what happened in the rounds of an elimination, and who scored against whom |
//! | `endings` | how games ended |
//! | `ratings`, `round_ratings`, `rounds` | how are agents rated, in this round and in earlier ones |
//! | `agent` | what is on an agent's page |
//! | `games_files`, `film` | how scripts get data, and how games are stored for their page, a few hundred in a file |
//! | `review` | how reviews of agents are shown |
//! | `standings`, `data` | how programs can read the results |
//! | `student` | what is on the pages of a class |

mod agent;
pub(crate) mod data;
mod endings;
mod film;
mod folder;
mod games_files;
mod index;
mod meetings;
mod names;
mod page;
mod ratings;
mod results;
mod review;
mod round_ratings;
mod rounds;
mod site;
pub(crate) mod standings;
mod student;

pub use self::review::Reviews;
pub use self::site::{Site, WrittenSite};
pub(crate) use self::student::{class_page, page_of_refused, student_page};

use crate::league::League;
use crate::tournament::bracket::Bracket;
use crate::tournament::schedule::TournamentRules;
use crate::tournament::store::{EarlierRound, Store, StoreError, StoredAgent, Summary};

/// Content of a report, apart from the turns of games.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Title of the site.
    pub name: String,
    /// Rules of the games.
    pub league: League,
    /// Rules of the pairings.
    pub rules: TournamentRules,
    /// All agents.
    pub agents: Vec<StoredAgent>,
    /// Round after which each agent was out, or `None` if it is still in.
    pub out: Vec<Option<u32>>,
    /// Games played so far, in the order of play.
    pub games: Vec<Summary>,
    /// Number of games still to be played, as far as known.
    pub missing: u64,
    /// Number of missing games in which the referee failed.
    pub failed: u64,
    /// Elimination rounds and winners.
    pub bracket: Option<Bracket>,
    /// Earlier rounds of the course that the store began with, oldest first.
    pub earlier: Vec<EarlierRound>,
}

impl Tournament {
    /// Reads a tournament from its store. Its name is the name of the store's file without the extension.
    pub fn of(store: &Store) -> Result<Tournament, StoreError> {
        // All failed games count as given up, which lists them apart from games that were never tried.
        let standing = store.schedule(&|_| true)?;
        Ok(Tournament {
            bracket: Bracket::of(store.rules(), &standing),
            name: store.path().file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            league: store.league().clone(),
            rules: *store.rules(),
            agents: store.agents()?,
            out: standing.out,
            games: standing.done,
            missing: (standing.missing.len() + standing.failed.len()) as u64,
            failed: standing.failed.len() as u64,
            earlier: store.earlier()?,
        })
    }
}
