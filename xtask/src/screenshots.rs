//! Pictures of the report page for the documentation, light and dark, of real results of this machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::build;
use crate::chromium::browser::Browser;

/// One picture in two colours: `docs/NAME-light.png` and `docs/NAME-dark.png`.
struct Shot {
    name: &'static str,
    /// The commands that make the page, in a folder of their own; each begins with a program. `locktoll` is the one that
    /// was built, `{programs}` the folder of the test programs, and the last command writes `page.html`.
    commands: &'static [&'static str],
    /// What is clicked on, in order.
    clicks: &'static [&'static str],
    /// The element from whose top the picture goes on; the top of the page without one.
    from: Option<&'static str>,
    /// Pixels.
    height: u32,
}

/// A small server with a journal, an index, a queue and a configuration behind locks of their own.
const JOB_SERVER: &[&str] = &[
    "c++ -std=c++20 -g -O1 -pthread -o job_server {programs}/job_server.cpp",
    "locktoll record --quiet -o out.locktoll -- ./job_server",
    "locktoll report out.locktoll -o page.html",
];
/// The same, with its waits by time.
const JOB_SERVER_BY_TIME: &[&str] = &[
    "c++ -std=c++20 -g -O1 -pthread -o job_server {programs}/job_server.cpp",
    "locktoll record --quiet --timeline -o out.locktoll -- ./job_server",
    "locktoll report out.locktoll -o page.html",
];
/// One press on the timeline's button.
const NEARER: &str = ".timeline button[aria-label='Zoom in']";

/// Eight threads write into a database, and then read while one of them writes (Debian: rocksdb-tools).
const ROCKSDB: &[&str] = &[
    "locktoll record --quiet -o out.locktoll -- db_bench --db=db --benchmarks=fillrandom,readwhilewriting --threads=8 --num=100000",
    "locktoll report out.locktoll -o page.html",
];

/// Two threads that wait for each other at barriers.
const BARRIERS: &[&str] = &[
    "cc -O2 -g -fopenmp -o barrier {programs}/../busy_waiting/barrier.c",
    "locktoll record --quiet -o out.locktoll -- env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=active ./barrier 600",
    "locktoll report out.locktoll -o page.html",
];

/// Locks of each kind, from one thread to more than there are CPUs.
const BENCH: &str = "locktoll bench --lock pthread,std,parking_lot,tollgate,ttas-backoff,ticket,mcs-park,sysv-sem --workload list \
    --threads 1..16x2 -o page.html";

const SHOTS: &[Shot] = &[
    Shot {
        name: "bench",
        commands: &[BENCH],
        clicks: &[],
        from: None,
        height: 1000,
    },
    Shot {
        name: "bench-detail",
        commands: &[BENCH],
        clicks: &[],
        from: Some(".columns.two"),
        height: 1150,
    },
    Shot {
        name: "machine",
        commands: &["locktoll machine -o page.html"],
        clicks: &[],
        from: None,
        height: 1650,
    },
    Shot {
        name: "reproduce",
        commands: &["locktoll reproduce A1 A5 B1 B5 -o page.html"],
        clicks: &[".tile"],
        from: None,
        height: 1300,
    },
    Shot {
        name: "tour",
        commands: &["locktoll tour -o page.html"],
        clicks: &[],
        from: None,
        height: 1400,
    },
    Shot {
        name: "profile",
        commands: JOB_SERVER,
        clicks: &[],
        from: None,
        height: 1500,
    },
    Shot {
        name: "profile-lock",
        commands: JOB_SERVER,
        clicks: &[],
        // The page opens the lock that was waited for most.
        from: Some("table[aria-label=Locks]"),
        height: 1100,
    },
    Shot {
        name: "timeline",
        commands: JOB_SERVER_BY_TIME,
        clicks: &[NEARER; 3],
        from: Some(".timeline"),
        height: 460,
    },
    Shot {
        name: "spinning",
        commands: BARRIERS,
        clicks: &[],
        from: Some("table[aria-label='Busy waiting']"),
        height: 140,
    },
    Shot {
        name: "profile-flame",
        commands: ROCKSDB,
        clicks: &[],
        from: Some(".flame"),
        height: 460,
    },
];

/// Makes them all, or those named. `LOCKTOLL` in the environment is the program to use instead of a fresh build.
pub fn run(names: &[&str]) -> anyhow::Result<()> {
    let locktoll = match std::env::var_os("LOCKTOLL") {
        Some(program) => PathBuf::from(program),
        None => build::locktoll()?,
    };
    let docs = build::top().join("docs");
    std::fs::create_dir_all(&docs)?;
    let mut browser = Browser::start().context("pictures need Chromium")?;
    // Shots of one page share it.
    let mut made: Vec<(&[&str], tempfile::TempDir)> = Vec::new();
    for shot in SHOTS {
        if !names.is_empty() && !names.contains(&shot.name) {
            continue;
        }
        if !made.iter().any(|(commands, _)| *commands == shot.commands) {
            let folder = tempfile::tempdir()?;
            make(shot, &locktoll, folder.path())?;
            made.push((shot.commands, folder));
        }
        let found = made.iter().find(|(commands, _)| *commands == shot.commands);
        let page = found.expect("it was made").1.path().join("page.html");
        let mut tab = browser.open_file(&page);
        tab.wait(
            "[...document.querySelectorAll('.timeline')].every(it => it.dataset.state === 'read')",
        );
        for click in shot.clicks {
            tab.click(click);
        }
        for (dark, colours) in [(false, "light"), (true, "dark")] {
            tab.dark(dark);
            let file = docs.join(format!("{}-{colours}.png", shot.name));
            std::fs::write(&file, tab.picture_from(shot.from, shot.height))?;
            println!("{}", file.display());
        }
        let complaints = tab.complaints();
        ensure!(
            complaints.is_empty(),
            "the browser complains: {complaints:?}"
        );
    }
    Ok(())
}

fn make(shot: &Shot, locktoll: &Path, folder: &Path) -> anyhow::Result<()> {
    let programs = build::top().join("tests/programs");
    for command in shot.commands {
        let command = command.replace("{programs}", &programs.to_string_lossy());
        let mut words = command.split_whitespace();
        let program = match words.next() {
            Some("locktoll") => locktoll.as_os_str(),
            other => other.context("an empty command")?.as_ref(),
        };
        let output = Command::new(program)
            .args(words)
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot start {command}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "{command}: {}: {said}",
            output.status
        );
    }
    Ok(())
}
