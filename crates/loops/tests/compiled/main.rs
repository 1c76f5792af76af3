//! The classifier on loops that compilers made: every instruction of every loop is tried as a sample.

mod program;

use locktoll_loops::{Evidence, Known, Verdict, classify};
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
            // A known limit: without optimisation, the paths on which the update succeeds and the thread repeats it all the same are
            // not seen to be impossible.
            let unoptimised = program.variant == "clang-aarch64-O0";
            if unoptimised && ["work_maximum", "work_update"].contains(&&*function.name) {
                continue;
            }
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
                // Where the address is made before the loop, a register has it, and here the registers hold anything.
                let made_before =
                    program.variant.contains("aarch64-O2") || program.variant.contains("lse");
                let right = match (word, expected) {
                    (Some(word), Some(_)) if made_before && word >= ARGUMENTS => true,
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

/// A loop inside another one that begins at the same instruction waits for its own word.
#[test]
fn an_inner_loop_that_shares_its_beginning_has_its_own_word() {
    /// `pause`.
    const PAUSE: [u8; 2] = [0xf3, 0x90];
    let mut tried = 0;
    for program in Program::all() {
        let expected = program.symbol("word_turns").unwrap().address;
        for function in program.functions("turns") {
            let bytes = function.bytes.as_ref().unwrap();
            for (ip, _) in program.instructions(function) {
                let at = (ip - function.address) as usize;
                if !bytes[at..].starts_with(&PAUSE) {
                    continue;
                }
                tried += 1;
                let found = verdict(&program, function, ip);
                let found = found.waiting().unwrap();
                let word = found.word(&program.registers(ip, false), &program);
                assert_eq!(word, Some(expected), "{}", named(&program, function, ip));
            }
        }
    }
    assert!(tried > 5, "{tried} instructions");
}

/// A verdict is found again without decoding, until the code is another one.
#[test]
fn a_known_loop_is_recognised_until_its_code_changes() {
    let mut all = Program::all();
    let program = all.iter_mut().find(|it| it.variant == "gcc-O2").unwrap();
    let ip = {
        let function = program.symbol("wait_plain").unwrap();
        program.repeated(function)[0]
    };
    let registers = program.registers(ip, false);
    let mut known = Known::new(program.architecture);
    assert!(known.get(program, &registers).is_none());
    assert!(known.classify(program, &registers, &[]).waiting().is_some());
    let decoded = known.decoded();
    for _ in 0..100 {
        assert!(known.classify(program, &registers, &[]).waiting().is_some());
    }
    assert_eq!((known.decoded(), known.replaced()), (decoded, 0));
    let function = program
        .symbols
        .iter_mut()
        .find(|it| it.name == "wait_plain");
    // Nothing but `ret`.
    function.unwrap().bytes.as_mut().unwrap().fill(0xc3);
    assert!(known.classify(program, &registers, &[]).waiting().is_none());
    assert_eq!(known.replaced(), 1);
}

#[test]
fn a_word_that_moves_from_sample_to_sample_is_noticed() {
    let (mut stays, mut visits, mut many) = <(Evidence, Evidence, Evidence)>::default();
    for sample in 0..200 {
        // The words of a barrier of 16 threads, the objects of a list, and more words than are distinguished.
        assert!(stays.add(1, 0x1000 + 64 * (sample % 16)));
        visits.add(1, 0x2000 + 32 * sample);
        let is_kept = many.add(1, 0x3000 + 8 * (sample / 3));
        assert_eq!(is_kept, sample < 192);
    }
    assert!(!stays.moves() && visits.moves() && !many.moves());
    // A few samples prove nothing.
    let mut few = Evidence::default();
    for sample in 0..11 {
        few.add(1, 8 * sample);
    }
    assert!(!few.moves());
}
