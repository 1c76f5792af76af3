//! Places, kinds and names in words, the same in every format.
//!
//! All text from the program passes through [`shown_text`] here.

pub use locktoll_results::profile::kind_word as kind;
use locktoll_results::profile::{Frame, HolderThread, LockKind, OwnerField, OwnerState, caller};
use locktoll_terminal::escape::shown_text;

/// Returns the last part of a path.
pub fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the function of a frame, or whatever else identifies the place.
pub fn function(frame: &Frame) -> String {
    match (&frame.function, &frame.module, frame.offset) {
        (Some(function), ..) => shown_text(function),
        (None, Some(module), Some(offset)) => format!("{}+{offset:#x}", shown_text(base(module))),
        (None, Some(module), None) => shown_text(base(module)),
        (None, None, Some(address)) => format!("{address:#x}"),
        (None, None, None) => "(unknown)".to_owned(),
    }
}

/// Returns the same as one frame of folded stacks, where a separator (`[u8; 4]`) would split it in two.
pub fn one_frame(frame: &Frame) -> String {
    function(frame).replace(';', ":")
}

/// Returns a frame's function with its line, `write_log_line (log.c:88)`, or with its address if the line is not known, so
/// that two places in one function stay distinct.
pub fn frame(frame: &Frame) -> String {
    let function = function(frame);
    match (&frame.file, frame.line, &frame.module, frame.offset) {
        (Some(file), Some(line), ..) => format!("{function} ({}:{line})", shown_text(base(file))),
        (Some(file), None, ..) => format!("{function} ({})", shown_text(base(file))),
        (None, _, Some(module), Some(offset)) if frame.function.is_some() => {
            format!("{function} ({}+{offset:#x})", shown_text(base(module)))
        }
        _ => function,
    }
}

/// Describes a call site in one phrase: the function that asked for the lock, behind the wrappers of standard libraries.
pub fn site(frames: &[Frame]) -> String {
    caller(frames).map_or_else(|| "(place not kept)".to_owned(), frame)
}

/// Describes a thread by its name and id.
pub fn thread(thread: &HolderThread) -> String {
    match thread.name.as_str() {
        "" => format!("thread {}", thread.tid),
        name => format!("thread {} ({})", shown_text(name), thread.tid),
    }
}

/// Says why no other thread of the process will release a mutex, by its owner field.
pub fn owner_field(field: &OwnerField) -> String {
    let tid = field.tid;
    match (field.state, field.pid) {
        (OwnerState::TheWaiter, _) => {
            "the waiting thread already holds the lock, so it waits for itself".to_owned()
        }
        (OwnerState::Ended, _) => {
            format!("the lock's owner, thread {tid}, ended without releasing it")
        }
        (OwnerState::OfAnotherProcess, Some(pid)) => format!(
            "the lock's owner is thread {tid} of another process, {pid}: the lock was held during a fork, or is shared between processes"
        ),
        (OwnerState::OfAnotherProcess | OwnerState::NotOfThisProcess, _) => {
            format!("the lock's owner field names thread {tid}, which is not in this process")
        }
    }
}

/// Returns the calls from the one that asked for the lock outwards. The calls inside it are only the standard library's
/// wrappers around the lock function, which would hide the places that differ.
pub fn from_caller(frames: &[Frame]) -> &[Frame] {
    let asked = caller(frames);
    let at = frames
        .iter()
        .position(|frame| asked.is_some_and(|asked| std::ptr::eq(frame, asked)));
    &frames[at.unwrap_or(0)..]
}

/// Returns the plural name of a kind of lock.
pub fn several(kind: LockKind) -> &'static str {
    match kind {
        LockKind::Mutex => "locks",
        LockKind::RwLock => "rwlocks",
        LockKind::Spin => "spin locks",
        LockKind::Semaphore => "semaphores",
        LockKind::Condvar => "condvars",
        LockKind::Barrier => "barriers",
        LockKind::Futex => "futexes",
    }
}

/// The texts that follow the kind in the descriptions of locks without a name.
const DESCRIBED: [&str; 3] = [" made in ", " first taken in ", " first waited for in "];

/// Returns a lock's name, no longer than `width`. In `lock made in new_session (session.c:17)` the function is kept longest.
pub fn fit_name(name: &str, width: usize) -> String {
    let fits = |text: &str| text.chars().count() <= width;
    if fits(name) {
        return name.to_owned();
    }
    // If it describes where the lock was waited for, the wait is the least useful part.
    let name = &match name.contains(" first waited for in ") {
        true => name.to_owned(),
        false => name.replacen(" waited for in ", " in ", 1),
    };
    if fits(name) {
        return name.clone();
    }
    let place = DESCRIBED.iter().find_map(|words| {
        let at = name.find(words)? + words.len();
        Some(&name[at..])
    });
    let place = place.unwrap_or(name);
    let bare = without_parameters(place);
    match (fits(place), fits(&bare)) {
        (true, _) => place.to_owned(),
        (false, true) => bare,
        (false, false) => cut_left(&without_lines(&bare), width),
    }
}

