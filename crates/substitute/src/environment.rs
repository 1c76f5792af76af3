//! The environment that the program was started with.
//!
//! It is not read with getenv(3): the dynamic linker may call an interposed `malloc`, and so take a mutex, before the C
//! library knows its environment; and a program may change it before it takes its first lock. The kernel puts the strings
//! above the program's first stack frame: the number of arguments, the arguments, a null, the variables, a null (System V ABI,
//! process initialisation).

use core::ffi::{CStr, c_char};

unsafe extern "C" {
    /// The address where the kernel put the number of arguments. The dynamic linker (ld.so(8)) stores it before anything else
    /// runs.
    static __libc_stack_end: *const usize;
}

pub fn variable(name: &CStr) -> Option<&'static CStr> {
    // SAFETY: written once, before any code of this library can run.
    let arguments = unsafe { __libc_stack_end };
    if arguments.is_null() {
        return None;
    }
    // SAFETY: as the kernel put it, for the whole life of the process; the arguments are followed by one null.
    let mut place = unsafe { arguments.add(1 + *arguments + 1) }.cast::<*const c_char>();
    loop {
        // SAFETY: as above: there is a null at the end.
        let text = unsafe { *place };
        if text.is_null() {
            return None;
        }
        // SAFETY: the strings end with a zero byte.
        if let Some(value) = value_of(unsafe { CStr::from_ptr(text) }, name) {
            return Some(value);
        }
        // SAFETY: not yet at the end.
        place = unsafe { place.add(1) };
    }
}

/// Returns the text after `NAME=`.
fn value_of<'a>(text: &'a CStr, name: &CStr) -> Option<&'a CStr> {
    let rest = text.to_bytes_with_nul().strip_prefix(name.to_bytes())?;
    CStr::from_bytes_with_nul(rest.strip_prefix(b"=")?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stands_behind_its_whole_name() {
        assert_eq!(value_of(c"LOCK=a=b", c"LOCK"), Some(c"a=b"));
        assert_eq!(value_of(c"LOCK=", c"LOCK"), Some(c""));
        assert_eq!(value_of(c"LOCKS=a", c"LOCK"), None);
        assert_eq!(value_of(c"LOCK", c"LOCK"), None);
    }

    #[test]
    fn the_program_has_an_environment() {
        let expected = std::env::var("PATH").unwrap();
        assert_eq!(variable(c"PATH").unwrap().to_str().unwrap(), expected);
        assert_eq!(variable(c"NO_SUCH_VARIABLE_HERE"), None);
    }
}
