//! A recorded program's locks on the screen, and the actions of keys.

use serde_json::Value;

use crate::bench::{Bench, lock};
use crate::program::{Running, is_privileged};
use crate::terminal::Terminal;

/// The screen of a program, with short intervals.
fn looking_at(bench: &Bench, pid: u32, columns: u16, lines: u16) -> Terminal {
    let mut command = bench.locktoll();
    command.args(["top", "--interval", "200ms", &pid.to_string()]);
    Terminal::start(&mut command, columns, lines)
}

/// Where the row of a lock is.
fn row(text: &str, lock: &str) -> Option<usize> {
    let is_row = |line: &&str| line.trim_start_matches(['>', ' ']).starts_with(lock);
    let rows = text.lines().collect::<Vec<_>>();
    let first = rows.iter().position(|line| line.contains("waiters"))?;
    let found = rows[first..].iter().position(is_row)?;
    Some(first + found)
}

/// Whether both rows are there, with figures, in this order.
fn in_order(text: &str, first: &str, second: &str) -> bool {
    let known = |at: usize| !text.lines().nth(at).unwrap().trim_end().contains(" - ");
    match (row(text, first), row(text, second)) {
        (Some(a), Some(b)) => a < b && known(a) && known(b),
        _ => false,
    }
}

#[test]
fn locks_by_waiting_with_where_they_are_waited_for_and_keys_that_act() {
    let bench = Bench::new();
    let running = Running::recorded(&bench);
    let mut terminal = looking_at(&bench, running.pid, 100, 40);
    let text = terminal.until("locks by waiting", |text| {
        in_order(text, "quick_lock", "slow_lock") && text.contains("quick_worker (uneven_locks.c")
    });
    assert!(
        text.contains("(recorder)") && text.contains("waits by length"),
        "{text}"
    );
    assert!(text.contains("begin (event)"), "{text}");

    // By waits, and by their mean length: slow_lock's are longer.
    terminal.press("oo");
    terminal.until("locks by length of waits", |text| {
        text.contains("mean wait▼") && in_order(text, "slow_lock", "quick_lock")
    });
    terminal.press("r");
    terminal.until("the order turned round", |text| {
        text.contains("mean wait▲") && in_order(text, "quick_lock", "slow_lock")
    });
    terminal.press("/SLOW");
    terminal.until("a filter", |text| {
        text.contains("filter: SLOW_") && row(text, "quick_lock").is_none()
    });
    terminal.press("\r");
    terminal.until("the kept filter", |text| {
        text.contains("[SLOW]") && text.contains("slow_worker (uneven_locks.c")
    });
    terminal.press("\x1b");
    terminal.until("all locks again", |text| row(text, "quick_lock").is_some());

    terminal.press("p");
    let still = terminal.until("a stopped screen", |text| text.contains("PAUSED"));
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert_eq!(terminal.text(), still);
    terminal.press("p");
    terminal.until("a screen that goes on", |text| {
        !text.contains("PAUSED") && text != still
    });

    terminal.press("t");
    terminal.until("all the time", |text| text.contains("since start"));
    terminal.press("?");
    terminal.until("help", |text| text.contains("Any key goes back"));
    terminal.press("x");
    terminal.until("locks again", |text| row(text, "quick_lock").is_some());

    terminal.press("q");
    assert!(terminal.end().success());
    terminal.until_so("given back", Terminal::is_as_before);
}

