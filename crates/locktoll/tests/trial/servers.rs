//! Servers with a load.

use std::net::TcpListener;

use crate::bench::{Bench, text};
use crate::tried::{LOCK, document, output, row, running};

/// A server's command and its load.
struct Served {
    program: String,
    file: String,
    load: String,
}

fn served(bench: &Bench) -> Served {
    let program = bench.c("tried_server", &[]).to_str().unwrap().to_owned();
    let file = bench.path("port").to_str().unwrap().to_owned();
    let load = format!("{program} ask {file} 30");
    Served {
        program,
        file,
        load,
    }
}

impl Served {
    fn command<'a>(&'a self, how: &'a [&'a str]) -> Vec<&'a str> {
        let mut words = vec![&*self.program, "serve", &self.file];
        words.extend(how);
        words
    }
}

#[test]
fn a_server_is_started_awaited_driven_and_stopped() {
    let bench = Bench::new();
    let served = served(&bench);
    for (how, ready) in [("well", &[][..]), ("by-signal", &["--ready", "^ready$"])] {
        let mut options = vec!["--load", &*served.load];
        options.extend(ready);
        let (document, said) = document(&bench, &options, &served.command(&[how]), 0);
        assert_eq!(document["load"][0], served.load, "{said}");
        for lock in ["bare", "pass-through", LOCK] {
            let row = row(&document, lock);
            assert!(row["dropped"].is_null(), "{row}");
            assert!(row["metric"]["median"].as_f64() > Some(0.0), "{row}");
        }
        assert_eq!(running(&served.file), Vec::<String>::new());
    }
}

#[test]
fn the_loads_output_has_the_metric() {
    let bench = Bench::new();
    let served = served(&bench);
    let options = ["--load", &served.load, "--metric", r"asked (\d+)"];
    let (document, _) = document(&bench, &options, &served.command(&["well"]), 0);
    assert_eq!(row(&document, LOCK)["metric"]["median"], 30.0);
}

#[test]
fn a_server_that_dies_on_a_lock_is_told_by_its_signal() {
    let bench = Bench::new();
    let served = served(&bench);
    let options = ["--load", &*served.load];
    let (document, _) = document(&bench, &options, &served.command(&["on", LOCK]), 0);
    let dropped = &row(&document, LOCK)["dropped"];
    assert_eq!(dropped["why"], "signal", "{document:#}");
    assert_eq!(dropped["name"], "SIGABRT");
    assert!(row(&document, "pass-through")["dropped"].is_null());
    assert_eq!(running(&served.file), Vec::<String>::new());
}

#[test]
fn a_load_that_fails_is_told_with_what_it_said() {
    let bench = Bench::new();
    let served = served(&bench);
    let options = ["--load", "echo no such key >&2; exit 4"];
    let out = output(&bench, &options, &served.command(&["well"]));
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(
        said.contains("the load ended with exit code 4: no such key"),
        "{said}"
    );
    assert_eq!(running(&served.file), Vec::<String>::new());
}

#[test]
fn a_server_that_is_never_ready_is_given_up() {
    let bench = Bench::new();
    let served = served(&bench);
    for (ready, expected) in [
        (
            &["--ready", "never said"][..],
            "nothing that it wrote matched 'never said'",
        ),
        (&["--ready", "1"], "a connection to port 1 was not accepted"),
    ] {
        let mut options = vec!["--load", &*served.load, "--timeout", "1s"];
        options.extend(ready);
        let out = output(&bench, &options, &served.command(&["well"]));
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{said}");
        assert!(said.contains(expected), "{said}");
        assert_eq!(running(&served.file), Vec::<String>::new());
    }
}

#[test]
fn a_port_that_somebody_else_has_is_refused_before_anything_starts() {
    let bench = Bench::new();
    let served = served(&bench);
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port().to_string();
    let options = ["--load", &*served.load, "--ready", &port];
    let out = output(&bench, &options, &served.command(&["well"]));
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains(&format!("port {port} is in use")), "{said}");
    assert!(!bench.path("port").exists());
}
