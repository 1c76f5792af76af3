//! The notes of one run of `cargo test`: a file in the target folder to which each skipped test appends a line.
//!
//! libtest shows no output of a test that passes, and every test program is a process of its own; so the notes wait in a file
//! for the program that prints them. The file is named by the process that started the test programs (cargo) and its start
//! time: two runs at once, and files that an earlier run left, are told apart.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A test that was skipped, or that had less to do than it can.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The test program, as cargo names the target.
    pub program: String,
    /// The test's name, as libtest has it. [`ANY_TEST`] where the test program does not tell.
    pub test: String,
    /// What is missing, or who refuses what: one line.
    pub reason: String,
}

/// Stands for the name of a test that cannot be known.
pub const ANY_TEST: &str = "one of several tests";

/// The reason of a test that ran in its short variant. Nothing was missing.
const SHORT: &str = "short variant";

impl Note {
    /// For the calling test, which has a long variant that was not asked for.
    pub(crate) fn short() -> Self {
        Self::of_this_test(SHORT)
    }

    /// The program and the test, which tell tests apart.
    pub(crate) fn names(&self) -> (&str, &str) {
        (&self.program, &self.test)
    }

    /// Whether the test has run, in its short variant.
    pub fn is_short(&self) -> bool {
        self.reason == SHORT
    }

