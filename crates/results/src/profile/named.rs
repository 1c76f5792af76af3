//! Words for kinds of locks and for places: the same in ids, names and tables, whichever source saw the lock.

use std::path::Path;

use super::frame::Frame;
use super::lock::LockKind;

/// The word for a kind, in ids and as in the JSON schema.
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

/// The last part of a path.
pub fn base(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

/// `open_session (session.c:17)`, as far as it is known.
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

/// Where the frame lies, as an id says it: `server:first:open_session`. No lines and no addresses where there are names, so that it survives
/// a small change of the program.
pub fn place_in_id(how: &str, frame: &Frame) -> String {
    let module = base(Path::new(frame.module.as_deref().unwrap_or_default()));
    match (&frame.function, frame.offset) {
        (Some(function), _) => format!("{module}:{how}:{function}"),
        (None, Some(offset)) => format!("{module}:{how}:{offset:#x}"),
        (None, None) => format!("{module}:{how}:unknown"),
    }
}
