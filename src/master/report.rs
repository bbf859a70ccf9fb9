//! Report on a tournament: a site of static files. Also the pages of graded students. It needs no server and can be read without scripts. Its only links
//! to other sites are the web pages that agents give in their titles.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `content`, `results` | what is shown, and what is computed from it |
//! | `site`, `folder` | which pages are written, and how a site is replaced as a whole |
//! | `page`, `text`, `names` | what pages share: their frame, numbers and text, names and links of agents and games |
//! | `index` | what is on the home page |
//! | `bracket` | what happened in the rounds of an elimination, and who won |
//! | `cross`, `endings`, `statistics` | who scored against whom, how games ended, what was counted |
//! | `plot`, `chart` | how ratings and times are drawn |
//! | `round_ratings`, `rounds` | how were the agents rated in earlier rounds, and how is that shown? |
//! | `agent` | what is on an agent's page |
//! | `game`, `film` | what is on a game's page: its boards and moves |
//! | `review` | how reviews of games and agents are shown |
//! | `class_page` | what may everyone see of a class? |
//! | `student` | what is on the page of a student who was graded |
//! | `student_review` | what a student reads about a lost game |
//! | `data` | how programs can read the results |

mod agent;
mod bracket;
mod chart;
mod class_page;
mod content;
mod cross;
mod data;
mod endings;
mod film;
mod folder;
mod game;
mod index;
mod names;
mod page;
mod plot;
mod results;
mod review;
mod round_ratings;
mod rounds;
mod site;
mod statistics;
mod student;
mod student_review;
mod text;

pub use self::class_page::class_page;
pub use self::content::Tournament;
pub use self::review::Reviews;
pub use self::site::{WrittenSite, write};
pub use self::student::{page_of_refused, student_page};
