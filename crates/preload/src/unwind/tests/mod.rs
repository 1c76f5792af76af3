//! Tests of reading the tables.

mod entries;
mod garbage;
mod index;
mod instructions;
mod machine;
mod oracle;
mod reading;
