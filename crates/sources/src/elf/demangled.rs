//! Names as in the source code.

use std::fmt;

/// The longest name that is produced. A mangled name of a few hundred bytes can expand to gigabytes, since it refers to its own
/// parts.
const LONGEST: usize = 64 << 10;

/// Returns a name as in the source code, or the linker's name where the other would be too long.
pub fn demangled(name: &str) -> String {
    // Without the prefix, a C variable `a` would be read as the mangled type `signed char`.
    if !name.starts_with("_Z") && !name.starts_with("_R") {
        return name.to_owned();
    }
    let mut plain = Limited(String::new());
    let written = match rustc_demangle::try_demangle(name) {
        Ok(rust) => fmt::write(&mut plain, format_args!("{rust:#}")).is_ok(),
        Err(_) => cpp_demangle::Symbol::new(name).is_ok_and(|symbol| {
            let options = cpp_demangle::DemangleOptions::default();
            symbol.structured_demangle(&mut plain, &options).is_ok()
        }),
    };
    match written {
        true => plain.0,
        false => name.to_owned(),
    }
}

/// A text of at most [`LONGEST`] bytes.
struct Limited(String);

impl fmt::Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_as_the_source_has_them() {
        assert_eq!(demangled("queue_lock"), "queue_lock");
        assert_eq!(demangled("f"), "f");
        assert_eq!(demangled("_ZN3app5cacheE"), "app::cache");
        assert_eq!(
            demangled("_ZN4demo3log8log_lock17h0123456789abcdefE"),
            "demo::log::log_lock"
        );
    }

    #[test]
    fn a_name_that_doubles_itself_stays_as_it_is() {
        // f(pair<int, int>, pair<pair<int, int>, pair<int, int>>, ...)
        let doubled = |times: u32| {
            let number = |n: u32| char::from_digit(n, 36).unwrap().to_ascii_uppercase();
            let again = (0..times).map(|n| format!("S_IS{0}_S{0}_E", number(n)));
            again.fold("_Z1f4pairIiiE".to_owned(), |name, part| name + &part)
        };
        let short = demangled(&doubled(1));
        assert!(
            short.starts_with("f(pair<int, int>, pair<pair<int, int>, pair<int, int>"),
            "{short}"
        );
        let long = doubled(35);
        assert_eq!(demangled(&long), long);
    }
}
