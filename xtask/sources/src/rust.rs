//! Functions and lines of code in the tokens of a Rust file.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenTree};

use crate::function::{Function, has_reason};
use crate::item::is;
use crate::path::{line, word};

/// The numbers of the lines with code: documentation is none.
pub fn code_lines(text: &str, tokens: &[TokenTree]) -> usize {
    let texts: Vec<&str> = text.lines().collect();
    let mut lines = BTreeSet::new();
    collect(tokens, &mut lines);
    let blank = |line: &usize| texts.get(line - 1).is_none_or(|it| it.trim().is_empty());
    lines.iter().filter(|line| !blank(line)).count()
}

fn collect(tokens: &[TokenTree], lines: &mut BTreeSet<usize>) {
    let mut at = 0;
    while at < tokens.len() {
        if let Some(length) = documentation(&tokens[at..]) {
            at += length;
            continue;
        }
        let span = tokens[at].span();
        let (from, to) = (span.start().line, span.end().line);
        if let TokenTree::Group(group) = &tokens[at] {
            lines.extend([from, to]);
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            collect(&inner, lines);
        } else {
            lines.extend(from..=to);
        }
        at += 1;
    }
}

/// How many tokens the `#[doc = ...]` takes that the tokens begin with: that is what `///` and `//!` are read as.
fn documentation(tokens: &[TokenTree]) -> Option<usize> {
    let marks = 1 + usize::from(tokens.get(1).is_some_and(|token| is(token, '!')));
    let (TokenTree::Punct(_), TokenTree::Group(group)) = (&tokens[0], tokens.get(marks)?) else {
        return None;
    };
    let words: Vec<TokenTree> = group.stream().into_iter().take(2).collect();
    match &words[..] {
        [TokenTree::Ident(name), equals] if name == "doc" && is(equals, '=') => Some(marks + 1),
        _ => None,
    }
}

/// Every function with a body, inner ones too.
pub fn functions(text: &str, tokens: &[TokenTree]) -> Vec<Function> {
    let texts: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    search(&texts, tokens, &mut found);
    found
}

fn search(texts: &[&str], tokens: &[TokenTree], found: &mut Vec<Function>) {
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            search(texts, &inner, found);
        }
        let [TokenTree::Ident(keyword), TokenTree::Ident(name), rest @ ..] = &tokens[at..] else {
            continue;
        };
        if keyword != "fn" {
            continue;
        }
        let body = rest.iter().find(|token| is(token, ';') || is_braces(token));
        if let Some(TokenTree::Group(body)) = body {
            let line = line(keyword);
            found.push(Function {
                name: word(name),
                line,
                lines: body.span().end().line + 1 - line,
                reason: has_reason(texts, line),
            });
        }
    }
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}
