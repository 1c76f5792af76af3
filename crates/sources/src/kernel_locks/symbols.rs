//! The kernel's functions and variables by address, from /proc/kallsyms.

use std::io::{BufRead, BufReader};

/// Kernels without CONFIG_KALLSYMS_ALL list a few markers among their variables, and no variables behind them.
const FEWEST_VARIABLES: usize = 500;

/// The largest size that a variable is assumed to have: behind the last one before a gap, there is something else.
const LONGEST_VARIABLE: u64 = 1 << 20;

/// The names of the kernel and its modules.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    functions: Vec<Symbol>,
    variables: Vec<Symbol>,
}

#[derive(Clone, Debug, PartialEq)]
struct Symbol {
    address: u64,
    name: String,
}

impl Symbols {
    /// Reads the names.
    ///
    /// # Errors
    /// Why there are none, in a few words.
    pub fn read() -> Result<Self, String> {
        let file = std::fs::File::open("/proc/kallsyms")
            .map_err(|error| format!("/proc/kallsyms cannot be read: {error}"))?;
        Self::parse(BufReader::new(file), FEWEST_VARIABLES)
    }

    fn parse(text: impl BufRead, fewest: usize) -> Result<Self, String> {
        let mut symbols = Self::default();
        let mut seen = false;
        for line in text.lines() {
            let line = line.map_err(|error| format!("/proc/kallsyms cannot be read: {error}"))?;
            let mut words = line.split_ascii_whitespace();
            let (Some(address), Some(kind), Some(name)) =
                (words.next(), words.next(), words.next())
            else {
                continue;
            };
            seen = true;
            let address = u64::from_str_radix(address, 16).unwrap_or(0);
            let of_kind = match kind {
                "t" | "T" | "w" | "W" => &mut symbols.functions,
                "d" | "D" | "b" | "B" | "r" | "R" | "v" | "V" => &mut symbols.variables,
                _ => continue,
            };
            if address > 0 {
                of_kind.push(Symbol {
                    address,
                    name: plain(name).to_owned(),
                });
            }
        }
        if symbols.functions.is_empty() {
            return Err(match seen {
                true => "the kernel hides its addresses: it takes CAP_SYSLOG, and kernel.kptr_restrict below 2".to_owned(),
                false => "/proc/kallsyms is empty".to_owned(),
            });
        }
        if symbols.variables.len() < fewest {
            symbols.variables.clear();
        }
        // Of several names for one address, the first stays in front.
        symbols.functions.sort_by_key(|symbol| symbol.address);
        symbols.variables.sort_by_key(|symbol| symbol.address);
        Ok(symbols)
    }

    /// Returns the function in which this address lies.
    pub fn function(&self, address: u64) -> Option<&str> {
        Some(&before(&self.functions, address)?.name)
    }

    /// Whether the kernel lists the names of its variables.
    pub fn has_variables(&self) -> bool {
        !self.variables.is_empty()
    }

    /// Returns the variable in which this address lies, and the offset in it.
    pub fn variable(&self, address: u64) -> Option<(&str, u64)> {
        let found = before(&self.variables, address)?;
        let offset = address - found.address;
        // Memory that is not a variable lies far behind the last one.
        let next = self.variables.get(
            self.variables
                .partition_point(|symbol| symbol.address <= address),
        );
        (next.is_some() && offset < LONGEST_VARIABLE).then_some((found.name.as_str(), offset))
    }
}

/// Returns the last symbol at or before this address; if several are there, the first of them.
fn before(symbols: &[Symbol], address: u64) -> Option<&Symbol> {
    let behind = symbols.partition_point(|symbol| symbol.address <= address);
    let last = symbols.get(behind.checked_sub(1)?)?.address;
    symbols.get(symbols.partition_point(|symbol| symbol.address < last))
}

/// Returns the name without the compiler's suffix for a copy of a function: `.isra.0`, `.constprop.0`, `.part.0`, `.cold`.
fn plain(name: &str) -> &str {
    match name.find('.') {
        Some(at) if at > 0 => &name[..at],
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
ffffffff81000000 T _stext
ffffffff81000000 T _text
ffffffff81000100 t alloc.isra.0
ffffffff81000200 T last
ffffffff82000000 D first_lock
ffffffff82000040 d second\t[module]
ffffffff82001000 A absolute
ffffffff82001000 B end
";

    #[test]
    fn addresses_have_the_names_of_what_they_are_in() {
        let symbols = Symbols::parse(TEXT.as_bytes(), 1).unwrap();
        assert_eq!(symbols.function(0xffff_ffff_8100_0004), Some("_stext"));
        assert_eq!(symbols.function(0xffff_ffff_8100_01ff), Some("alloc"));
        assert_eq!(symbols.function(7), None);
        assert_eq!(symbols.variable(0xffff_ffff_8200_0044), Some(("second", 4)));
        // Allocated memory, before and behind all variables.
        assert_eq!(symbols.variable(0xffff_8881_0000_0000), None);
        assert_eq!(symbols.variable(0xffff_ffff_9000_0000), None);
    }

    #[test]
    fn marks_alone_are_no_variables() {
        let symbols = Symbols::parse(TEXT.as_bytes(), 4).unwrap();
        assert!(!symbols.has_variables());
        assert_eq!(symbols.variable(0xffff_ffff_8200_0044), None);
    }

    #[test]
    fn hidden_addresses_are_no_symbols() {
        let why = Symbols::parse("0000000000000000 T _text\n".as_bytes(), 1).unwrap_err();
        assert!(why.contains("CAP_SYSLOG"), "{why}");
    }

    proptest::proptest! {
        #[test]
        fn any_text_gives_names_or_a_reason(text in "([0-9a-f]{0,17} [a-zA-Z] \\PC{0,8}\n){0,8}", address: u64) {
            if let Ok(symbols) = Symbols::parse(text.as_bytes(), 1) {
                symbols.function(address);
                symbols.variable(address);
            }
        }
    }
}
