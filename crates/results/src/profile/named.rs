//! Words for kinds of locks and for places: the same in ids, names and tables, whichever source saw the lock.

use std::path::Path;

use super::frame::Frame;
use super::lock::LockKind;

/// Returns the word for a kind, in ids and in the JSON schema.
pub fn kind_word(kind: LockKind) -> &'static str {
    match kind {
        LockKind::Mutex => "mutex",
        LockKind::RwLock => "rwlock",
        LockKind::Spin => "spin",
        LockKind::Semaphore => "semaphore",
        LockKind::Condvar => "condvar",
        LockKind::Barrier => "barrier",
        LockKind::Futex => "futex",
    }
}

/// Returns the last part of a path.
pub fn base(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

/// Returns a frame such as `open_session (session.c:17)`, as far as it is known.
pub fn described(frame: &Frame) -> String {
    let Some(function) = &frame.function else {
        let module = frame.module.as_deref().unwrap_or("generated code");
        return format!(
            "{}+{:#x}",
            base(Path::new(module)),
            frame.offset.unwrap_or(0)
        );
    };
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{function} ({}:{line})", base(Path::new(file))),
        _ => function.clone(),
    }
}

/// Returns a frame's place for an id: `server:first:open_session`. Where there are names, it contains no lines and no addresses,
/// so that it survives a small change of the program.
pub fn place_in_id(how: &str, frame: &Frame) -> String {
    let module = base(Path::new(frame.module.as_deref().unwrap_or_default()));
    match (&frame.function, frame.offset) {
        (Some(function), _) => format!("{module}:{how}:{function}"),
        (None, Some(offset)) => format!("{module}:{how}:{offset:#x}"),
        (None, None) => format!("{module}:{how}:unknown"),
    }
}
