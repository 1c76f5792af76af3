//! What works here, as text for a terminal: verbs first, then what to do, then all that was found out.

mod commands;
mod findings;
mod page;
mod verbs;
