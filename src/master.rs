//! Who plays best? The master runs untrusted agents against each other, judges every move, grades, and holds
//! tournaments.
//!
//! Sections (§) are those of the contract that the README sums up.
//!
//! | file | question it answers |
//! | --- | --- |
//! | [`league`] | by which rules, clocks and customs a game is played |
//! | [`clock_rules`] | how an agent's time is measured, and how much of it there is |
//! | [`agent_limits`] | what an agent may use besides time |
//! | [`record`] | what is known of a game when it is over |
//! | [`referee`] | one game, from the start to the verdict |
//! | [`archive`] | what was handed in as an archive |
//! | [`agent`] | who plays |
//! | [`sandbox`] | how untrusted programs are run |
//! | [`doctor`] | how well that works on this machine |
//! | [`players`] | how an agent is asked for its moves |
//! | [`schedule`] | who plays whom |
//! | [`store`] | what a tournament keeps |
//! | [`stop`] | how everything ends early |
//! | [`tournament`] | how its games get played |
//! | [`arena`] | where they are played |
//! | `threads` | how work is spread over threads |
//! | [`standings`] | who is ahead |
//! | [`bracket`] | who met whom in an elimination, and who won it |
//! | [`verify`] | whether a store is what its games say |
//! | [`check`] | whether an agent keeps to its protocol |
//! | [`grade`] | the hundred points |
//! | [`command`] | what the program's commands do |
//! | [`rating`] | how strong agents are by their games, and how sure that is |
//! | [`report`] | a site that shows a tournament |
//! | `micros` | how durations are written as JSON |
//! | `written` | a move as agents write it |
//! | [`audit`] | whether a record is borne out by its own moves |
//! | `replay`, [`transcript`] | the positions of recorded games, and the games as PDN or SGF |

pub mod agent;
pub mod agent_limits;
pub mod archive;
pub mod arena;
pub mod audit;
pub mod bracket;
pub mod check;
pub mod clock_rules;
pub mod command;
pub mod doctor;
pub mod grade;
pub mod league;
mod micros;
pub mod players;
pub mod rating;
pub mod record;
pub mod referee;
mod replay;
pub mod report;
pub mod sandbox;
pub mod schedule;
pub mod standings;
pub mod stop;
pub mod store;
mod threads;
pub mod tournament;
pub mod transcript;
pub mod verify;
mod written;
