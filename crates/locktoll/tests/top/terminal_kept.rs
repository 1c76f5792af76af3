//! However `top` ends or stops, the terminal is as before.

use crate::bench::Bench;
use crate::terminal::Terminal;

fn of_the_machine(bench: &Bench) -> Terminal {
    let mut command = bench.locktoll();
    command.args(["top", "--interval", "200ms"]);
    let terminal = Terminal::start(&mut command, 80, 24);
    terminal.until("programs", |text| text.contains("waiters"));
    assert!(terminal.is_taken() && !terminal.is_as_before());
    terminal
}

#[test]
fn signals_that_end_it_give_the_terminal_back() {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        let bench = Bench::new();
        let mut terminal = of_the_machine(&bench);
        terminal.send(signal);
        assert!(terminal.end().success(), "signal {signal}");
        terminal.until_so("given back", Terminal::is_as_before);
    }
}

#[test]
fn while_it_is_stopped_the_terminal_is_the_shells() {
    let bench = Bench::new();
    let mut terminal = of_the_machine(&bench);
    for by_key in [true, false] {
        match by_key {
            true => terminal.press("\x1a"),
            false => terminal.send(libc::SIGTSTP),
        }
        terminal.until_so("stopped", Terminal::is_stopped);
        terminal.until_so("given back", Terminal::is_as_before);
        terminal.send(libc::SIGCONT);
        terminal.until_so("taken again", Terminal::is_taken);
        terminal.until("programs", |text| text.contains("waiters"));
    }
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.until_so("given back", Terminal::is_as_before);
}

#[test]
fn one_that_was_stopped_without_being_asked_takes_the_terminal_again() {
    let bench = Bench::new();
    let mut terminal = of_the_machine(&bench);
    terminal.send(libc::SIGSTOP);
    terminal.until_so("stopped", Terminal::is_stopped);
    // As a shell does that wants its own terminal.
    terminal.restore_settings();
    terminal.send(libc::SIGCONT);
    terminal.until_so("raw again", |it| !it.is_as_before() && it.is_raw());
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn so_many_intervals_and_it_ends_by_itself() {
    let bench = Bench::new();
    let mut command = bench.locktoll();
    command.args(["top", "--interval", "100ms", "--count", "2"]);
    let mut terminal = Terminal::start(&mut command, 80, 24);
    assert!(terminal.end().success());
    terminal.until_so("given back", Terminal::is_as_before);
}

#[test]
fn without_colours_none_are_sent() {
    let bench = Bench::new();
    let mut command = bench.locktoll();
    command.args(["top", "--interval", "200ms"]);
    let mut terminal = Terminal::start_without_colours(&mut command, 80, 24);
    terminal.until("programs", |text| text.contains("waiters"));
    assert!(!terminal.has_colours(), "{}", terminal.text());
    terminal.press("q");
    terminal.end();
    let mut coloured = of_the_machine(&bench);
    coloured.until_so("coloured", Terminal::has_colours);
    coloured.press("q");
    coloured.end();
}
