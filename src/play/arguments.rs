//! Arguments of the players and of `test-loa`, shared by their programs and the manual.

mod homework;
mod hub;
mod loa;
mod loa6;
mod reference;
#[cfg(unix)]
mod test_loa;
mod threads;

pub use homework::HomeworkArguments;
pub use hub::HubArguments;
pub use loa::LoaArguments;
pub use loa6::Loa6Arguments;
pub use reference::ReferenceArguments;
#[cfg(unix)]
pub use test_loa::TestLoaArguments;
pub use threads::MOST_THREADS;
