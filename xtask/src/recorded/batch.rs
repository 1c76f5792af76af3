//! Programs that work and end.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use super::subject::{Sample, Subject, number_after};
use super::way::{Finished, Place, Way};
use crate::build;

/// A program that works and ends.
pub struct Batch {
    name: &'static str,
    words: &'static [&'static str],
    input: Input,
    speed: Speed,
}

/// What it works on.
#[derive(Clone, Copy, Debug)]
enum Input {
    None,
    /// A file named `text` that compresses as source code does.
    Text,
    /// A file named `film.y4m`.
    Film,
    /// The program `hand_over.py` of the folder `benches`.
    PythonQueue,
    /// A database in the folder `db`.
    Database,
    /// No database in the folder `db`, run after run.
    NoDatabase,
    /// Nothing, but the program is this source of the folder `benches/programs`.
    Source(&'static str),
}

/// How fast it was.
#[derive(Clone, Copy, Debug)]
enum Speed {
    /// The work is always the same: by the clock.
    Clock,
    /// It says the seconds itself, after these words.
    Seconds(&'static str),
    /// It works for a time and says the units of work done, after these words.
    Work(&'static str),
    /// The same, and it says nothing else.
    WorkAlone,
}

/// Bytes of the file to compress.
const TEXT_BYTES: usize = 8 << 20;

/// Width, height and number of the film's pictures.
const FILM: (usize, usize, usize) = (352, 288, 60);

/// All of them. Those with much contention first.
// Long: a table, one row a program.
pub fn all() -> Vec<Batch> {
    let batch = |name, words, input, speed| Batch {
        name,
        words,
        input,
        speed,
    };
    let list = |name, words| batch(name, words, Input::Source("list.c"), Speed::WorkAlone);
    vec![
        batch(
            "sysbench mutex, 1 mutex, 4 threads",
            &[
                "sysbench",
                "mutex",
                "--threads=4",
                "--mutex-num=1",
                "--mutex-locks=4000000",
                "--mutex-loops=100",
                "run",
            ],
            Input::None,
            Speed::Seconds("total time:"),
        ),
        batch(
            "sysbench threads, 1 lock, 4 threads",
            &[
                "sysbench",
                "threads",
                "--threads=4",
                "--thread-yields=100",
                "--thread-locks=1",
                "--time=1",
                "run",
            ],
            Input::None,
            Speed::Work("total number of events:"),
        ),
        batch(
            "db_bench fillrandom, 4 threads",
            &[
                "db_bench",
                "--benchmarks=fillrandom",
                "--threads=4",
                "--num=40000",
                "--db=db",
            ],
            Input::NoDatabase,
            Speed::Seconds(" ops/sec"),
        ),
        batch(
            "db_bench readrandom, 4 threads",
            &[
                "db_bench",
                "--benchmarks=readrandom",
                "--use_existing_db=1",
                "--threads=4",
                "--num=200000",
                "--reads=150000",
                "--db=db",
            ],
            Input::Database,
            Speed::Seconds(" ops/sec"),
        ),
        batch(
            "stress-ng --mutex, 4 threads",
            &[
                "stress-ng",
                "--mutex",
                "1",
                "--mutex-procs",
                "4",
                "--timeout",
                "1",
                "--metrics",
            ],
            Input::None,
            Speed::Work("] mutex "),
        ),
        list("list, 2 threads", &["./list", "2", "300"]),
        list("list, 4 threads", &["./list", "4", "300"]),
        list("list, 8 threads", &["./list", "8", "300"]),
        batch(
            "spin lock, 4 threads",
            &["./other_locks", "spin", "4", "300"],
            Input::Source("other_locks.c"),
            Speed::WorkAlone,
        ),
        batch(
            "reader-writer lock, 4 threads",
            &["./other_locks", "rwlock", "4", "300"],
            Input::Source("other_locks.c"),
            Speed::WorkAlone,
        ),
        batch(
            "python3, 4 threads and a queue",
            &["/usr/bin/python3", "hand_over.py"],
            Input::PythonQueue,
            Speed::Clock,
        ),
        batch(
            "pigz -p 4",
            &["pigz", "-p", "4", "-c", "text"],
            Input::Text,
            Speed::Clock,
        ),
        batch(
            "pbzip2 -p4",
            &["pbzip2", "-p4", "-c", "text"],
            Input::Text,
            Speed::Clock,
        ),
        batch(
            "x264 --threads 4",
            &[
                "x264",
                "--threads",
                "4",
                "--preset",
                "medium",
                "-o",
                "/dev/null",
                "film.y4m",
            ],
            Input::Film,
            Speed::Clock,
        ),
    ]
}

impl Subject for Batch {
    fn name(&self) -> &str {
        self.name
    }

    fn needs(&self) -> &[&str] {
        match self.input {
            Input::Source(_) => &["cc"],
            _ => &self.words[..1],
        }
    }

    fn prepare(&mut self, place: &Place) -> anyhow::Result<()> {
        match self.input {
            Input::None | Input::NoDatabase => Ok(()),
            Input::Source(source) => {
                build::c_program(&format!("benches/programs/{source}"), &place.path(""))?;
                Ok(())
            }
            Input::Text => write_text(&place.path("text")),
            Input::Film => write_film(&place.path("film.y4m")),
            Input::PythonQueue => {
                std::fs::copy(
                    build::top().join("benches/programs/hand_over.py"),
                    place.path("hand_over.py"),
                )?;
                Ok(())
            }
            Input::Database => {
                remove_database(place)?;
                let filled = Command::new("db_bench")
                    .args(["--benchmarks=fillrandom", "--num=200000", "--db=db"])
                    .current_dir(place.path(""))
                    .output()?;
                ensure!(
                    filled.status.success(),
                    "db_bench could not make a database"
                );
                Ok(())
            }
        }
    }

    fn run(&self, place: &Place, way: Way) -> anyhow::Result<Sample> {
        self.clear(place)?;
        self.sample(&place.command(way, self.words)?.run()?)
    }
}

impl Batch {
    /// Runs it once within the program `outer`, whose last argument the program follows. Says how many units of work
    /// were done: 1 where it is always the same work.
    ///
    /// # Errors
    /// As [`Subject::run`].
    pub fn run_within(&self, place: &Place, way: Way, outer: &[&str]) -> anyhow::Result<f64> {
        self.clear(place)?;
        let finished = place.command_within(way, outer, self.words)?.run()?;
        match self.speed {
            Speed::Work(words) => number_after(&finished.output, words),
            Speed::WorkAlone => number_alone(&finished.output),
            Speed::Clock | Speed::Seconds(_) => Ok(1.0),
        }
    }

    /// Takes away what the last run left.
    fn clear(&self, place: &Place) -> anyhow::Result<()> {
        match self.input {
            Input::NoDatabase => remove_database(place),
            _ => Ok(()),
        }
    }

    fn sample(&self, finished: &Finished) -> anyhow::Result<Sample> {
        let text = &finished.output;
        let same_work = |time| Sample {
            time,
            cpu: finished.cpu_seconds,
        };
        let of_unit = |work: f64| Sample {
            time: finished.wall_seconds / work,
            cpu: finished.cpu_seconds / work,
        };
        Ok(match self.speed {
            Speed::Clock => same_work(finished.wall_seconds),
            Speed::Seconds(words) => same_work(number_after(text, words)?),
            Speed::Work(words) => of_unit(number_after(text, words)?),
            // The program's own figure is of a time of its own, so it is a rate.
            Speed::WorkAlone => Sample {
                time: 1.0 / number_alone(text)?,
                ..of_unit(number_alone(text)?)
            },
        })
    }
}

/// The number that is all that a program says.
fn number_alone(text: &str) -> anyhow::Result<f64> {
    let number = text.trim().parse();
    number.with_context(|| format!("{:?} is not a number", text.trim()))
}

fn remove_database(place: &Place) -> anyhow::Result<()> {
    match std::fs::remove_dir_all(place.path("db")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Words drawn from a small vocabulary.
fn write_text(path: &Path) -> anyhow::Result<()> {
    let mut random = Random(1);
    let mut text = Vec::with_capacity(TEXT_BYTES + 16);
    while text.len() < TEXT_BYTES {
        let word = random.next() % 4096;
        text.extend_from_slice(format!("{:x}", word * word * 7919).as_bytes());
        text.push(if word.is_multiple_of(11) { b'\n' } else { b' ' });
    }
    Ok(std::fs::write(path, text)?)
}

/// Noise on a slope that moves, uncompressed: YUV4MPEG2, 4:2:0.
fn write_film(path: &Path) -> anyhow::Result<()> {
    let (width, height, pictures) = FILM;
    let mut random = Random(1);
    let mut film = std::io::BufWriter::new(File::create(path)?);
    writeln!(film, "YUV4MPEG2 W{width} H{height} F25:1 Ip C420")?;
    for picture in 0..pictures {
        writeln!(film, "FRAME")?;
        for y in 0..height {
            let line: Vec<u8> = (0..width)
                .map(|x| ((x + y + 3 * picture) % 200) as u8 + (random.next() % 24) as u8)
                .collect();
            film.write_all(&line)?;
        }
        film.write_all(&vec![128; width * height / 2])?;
    }
    Ok(film.flush()?)
}

/// A linear congruential generator (Knuth's MMIX): the same numbers everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}
