//! Removes comments and spaces from locktoll's scripts and styles, which are part of every page. Only their authors need
//! these.
//!
//! Scripts are parsed only as far as necessary: strings, templates and regular expressions are left as they are. A line that
//! follows an operator, an opening bracket or a comma may be joined to it; other line ends stay, since they may end a
//! statement.

/// Shortens a script without changing its meaning.
pub fn script(source: &str) -> String {
    let mut lean = Lean::new(source);
    while let Some(next) = lean.next {
        match next {
            '"' | '\'' | '`' => lean.quoted(next),
            '/' if lean.after() == Some('/') => lean.skip_line(),
            '/' if lean.after() == Some('*') => lean.skip_comment(),
            '/' if lean.begins_operand() => lean.regular_expression(),
            _ if next.is_ascii_whitespace() => lean.space(),
            _ => lean.take(),
        }
    }
    lean.out
}

/// Shortens a style sheet without changing its meaning.
pub fn style(source: &str) -> String {
    let mut lean = Lean::new(source);
    while let Some(next) = lean.next {
        match next {
            '"' => lean.quoted(next),
            '/' if lean.after() == Some('*') => lean.skip_comment(),
            _ if next.is_ascii_whitespace() => lean.style_space(),
            _ => lean.take(),
        }
    }
    lean.out
}

struct Lean<'s> {
    left: std::str::Chars<'s>,
    next: Option<char>,
    out: String,
}

impl<'s> Lean<'s> {
    fn new(source: &'s str) -> Self {
        let mut left = source.chars();
        Self {
            next: left.next(),
            left,
            out: String::with_capacity(source.len()),
        }
    }

    fn last(&self) -> char {
        self.out.chars().next_back().unwrap_or('\n')
    }

    fn after(&self) -> Option<char> {
        self.left.clone().next()
    }

    fn skip(&mut self) {
        self.next = self.left.next();
    }

    fn take(&mut self) {
        self.out.extend(self.next);
        self.skip();
    }

    /// Copies up to the closing quote.
    fn quoted(&mut self, quote: char) {
        self.take();
        while let Some(next) = self.next {
            self.take();
            match next {
                '\\' => self.take(),
                _ if next == quote => return,
                _ => {}
            }
        }
    }

    /// Whether an operand begins here: after one, a slash divides.
    fn begins_operand(&self) -> bool {
        "(,=:[!&|?{};+>\n".contains(self.last())
    }

    fn regular_expression(&mut self) {
        let mut is_class = false;
        self.take();
        while let Some(next) = self.next {
            self.take();
            match next {
                '\\' => self.take(),
                '[' => is_class = true,
                ']' => is_class = false,
                '/' if !is_class => return,
                _ => {}
            }
        }
    }

    fn skip_line(&mut self) {
        while self.next.is_some_and(|it| it != '\n') {
            self.skip();
        }
    }

    fn skip_comment(&mut self) {
        let mut last = ' ';
        self.skip();
        self.skip();
        while let Some(next) = self.next {
            self.skip();
            if (last, next) == ('*', '/') {
                return;
            }
            last = next;
        }
    }

    /// Skips white space. Returns whether a line ended in it.
    fn skip_space(&mut self) -> bool {
        let mut is_line = false;
        while let Some(next) = self.next.filter(char::is_ascii_whitespace) {
            is_line |= next == '\n';
            self.skip();
        }
        is_line
    }

    fn space(&mut self) {
        let is_line = self.skip_space();
        let last = self.last();
        let next = self.next.unwrap_or('\n');
        let is_comment = next == '/' && matches!(self.after(), Some('/' | '*'));
        if is_line {
            let goes_on = "{,([;:?&|=\n".contains(last) || "})]?:&|.,".contains(next);
            if !goes_on {
                self.out.push('\n');
            }
        } else if !is_comment
            && ((is_word(last) && is_word(next)) || (last == next && "+-/".contains(next)))
        {
            self.out.push(' ');
        }
    }

    fn style_space(&mut self) {
        self.skip_space();
        let next = self.next.unwrap_or('}');
        if !"{};,:\n".contains(self.last()) && !"{};,".contains(next) {
            self.out.push(' ');
        }
    }
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || "_$".contains(it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::assets::{SCRIPTS, STYLES};

    #[test]
    fn what_a_browser_needs_is_left() {
        for (source, lean) in [
            ("let a = 1; // One.\n    let b = 2;\n", "let a=1;let b=2;"),
            (
                "/** What. */\nf(a,\n    b)\n    .c();\nd();\n",
                "f(a,b).c();d();",
            ),
            ("a = b\n(c)\n", "a=b\n(c)\n"),
            (
                "x = a / b / c; // '\ny = \"a // b  c\";",
                "x=a/b/c;y=\"a // b  c\";",
            ),
            (
                "s.split(/[\"/] \\/ /g, ` ${a  + b}`)",
                "s.split(/[\"/] \\/ /g,` ${a  + b}`)",
            ),
            (
                "a + +b - -c; return - 1; case 'x' : typeof x",
                "a+ +b- -c;return-1;case'x':typeof x",
            ),
            (
                "const it = (a) =>\n    a ? b : c;\n",
                "const it=(a)=>\na?b:c;",
            ),
        ] {
            assert_eq!(script(source), lean);
        }
    }

    #[test]
    fn a_style_keeps_its_selectors() {
        let source = "/* Why. */\n.a > .b :hover,\n.c {\n    color: var(--x) ;\n    content: \"a  b\";\n}\n\n@media (max-width: 9px) and (x) {\n}\n";
        assert_eq!(
            style(source),
            ".a > .b :hover,.c{color:var(--x);content:\"a  b\";}@media (max-width:9px) and (x){}"
        );
    }

    /// Only white space and comments are removed: the length of everything else stays the same.
    #[test]
    fn of_our_own_files_nothing_else_is_lost() {
        let solid = |text: &str| text.chars().filter(|it| !it.is_ascii_whitespace()).count();
        for source in SCRIPTS {
            let lean = script(source);
            assert_eq!(script(&lean), lean, "once is enough");
            let without: Vec<&str> = source.lines().filter(|line| !is_comment(line)).collect();
            let behind: usize = without
                .iter()
                .filter_map(|it| it.split_once(" // "))
                .map(|it| solid(it.1) + 2)
                .sum();
            let within = without.join("\n");
            assert_eq!(solid(&lean), solid(&within) - behind, "{}", &source[..200]);
        }
        for source in STYLES {
            let lean = style(source);
            assert_eq!(style(&lean), lean);
            assert_eq!(lean.matches('{').count(), source.matches('{').count());
        }
    }

    fn is_comment(line: &str) -> bool {
        ["//", "/*", "* ", "*/"]
            .iter()
            .any(|it| line.trim_start().starts_with(it))
            || line.trim() == "*"
    }
}
