//! Who really asked for a lock, behind the wrappers of standard libraries.

use super::Frame;

/// Functions of these are ways to a lock, not places in the program.
const WRAPPERS: &[&str] = &[
    "std::",
    "core::",
    "alloc::",
    "__gthread",
    "__gnu_cxx::",
    "<core::",
];

/// The innermost frame that is not a standard library's wrapper; the innermost of all where every
/// one is.
pub fn caller(frames: &[Frame]) -> Option<&Frame> {
    frames
        .iter()
        .find(|frame| {
            frame
                .function
                .as_ref()
                .is_none_or(|name| !WRAPPERS.iter().any(|wrapper| name.starts_with(wrapper)))
        })
        .or(frames.first())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_librarys_inlined_wrappers_are_passed_over() {
        let frames: Vec<Frame> = ["__gthread_mutex_lock(int*)", "std::mutex::lock()", "push"]
            .map(|name| Frame {
                function: Some(name.to_owned()),
                ..Frame::default()
            })
            .into();
        let function = |frames: &[Frame]| caller(frames).unwrap().function.clone().unwrap();
        assert_eq!(function(&frames), "push");
        assert_eq!(function(&frames[..2]), "__gthread_mutex_lock(int*)");
        assert_eq!(caller(&[]), None);
    }
}
