//! The built library under small programs: each behaves as it does bare, whichever candidate it runs on.

mod beginnings;
mod conditions;
mod conformance;
mod each;
mod lengthened;
mod mixed;
mod mutexes;
mod only;
mod reader_writers;
mod restartable;
mod slice_extension;
mod spins;
mod support;
mod surroundings;
