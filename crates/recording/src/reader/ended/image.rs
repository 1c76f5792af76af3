//! What other parts say of a part: a process that becomes another program (exec) has several.

/// One image of a process, in what concerns its others. Of a process with one image, nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// When the process became the next program, `CLOCK_MONOTONIC`; `None` if it did not.
    pub next_ns: Option<u64>,
    /// Whether another image of the same program by the same process is added later: the process counts there.
    pub comes_again: bool,
}
