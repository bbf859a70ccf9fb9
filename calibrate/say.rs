//! How does the offline side print?

pub(crate) use kingline::terminal::{is_broken_pipe as is_unread, stderr_line as complain, stdout_line as say};
