//! What works on this machine, as text for a terminal: first the verbs, then the commands, then all findings.

mod commands;
mod findings;
mod page;
mod verbs;
