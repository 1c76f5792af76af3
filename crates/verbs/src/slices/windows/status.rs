//! Describes the end of a process: if an exception ended it, its exit code is a kernel status.

use std::process::ExitStatus;

use windows_sys::Win32::Foundation::{
    NTSTATUS, STATUS_ACCESS_VIOLATION, STATUS_ASSERTION_FAILURE, STATUS_BREAKPOINT,
    STATUS_CONTROL_C_EXIT, STATUS_DLL_NOT_FOUND, STATUS_ENTRYPOINT_NOT_FOUND,
    STATUS_HEAP_CORRUPTION, STATUS_ILLEGAL_INSTRUCTION, STATUS_IN_PAGE_ERROR,
    STATUS_INTEGER_DIVIDE_BY_ZERO, STATUS_NO_MEMORY, STATUS_POSSIBLE_DEADLOCK,
    STATUS_PRIVILEGED_INSTRUCTION, STATUS_RESOURCE_NOT_OWNED, STATUS_STACK_BUFFER_OVERRUN,
    STATUS_STACK_OVERFLOW,
};

/// Statuses with which a lock or its misuse ends a process (ntstatus.h).
const KNOWN: [(NTSTATUS, &str); 16] = [
    (STATUS_ACCESS_VIOLATION, "access violation"),
    (STATUS_ASSERTION_FAILURE, "assertion failure"),
    (STATUS_BREAKPOINT, "breakpoint"),
    (STATUS_CONTROL_C_EXIT, "Ctrl-C"),
    (STATUS_DLL_NOT_FOUND, "a library was not found"),
    (STATUS_ENTRYPOINT_NOT_FOUND, "a library lacks a function"),
    (STATUS_HEAP_CORRUPTION, "heap corruption"),
    (STATUS_ILLEGAL_INSTRUCTION, "illegal instruction"),
    (STATUS_IN_PAGE_ERROR, "page could not be read"),
    (STATUS_INTEGER_DIVIDE_BY_ZERO, "division by zero"),
    (STATUS_NO_MEMORY, "no memory"),
    (STATUS_POSSIBLE_DEADLOCK, "possible deadlock"),
    (STATUS_PRIVILEGED_INSTRUCTION, "privileged instruction"),
    (
        STATUS_RESOURCE_NOT_OWNED,
        "a lock was released by who did not hold it",
    ),
    (
        STATUS_STACK_BUFFER_OVERRUN,
        "it ended itself at once (fail fast)",
    ),
    (STATUS_STACK_OVERFLOW, "stack overflow"),
];

/// Exit codes from here on are kernel errors, according to the two highest bits of an NTSTATUS.
const ERRORS: u32 = 0xC000_0000;

/// Says how a process ended.
pub fn how(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => of_code(code as u32),
        None => "ended without an answer".to_owned(),
    }
}

fn of_code(code: u32) -> String {
    let known = KNOWN.iter().find(|(status, _)| *status as u32 == code);
    match known {
        Some((_, words)) => format!("was ended by exception 0x{code:08X} ({words})"),
        None if code >= ERRORS => format!("was ended by exception 0x{code:08X}"),
        None => format!("ended with status {code} and no answer"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_have_words_and_plain_codes_are_numbers() {
        assert_eq!(
            of_code(0xC000_0005),
            "was ended by exception 0xC0000005 (access violation)"
        );
        assert_eq!(of_code(0xC012_3456), "was ended by exception 0xC0123456");
        assert_eq!(of_code(101), "ended with status 101 and no answer");
        assert!(of_code(0x8000_0003).contains("breakpoint"));
    }
}
