//! The classifier on loops that compilers made: every instruction of every loop is tried as a sample.

mod program;

use locktoll_loops::{Verdict, classify};
use program::{ARGUMENTS, Program, Symbol};

/// The verdict for a sample at `ip`.
fn verdict(program: &Program, function: &Symbol, ip: u64) -> Verdict {
    // The pointer to the state of the back-off, which is on the stack, is kept in a register.
    let own = function.name == "wait_s_lock";
    let registers = program.registers(ip, own);
    classify(program.architecture, program, &registers, &[]).verdict
}

fn named(program: &Program, function: &Symbol, ip: u64) -> String {
    let offset = ip - function.address;
    format!("{} {}+{offset:#x}", program.variant, function.name)
}

/// Every instruction that repeats in a function that waits is in a loop that waits.
#[test]
fn loops_that_wait_are_found_at_each_instruction() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for program in Program::all() {
        for function in program.functions("wait_") {
            for ip in program.repeated(function) {
                tried += 1;
                let verdict = verdict(&program, function, ip);
                if verdict.waiting().is_none() {
                    let place = named(&program, function, ip);
                    wrong.push(format!("{place}: {verdict:?}"));
                }
            }
        }
    }
    assert!(tried > 1000, "{tried} instructions");
    assert!(
        wrong.is_empty(),
        "{} of {tried}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// No instruction of a function that computes is in a loop that waits.
#[test]
fn loops_that_work_are_not_taken_for_waits() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for program in Program::all() {
        for function in program.functions("work_") {
            for (ip, _) in program.instructions(function) {
                tried += 1;
                if let Verdict::Waits(found) = verdict(&program, function, ip) {
                    let place = named(&program, function, ip);
                    wrong.push(format!("{place}: {:x}..{:x}", found.begin, found.end));
                }
            }
        }
    }
    assert!(tried > 1000, "{tried} instructions");
    assert!(
        wrong.is_empty(),
        "{} of {tried}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The address of the word is that of the variable that the source names, or one to which the function's arguments lead.
#[test]
fn the_word_is_the_one_that_the_source_names() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for program in Program::all() {
        for function in program.functions("wait_") {
            let named_word = function.name.replacen("wait_", "word_", 1);
            let expected = program.symbol(&named_word).map(|it| it.address);
            for ip in program.repeated(function) {
                let Verdict::Waits(found) = verdict(&program, function, ip) else {
                    continue;
                };
                tried += 1;
                let registers = program.registers(ip, function.name == "wait_s_lock");
                let word = found.word(&registers, &program);
                let right = match (word, expected) {
                    (Some(word), Some(expected)) => word == expected,
                    // A pointer from a register or from the stack, or a variable in the frame itself.
                    (Some(word), None) => word >= ARGUMENTS || function.name == "wait_all",
                    // Between two visits of the words there is no word.
                    (None, _) => function.name == "wait_all",
                };
                if !right {
                    let place = named(&program, function, ip);
                    wrong.push(format!("{place}: {word:x?} instead of {expected:x?}"));
                }
            }
        }
    }
    assert!(tried > 1000, "{tried} instructions");
    assert!(
        wrong.is_empty(),
        "{} of {tried}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
