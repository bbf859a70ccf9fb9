//! Report on a tournament: a site of static files. Also the pages of graded students. The site needs no server. Standings,
//! ratings and agents' pages are read without scripts; scripts show any game, and search and compare. Its only links to
//! other sites are the web pages that agents give in their titles.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `content`, `results` | what is shown, and what is computed from it |
//! | `site`, `pages`, `folder` | which files are written, in which order, and how a site is replaced and kept up to date |
//! | `page`, `text`, `names` | what pages share: their frame, numbers and text, names and links of agents and games |
//! | `index` | what is on the home page |
//! | `bracket` | what happened in the rounds of an elimination, and who won |
//! | `cross`, `endings`, `statistics` | who scored against whom, how games ended, what was counted |
//! | `ratings`, `plot` | how ratings are shown and drawn |
//! | `round_ratings`, `rounds` | how were the agents rated in earlier rounds, and how is that shown? |
//! | `agent`, `agent_results` | what is on an agent's page |
//! | `scripted` | what is on the pages that scripts fill |
//! | `games_files` | how scripts get data, and how games are stored for their page, a few hundred in a file |
//! | `film` | boards and moves of a game |
//! | `review` | how reviews of agents are shown |
//! | `data`, `games_data` | how programs can read the results |
//! | `class_page` | what may everyone see of a class? |
//! | `student` | what is on the page of a student who was graded |
//! | `student_review` | what a student reads about a lost game |
//! | `site.js` | sorts, filters and pages tables |
//! | `records.js` | loads games |
//! | `game.js`, `games.js`, `pair.js`, `cross.js` | fill their pages |

mod agent;
mod agent_results;
mod bracket;
mod class_page;
mod content;
mod cross;
mod data;
mod endings;
mod film;
mod folder;
mod games_data;
mod games_files;
mod index;
mod names;
mod page;
mod pages;
mod plot;
mod ratings;
mod results;
mod review;
mod round_ratings;
mod rounds;
mod scripted;
mod site;
mod standings;
mod statistics;
mod student;
mod student_review;
mod text;

pub use self::class_page::class_page;
pub use self::content::Tournament;
pub use self::review::Reviews;
pub use self::site::{Site, WrittenSite, write};
pub use self::student::{page_of_refused, student_page};