/// Returns a name without types, lines and addresses: what remains of it before its beginning is cut off.
pub fn brief(name: &str) -> String {
    without_lines(&without_parameters(name))
}

/// Returns a place in the program, no longer than `width`. The line or address is kept longest, since it distinguishes two
/// places in one function; next the end of the function's name.
pub fn fit_place(place: &str, width: usize) -> String {
    if place.chars().count() <= width {
        return place.to_owned();
    }
    cut_left(&without_parameters(place), width)
}

/// Returns `app::Map<>::find` for `app::Map<int, std::string>::find(int) const`: the types in the name of a C++ function take
/// more room than the function.
fn without_parameters(place: &str) -> String {
    const QUALIFIERS: [&str; 3] = [" const", " volatile", " &"];
    let mut short = String::with_capacity(place.len());
    let mut rest = place;
    let mut operator_ended = 0;
    while let Some(next) = rest.chars().next() {
        // These are names that consist of brackets themselves.
        if let Some(operator) = rest.strip_prefix("operator") {
            let end = operator.find(|it: char| !"<>=-!()".contains(it));
            let symbols = &operator[..end.unwrap_or(operator.len())];
            let symbols = match symbols.find("()").or_else(|| symbols.find('(')) {
                Some(0) => &symbols[..symbols.len().min(2)],
                Some(at) => &symbols[..at],
                None => symbols,
            };
            let taken = "operator".len() + symbols.len();
            short.push_str(&rest[..taken]);
            rest = &rest[taken..];
            operator_ended = short.len();
            continue;
        }
        let before = short.chars().next_back();
        let of_a_name = before.is_some_and(|it| {
            operator_ended == short.len() || (!it.is_whitespace() && !":<(,*&".contains(it))
        });
        let closed = match next {
            '(' | '<' if of_a_name => closing(rest),
            _ => None,
        };
        let Some(closed) = closed else {
            short.push(next);
            rest = &rest[next.len_utf8()..];
            continue;
        };
        rest = &rest[closed..];
        if next == '<' {
            short.push_str("<>");
        }
        while let Some(behind) = QUALIFIERS.iter().find_map(|it| rest.strip_prefix(it)) {
            rest = behind;
        }
    }
    short
}

/// Returns the position after the bracket that the text begins with and its contents, if the bracket is closed.
fn closing(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '(' | '<' => open.push(character),
            // An arrow is not a bracket.
            '>' if before == '-' => {}
            ')' | '>' => {
                let opened = open.pop()?;
                if (opened == '(') != (character == ')') {
                    return None;
                }
                if open.is_empty() {
                    return Some(at + character.len_utf8());
                }
            }
            _ => {}
        }
        before = character;
    }
    None
}

/// Removes ` (file.c:17)` or ` (libfile.so+0x17)` after each function.
fn without_lines(place: &str) -> String {
    let mut pieces = place.split(" (");
    let mut short = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once(')') {
            Some((line, rest)) if line.contains(':') || line.contains("+0x") => {
                short.push_str(rest);
            }
            _ => {
                short.push_str(" (");
                short.push_str(piece);
            }
        }
    }
    short
}

/// Cuts the text to `width` on the left: the end of a path or of a qualified name is the most useful part. It is cut between
/// words if that costs little.
pub fn cut_left(text: &str, width: usize) -> String {
    /// The most characters that a cut between words may cost.
    const LITTLE: usize = 10;
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    let tail: String = text
        .chars()
        .skip(length - width.saturating_sub(3))
        .collect();
    let word = tail
        .char_indices()
        .take(LITTLE)
        .find_map(|(at, character)| {
            let rest = &tail[at + character.len_utf8()..];
            (" :/".contains(character) && rest.starts_with(char::is_alphanumeric)).then_some(rest)
        });
    format!("...{}", word.unwrap_or(&tail))
}

