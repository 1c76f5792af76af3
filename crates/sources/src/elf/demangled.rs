//! Names as the source has them.

/// A name as the source has it.
pub fn demangled(name: &str) -> String {
    // Without the prefix, a C variable `a` would be read as the mangled type `signed char`.
    if !name.starts_with("_Z") && !name.starts_with("_R") {
        return name.to_owned();
    }
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return format!("{rust:#}");
    }
    cpp_demangle::Symbol::new(name)
        .ok()
        .and_then(|symbol| symbol.demangle().ok())
        .unwrap_or_else(|| name.to_owned())
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
}