#[test]
fn what_is_saved_is_a_recording_also_of_a_program_that_has_ended() {
    let bench = Bench::new();
    let mut running = Running::recorded(&bench);
    let pid = running.pid;
    let mut terminal = looking_at(&bench, pid, 100, 30);
    terminal.until("locks", |text| in_order(text, "quick_lock", "slow_lock"));
    terminal.press("s");
    let name = format!("top-{pid}.locktoll");
    terminal.until("what was saved", |text| {
        text.contains(&format!("saved: locktoll report ./{name}"))
    });
    running.end();
    terminal.until("the end", |text| text.contains("HAS ENDED"));
    terminal.press("s");
    terminal.until("what was saved", |text| {
        text.contains(&format!("top-{pid}-2.locktoll"))
    });
    terminal.press("q");
    assert!(terminal.end().success());

    let waits = |recording: &str| {
        lock(&bench.profile(recording), "quick_lock")["contended"]
            .as_u64()
            .unwrap()
    };
    let (first, second) = (waits(&name), waits(&format!("top-{pid}-2.locktoll")));
    assert!(0 < first && first <= second, "{first} {second}");
    says_where_it_was_made(&bench.profile(&name));
    assert_eq!(
        second,
        waits("out.locktoll"),
        "the whole recording says the same"
    );
}

#[test]
fn among_all_programs_the_one_that_waits_is_first_and_opens() {
    let bench = Bench::new();
    let running = Running::recorded(&bench);
    let mut command = bench.locktoll();
    command.args(["top", "--interval", "300ms"]);
    let mut terminal = Terminal::start(&mut command, 120, 30);
    let pid = running.pid.to_string();
    // Other tests may have programs of the same name wait at the same time.
    terminal.until("programs", |text| {
        text.contains("uneven_locks") && text.contains("recorder")
    });
    terminal.press("/");
    terminal.press(&pid);
    terminal.press("\r");
    terminal.until("the program alone", |text| {
        text.contains(&format!(">  {pid:>6}  uneven_locks")) && !text.contains("systemd")
    });
    terminal.press("\r");
    terminal.until("its locks", |text| {
        in_order(text, "quick_lock", "slow_lock")
    });
    terminal.press("\x1b");
    terminal.until("all programs", |text| {
        text.contains("all programs") && text.contains("uneven_locks")
    });
    terminal.press("\x03");
    assert!(terminal.end().success());
}

#[test]
fn what_the_kernel_saw_is_saved_as_a_profile() {
    if !is_privileged() {
        locktoll_needs::refused("no programs can be loaded into the kernel");
        return;
    }
    let bench = Bench::new();
    let running = Running::alone(&bench);
    let mut terminal = looking_at(&bench, running.pid, 120, 40);
    let text = terminal.until("locks", |text| {
        in_order(text, "quick_lock", "slow_lock") && text.contains("woken from")
    });
    assert!(text.contains("(kernel)"), "{text}");
    terminal.press("s");
    let name = format!("top-{}.json", running.pid);
    terminal.until("what was saved", |text| text.contains(&name));
    terminal.press("q");
    assert!(terminal.end().success());
    let profile = bench.profile(&name);
    assert_eq!(profile["source"], "attach");
    says_where_it_was_made(&profile);
    assert!(lock(&profile, "quick_lock")["contended"].as_u64() > Some(0));
}

/// As every other result does: `compare` warns by it when two come from different machines.
fn says_where_it_was_made(profile: &Value) {
    let made = &profile["made"];
    for field in ["date", "host", "locktoll"] {
        assert!(made[field].is_string(), "{field}: {made}");
    }
    assert!(made["machine"]["usable_cpus"].as_u64() > Some(0), "{made}");
}

#[test]
fn a_screen_that_grows_shows_more() {
    let bench = Bench::new();
    let running = Running::recorded(&bench);
    let mut terminal = looking_at(&bench, running.pid, 40, 10);
    let small = terminal.until("locks", |text| in_order(text, "quick_lock", "slow_lock"));
    assert!(
        !small.contains("acquired/s") && !small.contains("waits by length"),
        "{small}"
    );
    terminal.resize(120, 40);
    terminal.until("more", |text| {
        text.contains("acquired/s") && text.contains("waits by length")
    });
    terminal.resize(40, 10);
    terminal.until("less", |text| {
        !text.contains("acquired/s") && row(text, "quick_lock").is_some()
    });
    terminal.press("q");
    assert!(terminal.end().success());
}
