//! Tests of reading the tables.

mod garbage;
mod oracle;