    /// For the test that runs on the calling thread, which libtest names by the test.
    pub(crate) fn of_this_test(reason: &str) -> Self {
        let program = std::env::current_exe().ok();
        let program = program.as_deref().and_then(Path::file_stem);
        let program = program.map_or("unknown", |name| name.to_str().unwrap_or("unknown"));
        Self {
            // Cargo appends a hash of what the program was built from.
            program: program
                .rsplit_once('-')
                .map_or(program, |(name, _)| name)
                .to_owned(),
            test: match std::thread::current().name() {
                // With --test-threads=1 tests run on the main thread.
                None | Some("main") => ANY_TEST.to_owned(),
                Some(name) => name.to_owned(),
            },
            reason: reason.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    fn to_line(&self) -> String {
        format!("{}\t{}\t{}\n", self.program, self.test, self.reason)
    }

    fn of_line(line: &str) -> Option<Self> {
        let mut parts = line.split('\t').map(str::to_owned);
        Some(Self {
            program: parts.next()?,
            test: parts.next()?,
            reason: parts.next()?,
        })
    }
}

/// Adds a note to those of this run. It is also printed on standard error, for those who ask with `--nocapture`.
///
/// # Panics
/// If it cannot be kept: a test must not be skipped without a trace.
pub(crate) fn add(note: &Note) {
    match note.is_short() {
        true => eprintln!("{} runs in its {}", note.test, note.reason),
        false => eprintln!("skipped {}: {}", note.test, note.reason),
    }
    if let (Some(folder), Some(run)) = (folder(), Run::this()) {
        append(&folder, &run, note).unwrap_or_else(|error| {
            panic!(
                "cannot note in {} that a test is skipped: {error}",
                folder.display()
            )
        });
    }
}

/// The notes of this run, which are removed with those of runs that have ended.
///
/// # Errors
/// If the file of this run's notes cannot be read.
pub fn take() -> io::Result<Vec<Note>> {
    match (folder(), Run::this()) {
        (Some(folder), Some(run)) => take_from(&folder, &run),
        _ => Ok(Vec::new()),
    }
}

/// Keeps the notes of a run that is over, for [`kept`]. Those that were kept before are replaced.
///
/// # Errors
/// If they cannot be written.
pub fn keep(notes: &[Note]) -> io::Result<()> {
    folder().map_or(Ok(()), |folder| keep_in(&folder, notes))
}

/// The notes that [`keep`] has kept beside this program, or none.
///
/// # Errors
/// If they cannot be read, other than because there are none.
pub fn kept() -> io::Result<Option<Vec<Note>>> {
    folder().map_or(Ok(None), |folder| kept_in(&folder))
}

fn keep_in(folder: &Path, notes: &[Note]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let text: String = notes.iter().map(Note::to_line).collect();
    fs::write(folder.join(LAST), text)
}

fn kept_in(folder: &Path) -> io::Result<Option<Vec<Note>>> {
    match fs::read_to_string(folder.join(LAST)) {
        Ok(text) => Ok(Some(text.lines().filter_map(Note::of_line).collect())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn append(folder: &Path, run: &Run, note: &Note) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(folder.join(run.file_name()))?;
    // One write: lines of tests that run at once must not be mixed.
    file.write_all(note.to_line().as_bytes())
}

fn take_from(folder: &Path, run: &Run) -> io::Result<Vec<Note>> {
    let file = folder.join(run.file_name());
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let ours = std::ffi::OsString::from(run.file_name());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let ended = || {
            let name = entry.file_name();
            name.to_str()
                .and_then(Run::of_file_name)
                .is_some_and(|other| !other.goes_on())
        };
        if entry.file_name() == ours || ended() {
            // A file of another user may stay; it is never shown.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(text.lines().filter_map(Note::of_line).collect())
}

/// The file of the notes of the last run that was listed.
const LAST: &str = "last";

/// The folder of the notes. It is beside the folder `deps`, which has the test programs; xtask is beside `deps`, too. None for a program
/// that is anywhere else.
fn folder() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    folder_beside(&program)
}

fn folder_beside(program: &Path) -> Option<PathBuf> {
    let programs = program.parent()?;
    let built = match programs.file_name()? == "deps" {
        true => programs.parent()?,
        false => programs.join("deps").is_dir().then_some(programs)?,
    };
    Some(built.join("skipped-tests"))
}

/// A process that starts test programs.
#[derive(Debug, PartialEq)]
struct Run {
    process: u32,
    /// In ticks since the system started: process ids are used again.
    started: u64,
}

impl Run {
    /// The one that started this program.
    #[cfg(target_os = "linux")]
    fn this() -> Option<Self> {
        Self::of(std::os::unix::process::parent_id())
    }

    /// Elsewhere nothing is collected: tests still say on standard error that they are skipped.
    #[cfg(not(target_os = "linux"))]
    fn this() -> Option<Self> {
        None
    }

    fn of(process: u32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        Some(Self {
            process,
            started: start_time(&stat)?,
        })
    }

    fn goes_on(&self) -> bool {
        Self::of(self.process).as_ref() == Some(self)
    }

    fn file_name(&self) -> String {
        format!("{}-{}", self.process, self.started)
    }

    fn of_file_name(name: &str) -> Option<Self> {
        let (process, started) = name.split_once('-')?;
        Some(Self {
            process: process.parse().ok()?,
            started: started.parse().ok()?,
        })
    }
}

/// The 22nd field of /proc/PID/stat. The second is the name in parentheses, in which anything may stand.
fn start_time(stat: &str) -> Option<u64> {
    let after_name = &stat[stat.rfind(')')? + 1..];
    after_name.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn note(reason: &str) -> Note {
        Note::of_this_test(reason)
    }

    fn this_process() -> Run {
        Run::of(std::process::id()).unwrap()
    }

    #[test]
    fn a_note_names_the_test_and_its_program_and_has_one_line() {
        let note = note("no\tprogram \n of this name");
        assert_eq!(note.reason, "no program of this name");
        assert_eq!(note.program, "locktoll_needs");
        let name =
            "notes::tests::a_note_names_the_test_and_its_program_and_has_one_line".to_owned();
        assert!(
            [name, ANY_TEST.to_owned()].contains(&note.test),
            "{}",
            note.test
        );
        assert_eq!(Note::of_line(note.to_line().trim_end()), Some(note));
    }

    #[test]
    fn notes_are_taken_once() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("made when needed");
        let run = this_process();
        assert_eq!(take_from(&folder, &run).unwrap(), []);
        let all = [note("a"), note("b")];
        all.iter()
            .for_each(|note| append(&folder, &run, note).unwrap());
        assert_eq!(take_from(&folder, &run).unwrap(), all);
        assert_eq!(take_from(&folder, &run).unwrap(), []);
    }

    #[test]
    fn notes_of_other_runs_are_not_shown_and_go_when_their_run_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let run = this_process();
        let ended = Run {
            process: run.process,
            started: run.started - 1,
        };
        let goes_on = Run::of(std::os::unix::process::parent_id()).unwrap();
        for other in [&ended, &goes_on] {
            append(folder.path(), other, &note("another's")).unwrap();
        }
        append(folder.path(), &run, &note("ours")).unwrap();
        assert_eq!(take_from(folder.path(), &run).unwrap(), [note("ours")]);
        let left: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(left, [goes_on.file_name()]);
    }

    #[test]
    fn notes_of_a_run_are_kept_until_the_next_ones() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("made when needed");
        assert_eq!(kept_in(&folder).unwrap(), None);
        for notes in [vec![note("a"), Note::short()], vec![]] {
            keep_in(&folder, &notes).unwrap();
            // Those of a run that is going on do not concern them.
            assert_eq!(take_from(&folder, &this_process()).unwrap(), []);
            assert_eq!(kept_in(&folder).unwrap(), Some(notes));
        }
    }

    #[test]
    fn tests_and_the_developers_program_find_the_same_folder() {
        let built = tempfile::tempdir().unwrap();
        fs::create_dir(built.path().join("deps")).unwrap();
        let expected = Some(built.path().join("skipped-tests"));
        for program in ["deps/record-0123", "xtask"] {
            assert_eq!(folder_beside(&built.path().join(program)), expected);
        }
        assert_eq!(folder_beside(&built.path().join("other/program")), None);
    }

    #[test]
    fn the_start_time_is_found_whatever_the_name() {
        let stat = "7 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 987 20";
        assert_eq!(start_time(stat), Some(987));
        assert_eq!(start_time("7 (a)"), None);
        assert_eq!(start_time(""), None);
    }
}
