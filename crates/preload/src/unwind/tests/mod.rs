//! Tests of reading the tables, and of reading a stack.

mod entries;
mod garbage;
mod index;
mod instructions;
mod machine;
mod oracle;
mod reading;
mod stack;
