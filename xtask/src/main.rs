//! Tasks for developers of locktoll: `cargo xtask TASK`.

mod advice;
mod agree;
mod agree_machine;
mod alert_cost;
mod attach_cost;
mod bpf;
mod build;
mod build_loop;
mod chromium;
#[cfg(test)]
mod direct_dependencies;
mod fleet_load;
mod hang_stops;
mod install_c;
mod instructions;
mod kernel_cost;
mod known_waits;
mod licences;
mod lines;
mod mutants;
mod on_command;
mod package;
mod pages;
mod public_api;
mod recorded;
mod release;
mod rooms;
mod screenshots;
mod skipped_tests;
mod spin_cost;
mod table;
mod timeline_cost;
mod timeline_page;
mod tollgate;
mod trials;
mod whatifs;

use anyhow::bail;

const HELP: &str = "\
Tasks:
  agree [ROUNDS]  interleave `locktoll bench` with a plain C loop over the same glibc lock and print
                  the ratio (default: 21 rounds)
  agree-machine [--quick] [ROUNDS]
                  interleave `locktoll machine` with perf bench and a plain C futex ping-pong and print
                  the ratios (default: 7 rounds)
  attach-cost [ROUNDS] [WORK...]
                  a program watched by `locktoll attach` and left alone, in turns: the ratio of its time (11 rounds when not
                  told); WORK chooses: mutex, pairs, wakes, again, alone, other
  alert-cost [ROUNDS]
                  the time of an uncontended acquisition and release under `record` and `attach`, with `--alert` and without it, in turns
                  (default: 15 rounds)
  fleet-load [--processes=N] [--restarts=N] [--work=SECONDS] [--away=SECONDS] [--program=PATH]
                  put one agent under load, and print each check with its figure: 200 recorded processes with 10,000 locks; restarts of
                  the agent; a server of profiles that is unavailable for a minute; a full disk for the queue (as root only).
                  --work: time between two events (default: 20 s); --away: time without the server (default: 60 s); PATH is a locktoll
                  that is already built
  hang-stops [THREADS [SLEEPING [CHECKS]]]
                  how long `locktoll hang` stops each thread, measured by threads that run (default: 2 that run, 1,000 that
                  sleep, 100 checks)
  spin-cost [ROUNDS] [1/N] [--as-nobody] [WORK...] [PROGRAM]
                  programs under `locktoll record` with the detector of busy waiting and without it, in turns: the ratios of the
                  program's CPU time and of wall time, and the CPU time of locktoll itself (default: 11 rounds); WORK chooses:
                  computes, switches, spins; 1/N: an Nth of the work; --as-nobody: without privileges; PROGRAM is a locktoll that
                  is already built
  known-waits [ROUNDS] [PROGRAM]
                  compare waits of 5 and of 20 us that a program times itself with the figures of `locktoll record` and `attach`, in
                  turns (default: 21 rounds); PROGRAM is a locktoll that is already built
  bench-record [--exact] [--timeline] [--rounds=N] [WORD...]
                  compare real programs bare and recorded: time and CPU time; WORDs choose by name; --timeline: recorded with a timeline
                  of waits, and without one
  bench-observer [--exact] [--rounds=N] [WORD...]
                  compare futex calls and context switches of real programs, bare and recorded
  bench-report [--timeline [PROGRAM]]
                  measure time and peak memory of `locktoll report` on a recording with 1,000,000 locks; with --timeline, of the traces
                  of a timeline with 10,000,000 holds. PROGRAM is a locktoll that is already built
  trials [N]      run `locktoll try` N times (default: 20) on a program without contention, and on one that is limited by
                  its lock, and print the differences that it reports
  advice [--locktoll PATH] [N] [NAME...]
                  is the advice of `locktoll advise` right? For each remedy a program that it helps and one that it would not help,
                  and the gain measured after applying it, in N rounds (default: 7). NAMEs choose programs or remedies; PATH is a
                  locktoll that is already built
  whatifs [N [MODE...]]
                  compare the gains that `locktoll whatif` predicts in N rounds (default: 15) with the truth, on programs
                  whose holds have a length that the command line says; MODEs (one, pool, server) choose programs
  whatifs --decoys N TIMES
                  count how often `locktoll whatif` reports no effect for locks with the longest waits that have none
  tollgate [--quick] [--rounds N] [--json FILE] [CELL...]
                  print a table of the lock Tollgate and every peer that blocks, with the goals that it misses
                  (about 21 minutes, 4 with --quick; CELLs choose: holds, no-think/list/8, condition/broadcast)
  lines [--all] [COMMIT]
                  count the lines of the product by crate, in the work tree or at a commit, and list files over 400 lines
                  (with --all over 300) and functions over 80
  loop [--only PART]... [--rounds N] [--crate NAME]... [--file FILE]...
                  measure how long builds and tests take, next to their limits, in a copy of the checkout: from scratch, warm,
                  and after one changed file in each crate (PARTs: release, dev, test, incremental, checks)
  mutants [ROOM...] [--sample N | --shard K/N] [--changed COMMIT] [--in-place]
                  plant small faults in a room's code, one at a time, run the tests of its crate, and report the faults that
                  they miss. ROOMs: recording, joiner, profile, attach, trial, reproduce, compare, preload, substitute; all, if
                  only --changed is given. --changed: only in lines changed since COMMIT. --sample: about N faults in each room,
                  spread over its files; --shard: part K of N, K from 0. --in-place: in this tree instead of a copy. Needs
                  cargo-mutants
  rooms [--dot] [CRATE...]
                  print the rooms of each crate, which imports which, and the arrows that break the rules; --dot for Graphviz
  screenshots [NAME...]
                  write pictures of the report page into docs/, from real results; NAMEs choose
  timeline-page [--keep FOLDER] [EVENTS...] | --page FILE
                  write pages with made-up timelines (default: 1,000,000 and 10,000,000 events), open them in Chromium, and print
                  their sizes, the time until they show the timeline, and the frames per second while the timeline moves;
                  --keep keeps the pages; FILE is a page that `report` has written
  timeline-cost [ROUNDS [PROGRAM]]
                  the CPU time of an uncontended acquisition and release: bare (twice), under `record`, with a timeline of waits, and
                  with one of everything, in turns (default: 15 rounds); PROGRAM is a locktoll that is already built
  instructions [--keep]
                  count the instructions, loads, stores and branches of one acquisition and release: bare, recorded, of Tollgate, and on each
                  lock of `try`; --keep writes the counts into benches/instructions.md
  install-c PREFIX
                  build the library for C and C++ (docs/c.md), and install headers, static and shared library and pkg-config
                  files below PREFIX
  bpf [--check]   build the programs for the kernel (crates/sources/bpf) with clang; with --check, only compare with the stored ones
  kernel-cost [ROUNDS]
                  run programs alone and watched by `locktoll kernel`: 200,000 futex calls per second, and uncontended locks
                  (default: 15 rounds)
  public-api [--keep]
                  compare the public interface of the crate tollgate with the one in crates/tollgate/public-api.txt; --keep
                  replaces that one
  licences [--check]
                  collect the licences of the packages that the program is compiled from, with their texts (needs cargo-about);
                  with --check, only compare the packages with the kept file
  package [--no-install]
                  pack every crate that is published, in a copy of the checkout, and let cargo verify that each builds by itself;
                  then install the program from these packages alone, and record a program with it
  schemas         write docs/schemas, the JSON Schemas of all results, from their types; refuses a change that takes something
                  away while the schema's number stays
  skipped-tests   run the tests that the last `cargo test --workspace` has skipped, and the long variants of those that ran in their
                  short one; a missing program is a failure
  site [DIR]      make the site of the documentation in target/site, or in DIR; needs mdbook
  console [PAGE...]
                  run the sessions of the pages (docs/record.md; all if none is named) with target/release/locktoll, or
                  LOCKTOLL=FILE, and print lines that changed in more than their figures
  release VERSION [--trial] [--twice]
                  build the program for glibc 2.17 and later, and a static one for musl and for containers; check that the first needs
                  no newer symbol; pack both with their manual pages into target/release-VERSION: archives, separate debug files, a
                  .deb, an .rpm, the bill of materials, sums; print sizes and times (needs cargo-zigbuild and zig from PyPI,
                  cargo-deb, cargo-generate-rpm and cargo-cyclonedx, and Rust's target x86_64-unknown-linux-musl). --trial: also if
                  CHANGELOG.md calls the version unreleased. --twice: in another folder again; the files must be equal
  pages DIR       write the manual pages and the completion scripts, for packages";

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["agree"] => agree::run(21),
        ["agree", rounds] => agree::run(rounds.parse()?),
        ["agree-machine", ref wishes @ ..] => agree_machine::run(wishes),
        ["attach-cost", ref wishes @ ..] => attach_cost::run(wishes),
        ["timeline-cost"] => timeline_cost::run(15, None),
        ["timeline-cost", rounds] => timeline_cost::run(rounds.parse()?, None),
        ["timeline-cost", rounds, program] => timeline_cost::run(rounds.parse()?, Some(program)),
        ["alert-cost"] => alert_cost::run(15),
        ["alert-cost", rounds] => alert_cost::run(rounds.parse()?),
        ["hang-stops"] => hang_stops::run(2, 1_000, 100),
        ["hang-stops", threads] => hang_stops::run(threads.parse()?, 1_000, 100),
        ["hang-stops", threads, sleeping] => {
            hang_stops::run(threads.parse()?, sleeping.parse()?, 100)
        }
        ["hang-stops", threads, sleeping, checks] => {
            hang_stops::run(threads.parse()?, sleeping.parse()?, checks.parse()?)
        }
        ["fleet-load", ref words @ ..] => fleet_load::run(words),
        ["bench-record", ref wishes @ ..] => recorded::speed(wishes),
        ["bench-observer", ref wishes @ ..] => recorded::observer(wishes),
        ["bench-report"] => recorded::big_report(),
        ["bench-report", "--timeline"] => recorded::big_timeline(None),
        ["bench-report", "--timeline", program] => recorded::big_timeline(Some(program)),
        ["trials"] => trials::run(20),
        ["trials", times] => trials::run(times.parse()?),
        ["advice", ref words @ ..] => advice::run(words),
        ["whatifs"] => whatifs::run(15, &[]),
        ["whatifs", "--decoys", rounds, times] => whatifs::decoys(rounds.parse()?, times.parse()?),
        ["whatifs", rounds, ref modes @ ..] => whatifs::run(rounds.parse()?, modes),
        ["tollgate", ref wishes @ ..] => tollgate::run(wishes),
        ["rooms", ref wishes @ ..] => rooms::run(wishes),
        ["screenshots", ref names @ ..] => screenshots::run(names),
        ["timeline-page", ref wishes @ ..] => timeline_page::run(wishes),
        ["install-c", prefix] if !prefix.starts_with('-') => install_c::run(prefix.as_ref()),
        ["install-c", ..] => {
            bail!("install-c takes one folder, as in: cargo xtask install-c /usr/local")
        }
        ["instructions", ref wishes @ ..] => instructions::run(wishes),
        ["spin-cost", ref wishes @ ..] => spin_cost::run(wishes),
        ["known-waits", ref wishes @ ..] => known_waits::run(wishes),
        ["kernel-cost"] => kernel_cost::run(15),
        ["kernel-cost", rounds] => kernel_cost::run(rounds.parse()?),
        // The program that it measures.
        ["__calls", word] => match kernel_cost::Calls::of(word) {
            Some(calls) => {
                kernel_cost::serve_calls(calls);
                Ok(())
            }
            None => bail!("no such calls: {word}"),
        },
        ["bpf"] => bpf::run(false),
        ["bpf", "--check"] => bpf::run(true),
        ["loop", ref wishes @ ..] => build_loop::run(wishes),
        ["lines", ref wishes @ ..] => lines::run(wishes),
        ["mutants", ref wishes @ ..] => mutants::run(wishes),
        ["public-api"] => public_api::run(false),
        ["public-api", "--keep"] => public_api::run(true),
        ["licences", ref wishes @ ..] => licences::run(wishes),
        ["package", ref wishes @ ..] => package::run(wishes),
        ["site"] => xtask_docs::site::run(None),
        ["site", folder] => xtask_docs::site::run(Some(folder.as_ref())),
        ["console", ref pages @ ..] => xtask_docs::session::run(pages),
        ["schemas"] => xtask_schemas::run(),
        ["skipped-tests"] => skipped_tests::run(),
        ["release", ref wishes @ ..] => release::run(wishes),
        ["pages", folder] => pages::run(folder.as_ref()),
        [] | ["help" | "--help"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => bail!("no such task: {}\n{HELP}", words.join(" ")),
    }
}
