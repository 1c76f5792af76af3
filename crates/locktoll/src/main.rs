//! locktoll measures how much locks and context switches cost, on this machine and in your programs.
//!
//! This is the last crate, and a small one: it knows the commit that it was built from, and it contains the two libraries that
//! are loaded into other programs. A change of either rebuilds nothing else.

mod carried;
mod exit;

fn main() -> std::process::ExitCode {
    locktoll_terminal::version::stamp(env!("LOCKTOLL_VERSION"));
    carried::hand_over();
    let start = locktoll_verbs::command_line::parse(std::env::args_os());
    exit::finish(start.and_then(locktoll_verbs::command_line::run))
}
