//! locktoll: how much locks and context switches cost on this machine and in your program, why,
//! and what would make them cheaper.
//!
//! This crate is the program's last one, and small: it knows the commit that it was built from and carries the two libraries that are
//! put under other programs. A change of either builds nothing else anew.

mod carried;
mod exit;

fn main() -> std::process::ExitCode {
    locktoll_terminal::version::stamp(env!("LOCKTOLL_VERSION"));
    carried::hand_over();
    let start = locktoll_verbs::command_line::parse(std::env::args_os());
    exit::finish(start.and_then(locktoll_verbs::command_line::run))
}
