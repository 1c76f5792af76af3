//! Tasks of the people who build locktoll: `cargo xtask TASK`.

mod agree;
mod agree_machine;
mod attach_cost;
mod bpf;
mod build;
mod build_loop;
mod install_c;
mod kernel_cost;
mod lines;
mod mutants;
mod pages;
mod recorded;
mod rooms;
mod screenshots;
mod table;
mod tollgate;
mod trials;

use anyhow::bail;

const HELP: &str = "\
Tasks:
  agree [ROUNDS]  interleave `locktoll bench` with a plain C loop over the same glibc lock and print
                  the ratio (21 rounds when not told)
  agree-machine [--quick] [ROUNDS]
                  interleave `locktoll machine` with perf bench and a plain C futex ping-pong and print
                  the ratios (7 rounds when not told)
  attach-cost [ROUNDS] [WORK...]
                  a program watched by `locktoll attach` and left alone, in turns: the ratio of its time (11 rounds when not
                  told); WORK chooses: mutex, pairs, wakes, again, alone, other
  bench-record [--exact] [--rounds=N] [WORD...]
                  real programs, bare against recorded: time and processor time; WORDs choose by name
  bench-observer [--exact] [--rounds=N] [WORD...]
                  futex calls and context switches of real programs, bare against recorded
  bench-report    `locktoll report` of a recording with 1,000,000 locks: time and peak memory
  trials [N]      `locktoll try` on a program without contention, N times (20 when not told), and on one that is bound
                  by its lock: what it claims
  tollgate [--quick] [--rounds N] [--json FILE] [CELL...]
                  how fast the lock Tollgate is compared with every peer that blocks, and what it does not reach: a table
                  (about 21 minutes, 4 with --quick; CELLs choose: holds, no-think/list/8, condition/broadcast)
  lines [--all] [COMMIT]
                  lines of the product by crate, in the work tree or at a commit, and files over 400 lines (with --all over
                  300) and functions over 80
  loop [--only PART]... [--rounds N] [--crate NAME]... [--file FILE]...
                  how long one waits for builds and tests, next to what it may take, in a copy of the checkout: from scratch, warm,
                  and after one changed file in each crate (PARTs: release, dev, test, incremental, checks)
  mutants [ROOM...] [--shard K/N] [--changed COMMIT]
                  plants small faults in a room's code, one at a time, runs the tests of its crate, and reports the faults that
                  they miss. ROOMs: recording, joiner, profile, attach, trial, reproduce, compare, preload, substitute; all, if
                  only --changed is given. --changed: only in lines changed since COMMIT; --shard: part K of N, K from 0.
                  Needs cargo-mutants
  rooms [--dot] [CRATE...]
                  the rooms of each crate and which imports which, and what breaks the rules; --dot for Graphviz
  screenshots [NAME...]
                  pictures of the report page into docs/, of real results; NAMEs choose
  install-c PREFIX
                  the library for C and C++ (docs/c.md): builds it, and puts headers, static and shared library and pkg-config
                  files below PREFIX
  bpf [--check]   build the programs for the kernel (crates/sources/bpf) with clang; with --check, only compare with those kept
  kernel-cost [ROUNDS]
                  programs alone against watched by `locktoll kernel`: 200,000 futex calls a second, and locks that nobody
                  else wants (15 rounds when not told)
  pages DIR       write the manual pages and the completion scripts, for packages";

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["agree"] => agree::run(21),
        ["agree", rounds] => agree::run(rounds.parse()?),
        ["agree-machine", ref wishes @ ..] => agree_machine::run(wishes),
        ["attach-cost", ref wishes @ ..] => attach_cost::run(wishes),
        ["bench-record", ref wishes @ ..] => recorded::speed(wishes),
        ["bench-observer", ref wishes @ ..] => recorded::observer(wishes),
        ["bench-report"] => recorded::big_report(),
        ["trials"] => trials::run(20),
        ["trials", times] => trials::run(times.parse()?),
        ["tollgate", ref wishes @ ..] => tollgate::run(wishes),
        ["rooms", ref wishes @ ..] => rooms::run(wishes),
        ["screenshots", ref names @ ..] => screenshots::run(names),
        ["install-c", prefix] if !prefix.starts_with('-') => install_c::run(prefix.as_ref()),
        ["install-c", ..] => {
            bail!("install-c takes one folder, as in: cargo xtask install-c /usr/local")
        }
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
        ["pages", folder] => pages::run(folder.as_ref()),
        [] | ["help" | "--help"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => bail!("no such task: {}\n{HELP}", words.join(" ")),
    }
}
