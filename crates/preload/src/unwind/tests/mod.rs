//! The reading of tables.

mod garbage;
mod oracle;
