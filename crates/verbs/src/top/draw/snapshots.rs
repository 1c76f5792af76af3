//! Screens of made-up intervals, as a user sees them.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use super::{Palette, draw};
use crate::top::model::{Action, State, made_up};
use locktoll_results::top::Interval;

fn drawn(state: &mut State, width: u16, height: u16, palette: Palette) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, state, &palette)).unwrap();
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let lines = buffer.content.chunks(width).map(|cells| {
        let mut line = String::new();
        let mut wide = 0;
        for cell in cells {
            // A character of double width covers the next cell.
            if wide == 0 {
                line.push_str(cell.symbol());
                wide = unicode_cells(cell.symbol());
            }
            wide -= 1;
        }
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn unicode_cells(symbol: &str) -> usize {
    ratatui::text::Span::raw(symbol).width().max(1)
}

fn screen(state: &mut State, width: u16, height: u16) -> String {
    text(&drawn(state, width, height, Palette::new(true)))
}

fn of(interval: Interval) -> State {
    let mut state = State::new(interval.chosen.as_ref().map(|chosen| chosen.pid));
    state.take(interval);
    state
}

#[test]
fn programs_in_three_sizes() {
    for (width, height) in [(80, 24), (120, 40), (40, 10)] {
        let mut state = of(made_up::machine());
        insta::assert_snapshot!(
            format!("programs_{width}x{height}"),
            screen(&mut state, width, height)
        );
    }
}

#[test]
fn locks_in_three_sizes() {
    for (width, height) in [(80, 24), (120, 40), (40, 10)] {
        let mut state = of(made_up::program());
        insta::assert_snapshot!(
            format!("locks_{width}x{height}"),
            screen(&mut state, width, height)
        );
    }
}

/// Returns a state with a history in which each interval waited less than the next one.
fn rising(interval: Interval) -> State {
    let mut state = State::new(interval.chosen.as_ref().map(|chosen| chosen.pid));
    for part in (0..5).rev() {
        let mut before = interval.clone();
        for program in &mut before.programs {
            program.wait_ns = program.wait_ns.map(|ns| ns >> part);
        }
        for lock in before.chosen.iter_mut().flat_map(|it| &mut it.locks) {
            let last = lock.last.iter_mut();
            last.for_each(|last| last.wait_ns >>= part);
        }
        state.take(before);
    }
    state
}

#[test]
fn where_there_is_room_the_last_intervals_are_bars() {
    for (name, interval) in [
        ("programs", made_up::machine()),
        ("locks", made_up::program()),
    ] {
        let mut state = rising(interval);
        insta::assert_snapshot!(
            format!("{name}_with_trends_140x24"),
            screen(&mut state, 140, 24)
        );
    }
}

#[test]
fn names_have_room_at_every_width() {
    for width in 40..200 {
        for (interval, name) in [
            (made_up::machine(), "job-server"),
            (made_up::program(), "job_queue_lock"),
        ] {
            let screen = screen(&mut of(interval), width, 30);
            assert!(screen.contains(name), "{width}: {screen}");
        }
    }
}

#[test]
fn a_lock_that_is_opened_has_the_small_screen_to_itself() {
    let mut state = of(made_up::program());
    state.act(Action::Open);
    insta::assert_snapshot!("opened_40x10", screen(&mut state, 40, 10));
}

#[test]
fn what_keys_have_set_is_seen() {
    let mut state = of(made_up::program());
    state.act(Action::Pause);
    state.act(Action::Period);
    state.act(Action::NextOrder);
    state.act(Action::Reverse);
    state.act(Action::Filter);
    for character in "cache\u{1b}".chars() {
        state.act(Action::Type(character));
    }
    let typing = screen(&mut state, 80, 24);
    assert!(typing.contains("PAUSED since start"), "{typing}");
    assert!(typing.contains(r"filter: cache\u{1b}"), "{typing}");
    state.act(Action::Erase);
    state.act(Action::Accept);
    let kept = screen(&mut state, 80, 24);
    assert!(
        kept.contains("[cache]") && kept.contains("waits/s▲"),
        "{kept}"
    );
}

#[test]
fn help_and_notices() {
    let mut state = of(made_up::program());
    state.say("saved: locktoll report top-4242.locktoll".to_owned(), false);
    let saved = screen(&mut state, 40, 10);
    assert!(saved.ends_with("top-4242.locktoll"), "{saved}");
    state.act(Action::Help);
    insta::assert_snapshot!("help_80x24", screen(&mut state, 80, 24));
}

#[test]
fn nothing_that_steers_a_terminal_gets_to_the_screen() {
    for interval in [made_up::machine(), made_up::program()] {
        let mut state = of(interval);
        state.say("\u{1b}[2J".escape_default().to_string(), true);
        let drawn = drawn(&mut state, 200, 50, Palette::new(true));
        for cell in &drawn.content {
            assert!(!cell.symbol().chars().any(char::is_control), "{cell:?}");
            assert!(!cell.symbol().contains('\u{202e}'), "{cell:?}");
        }
    }
}

#[test]
fn without_colours_the_same_is_said() {
    for interval in [made_up::machine(), made_up::program()] {
        let mut state = of(interval);
        let coloured = drawn(&mut state, 120, 40, Palette::new(true));
        let plain = drawn(&mut state, 120, 40, Palette::new(false));
        assert!(coloured.content.iter().any(|cell| cell.fg != Color::Reset));
        assert!(
            plain
                .content
                .iter()
                .all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset)
        );
        assert_eq!(text(&coloured), text(&plain));
        // A sign marks the cursor's row, too.
        let marked = |cell: &ratatui::buffer::Cell| cell.modifier.contains(Modifier::REVERSED);
        assert!(plain.content.iter().any(marked) && text(&plain).contains("\n> "));
    }
}

#[test]
fn any_size_can_be_drawn() {
    for interval in [made_up::machine(), made_up::program()] {
        for (width, height) in [(1, 1), (2, 3), (7, 2), (20, 5), (79, 18), (300, 4), (3, 60)] {
            for opened in [false, true] {
                let mut state = of(interval.clone());
                state.opened = opened;
                screen(&mut state, width, height);
            }
        }
    }
    screen(&mut State::new(None), 80, 24);
}

#[test]
fn a_deadlock_is_red_and_named_in_words() {
    let mut interval = made_up::program();
    let chosen = interval.chosen.as_mut().unwrap();
    chosen.deadlock = Some("Deadlock: 2 threads wait for each other in a cycle.".to_owned());
    let buffer = drawn(&mut of(interval), 100, 30, Palette::new(true));
    let shown = text(&buffer);
    let row = shown
        .lines()
        .position(|line| line.starts_with("Deadlock: 2 threads"));
    let cell = &buffer[(0, row.expect("it is shown") as u16)];
    assert_eq!(cell.fg, Color::Red);
    assert!(cell.modifier.contains(Modifier::BOLD));
}
