//! Processes whose calls could not be interpreted.

use std::fs;
use std::io::Read;
use std::path::Path;

use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::open_regular;

/// The first pid namespace, whose numbers the kernel gives us (`include/linux/proc_ns.h`).
const FIRST_NAMESPACE: &str = "pid:[4026531836]";

/// Where the ELF header says how wide addresses are, and its value for 32 bits.
const CLASS: usize = 4;
const CLASS_32: u8 = 1;

/// Refuses a process that we could not distinguish from others, or whose system calls have other numbers.
///
/// # Errors
/// [`Failure::Unsupported`], with what can be done.
pub fn check(process: u32) -> Result<(), Failure> {
    let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let mut head = [0; CLASS + 1];
    let program = open_regular(Path::new(&format!("/proc/{process}/exe")));
    let head = program
        .and_then(|mut file| file.read_exact(&mut head))
        .map(|()| head);
    match judge(process, &namespace, head.ok().as_ref()) {
        Some(refusal) => Err(Failure::Unsupported(refusal)),
        None => Ok(()),
    }
}

/// Returns the reason for a refusal, if there is one. Facts that could not be read are not a reason.
fn judge(process: u32, namespace: &Path, head: Option<&[u8; CLASS + 1]>) -> Option<String> {
    let namespace = namespace.to_string_lossy();
    if !namespace.is_empty() && namespace != FIRST_NAMESPACE {
        return Some(format!(
            "process {process} has another number outside this container, by which the kernel tells it from others; run locktoll on \
             the host, or in a container that shares the host's processes (docker run --pid=host)"
        ));
    }
    let head = head?;
    (head.starts_with(b"\x7fELF") && head[CLASS] == CLASS_32).then(|| {
        format!(
            "process {process} runs a 32-bit program, whose system calls have other numbers; accepted: programs of 64 bits"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_of_our_own_and_a_narrow_program_are_refused() {
        let first = Path::new(FIRST_NAMESPACE);
        let own = judge(7, Path::new("pid:[4026532201]"), Some(b"\x7fELF\x02")).expect("refused");
        assert!(own.contains("--pid=host") && own.contains("process 7"));
        let narrow = judge(7, first, Some(b"\x7fELF\x01")).expect("refused");
        assert!(narrow.contains("32-bit"));
        assert_eq!(judge(7, first, Some(b"\x7fELF\x02")), None);
        assert_eq!(judge(7, first, Some(b"#!/bi")), None);
    }

    #[test]
    fn what_cannot_be_read_stands_in_nobodys_way() {
        assert_eq!(judge(7, Path::new(""), None), None);
    }
}
