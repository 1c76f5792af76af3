//! The locks on which a program runs, and the objects that must have been replaced.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError, RwLock};
use std::time::Instant;

use locktoll_substitute::candidate::{ALL, Algorithm, defaults, parse};
use locktoll_substitute::tally::{BYTES, OBJECTS};
use tempfile::TempDir;

use super::library::LIBRARY;

/// The locks of one run.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// A candidate's name; none is bare.
    candidate: Option<String>,
}

impl Contestant {
    /// For messages.
    pub fn name(&self) -> &str {
        self.candidate.as_deref().unwrap_or("bare")
    }

    fn is_pure_spinner(&self) -> bool {
        self.candidate.as_deref().is_some_and(|name| {
            let algorithm = parse(name.as_bytes()).expect("a candidate").algorithm;
            let mut all = ALL.iter().filter(|it| it.algorithm == algorithm);
            all.any(|it| it.is_pure_spinner)
        })
    }
}

/// Bare, then every candidate that is tried by default, then every other by its name alone.
fn all() -> Vec<Contestant> {
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let mut names: Vec<String> = defaults(cpus as u32).map(|it| it.to_string()).collect();
    let tried: Vec<Algorithm> = defaults(cpus as u32).map(|it| it.algorithm).collect();
    let others = ALL.iter().filter(|it| !tried.contains(&it.algorithm));
    names.extend(others.map(|it| it.name.to_owned()));
    let bare = Contestant { candidate: None };
    let candidates = names.into_iter().map(|name| Contestant {
        candidate: Some(name),
    });
    std::iter::once(bare).chain(candidates).collect()
}

/// One run of a program on the locks of one contestant, in a folder of its own.
pub struct Run {
    contestant: Contestant,
    folder: TempDir,
}

impl Run {
    /// Whether its waiters do nothing but spin.
    pub fn is_pure_spinner(&self) -> bool {
        self.contestant.is_pure_spinner()
    }

    /// A file in the run's folder.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program, in the run's folder and on its locks.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(self.folder.path());
        if let Some(candidate) = &self.contestant.candidate {
            command
                .env("LD_PRELOAD", &*LIBRARY)
                .env("LOCKTOLL_LOCK", candidate)
                .env("LOCKTOLL_TALLY", self.path("tally"));
        }
        command
    }

    /// What the library says that it did: it was there, it did as it was told, and it replaced something.
    fn tally(&self) -> Result<String, String> {
        let Some(candidate) = &self.contestant.candidate else {
            return Ok(String::new());
        };
        let bytes = std::fs::read(self.path("tally")).map_err(|error| error.to_string())?;
        let words = bytes.chunks_exact(8);
        let words: Vec<u64> = words
            .map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes")))
            .collect();
        let (processes, failures, replaced) = (words[0], words[1], &words[2..2 + OBJECTS]);
        let all: u64 = replaced.iter().sum();
        let passes_all = candidate == "pass-through";
        match () {
            () if processes == 0 => Err("no process ran under the library".to_owned()),
            () if failures > 0 => Err(format!("the library failed in {failures} processes")),
            () if passes_all && all > 0 => Err(format!("{all} objects were replaced by nothing")),
            () if !passes_all && replaced[0] == 0 => Err("no mutex was replaced".to_owned()),
            () => Ok(format!(
                "{processes} processes, replaced {replaced:?} (mutexes, conditions, reader-writer, spin)"
            )),
        }
    }
}

/// One program of spinners at a time, and no other program of these tests meanwhile: where two have few processors, each waits
/// for threads that the other keeps from running.
static SPINNERS_ALONE: RwLock<()> = RwLock::new(());

/// How many runs of one program go on at once: they wait for servers to start and to end.
const AT_ONCE: usize = 2;

/// Runs a program once on every contestant's locks; `body` says what was wrong with a run.
///
/// Which candidates run can be narrowed down by `LOCKTOLL_LOCKS=a,b`.
pub fn on_every_lock(program: &str, body: impl Fn(&Run) -> Result<(), String> + Sync) {
    let chosen = std::env::var("LOCKTOLL_LOCKS").ok();
    let is_chosen = |it: &Contestant| {
        let names = chosen.as_deref();
        names.is_none_or(|names| names.split(',').any(|name| name == it.name()))
    };
    LazyLock::force(&LIBRARY);
    let chosen = all().into_iter().filter(is_chosen);
    let (spinners, others): (Vec<_>, Vec<_>) = chosen.partition(Contestant::is_pure_spinner);
    let mut wrong = Vec::new();
    for contestant in spinners {
        let _alone = SPINNERS_ALONE
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        wrong.extend(on_one_lock(program, contestant, &body).err());
    }
    let others = Mutex::new(others.into_iter());
    let next = || others.lock().unwrap_or_else(PoisonError::into_inner).next();
    let runs = || {
        let each = std::iter::from_fn(next).filter_map(|contestant| {
            let _not_beside_spinners = SPINNERS_ALONE
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            on_one_lock(program, contestant, &body).err()
        });
        each.collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(runs)).collect();
        for thread in threads {
            wrong.extend(thread.join().expect("a run's own panic is printed above"));
        }
    });
    assert!(wrong.is_empty(), "{program}:\n{}", wrong.join("\n"));
}

/// Runs a program once, and says how long it took or what was wrong.
fn on_one_lock(
    program: &str,
    contestant: Contestant,
    body: &impl Fn(&Run) -> Result<(), String>,
) -> Result<(), String> {
    let folder = tempfile::Builder::new()
        .prefix("real-")
        .tempdir()
        .expect("a folder");
    let run = Run { contestant, folder };
    std::fs::write(run.path("tally"), [0; BYTES]).expect("a file to count in");
    let begun = Instant::now();
    let outcome = body(&run).and_then(|()| run.tally());
    let took = begun.elapsed().as_millis();
    let name = run.contestant.name();
    match outcome {
        Ok(said) => {
            println!("{program:10} {name:22} {took:6} ms  {said}");
            Ok(())
        }
        Err(error) => {
            println!("{program:10} {name:22} {took:6} ms  WRONG: {error}");
            Err(format!("{name}: {error}"))
        }
    }
}