/// Cuts the text to `width` at its end.
pub fn cut_right(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let head = text.chars().take(width.saturating_sub(3));
    format!("{}...", head.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_told_by_what_is_known_of_it() {
        let mut place = Frame {
            function: Some("push\x1b[2J".to_owned()),
            file: Some("/src/queue.c".to_owned()),
            line: Some(7),
            module: Some("/opt/server".to_owned()),
            offset: Some(0x1234),
        };
        assert_eq!(frame(&place), r"push\u{1b}[2J (queue.c:7)");
        place.line = None;
        assert_eq!(frame(&place), r"push\u{1b}[2J (queue.c)");
        place.file = None;
        assert_eq!(frame(&place), r"push\u{1b}[2J (server+0x1234)");
        place.function = None;
        assert_eq!(frame(&place), "server+0x1234");
        place.module = None;
        assert_eq!(frame(&place), "0x1234");
        assert_eq!(site(&[]), "(place not kept)");
    }

    #[test]
    fn a_stack_begins_where_the_program_asked() {
        let frames: Vec<Frame> = [
            "__gthread_mutex_lock",
            "std::mutex::lock()",
            "push",
            "std::invoke",
            "main",
        ]
        .map(|name| Frame {
            function: Some(name.to_owned()),
            ..Frame::default()
        })
        .into();
        assert_eq!(from_caller(&frames), &frames[2..]);
        assert_eq!(from_caller(&frames[..2]), &frames[..2]);
        assert_eq!(from_caller(&[]), &[]);
    }

    #[test]
    fn of_a_described_lock_the_function_is_kept_longest() {
        let name = "lock made in new_session (session.c:17)";
        assert_eq!(fit_name(name, 40), name);
        assert_eq!(fit_name(name, 30), "new_session (session.c:17)");
        assert_eq!(fit_name(name, 20), "new_session");
        assert_eq!(fit_name(name, 10), "...session");
        let apart = format!("{name} via accept (net.c:5)");
        assert_eq!(fit_name(&apart, 30), "new_session via accept");
        assert_eq!(fit_name(&apart, 14), "...via accept");
        let apart = format!("{name} via accept(int, char const*) (libnet.so+0x51b2)");
        assert_eq!(fit_name(&apart, 30), "new_session via accept");
        assert_eq!(fit_name("semaphore first taken in f", 5), "f");
        assert_eq!(fit_name("event first waited for in f", 5), "f");
        let end = "end of a thread waited for in work (futex)";
        assert_eq!(fit_name(end, 35), "end of a thread in work (futex)");
        assert_eq!(fit_name("a_long_variable_name", 12), "...able_name");
    }

    #[test]
    fn types_in_a_name_go_before_the_name() {
        for (long, short) in [
            (
                "db::Writer::wait(db::Writer*, unsigned char)",
                "db::Writer::wait",
            ),
            (
                "app::Map<int, std::string>::find(int) const",
                "app::Map<>::find",
            ),
            (
                "(anonymous namespace)::run(int)",
                "(anonymous namespace)::run",
            ),
            (
                "run(void (*)(int))::{lambda(int)#1}::operator()(int) const",
                "run::{lambda#1}::operator()",
            ),
            ("a::operator<<(std::ostream&, b const&)", "a::operator<<"),
            ("a::operator()<int>(int)", "a::operator()<>"),
            ("operator==(a const&, a const&)", "operator=="),
            ("<a::B<C> as d::E>::f", "<a::B<> as d::E>::f"),
            ("a::f<fn(u8) -> u8>", "a::f<>"),
            ("f (lib.so+0x12)", "f (lib.so+0x12)"),
            ("f(int) (f.c:12)", "f (f.c:12)"),
            ("f(int", "f(int"),
            ("f<a(b>c)", "f<a(b>c)"),
        ] {
            assert_eq!(without_parameters(long), short, "{long}");
        }
        let place = "db::Writer::wait(db::Writer*, unsigned char) (libdb.so+0x57784b)";
        assert_eq!(fit_place(place, 64), place);
        assert_eq!(fit_place(place, 40), "db::Writer::wait (libdb.so+0x57784b)");
        assert_eq!(fit_place(place, 32), "...wait (libdb.so+0x57784b)");
    }

    #[test]
    fn cuts_keep_to_the_width() {
        assert_eq!(cut_left("abcdef", 6), "abcdef");
        assert_eq!(cut_left("abcdefg", 6), "...efg");
        assert_eq!(cut_right("abcdefg", 6), "abc...");
        assert_eq!(cut_left("größer::als", 6), "...als");
        assert_eq!(
            cut_left("cache::Cache::insert (cache.rs:118)", 30),
            "...insert (cache.rs:118)"
        );
        assert_eq!(
            cut_left("abcdefghijklmnopqrstuvwxyz_b", 22),
            "...jklmnopqrstuvwxyz_b"
        );
    }
}
