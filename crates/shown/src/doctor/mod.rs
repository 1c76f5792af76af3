//! What works here, as text for a terminal: verbs first, then commands, then all findings.

mod commands;
mod findings;
mod page;
mod verbs;
