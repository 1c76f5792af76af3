//! The tokens of a file without those that only tests see.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::cfg::is_test_only;

/// The tokens that are also compiled without tests, in groups as before. Nothing is left of a file that says
/// `#![cfg(test)]`.
pub fn product(stream: TokenStream) -> Vec<TokenTree> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(attribute) = inner_attribute(&tokens[at..]) {
            if is_test_only(&attribute.stream()) {
                return Vec::new();
            }
        } else if let Some(attribute) = outer_attribute(&tokens[at..])
            && is_test_only(&attribute.stream())
        {
            // The attributes before this one say nothing without their item.
            while ends_with_attribute(&kept) {
                kept.truncate(kept.len() - 2);
            }
            at = end_of_item(&tokens, at);
            continue;
        }
        kept.push(match &tokens[at] {
            TokenTree::Group(group) => regrouped(group),
            token => token.clone(),
        });
        at += 1;
    }
    kept
}

/// The contents of an attribute that the tokens begin with: `#[...]`.
pub fn outer_attribute(tokens: &[TokenTree]) -> Option<&Group> {
    match tokens {
        [first, TokenTree::Group(group), ..] if is(first, '#') && is_bracket(group) => Some(group),
        _ => None,
    }
}

pub fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

fn inner_attribute(tokens: &[TokenTree]) -> Option<&Group> {
    match tokens {
        [first, second, TokenTree::Group(group), ..]
            if is(first, '#') && is(second, '!') && is_bracket(group) =>
        {
            Some(group)
        }
        _ => None,
    }
}

fn is_bracket(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
}

fn ends_with_attribute(kept: &[TokenTree]) -> bool {
    kept.len() >= 2 && outer_attribute(&kept[kept.len() - 2..]).is_some()
}

fn regrouped(group: &Group) -> TokenTree {
    let inner = product(group.stream()).into_iter().collect();
    let mut new = Group::new(group.delimiter(), inner);
    new.set_span(group.span());
    TokenTree::Group(new)
}

/// Where the item, statement, field or arm ends whose attributes begin at `from`.
fn end_of_item(tokens: &[TokenTree], from: usize) -> usize {
    let mut at = from;
    while outer_attribute(&tokens[at..]).is_some() {
        at += 2;
    }
    let end = End::of(&tokens[at..]);
    let mut angles = 0_i32;
    while at < tokens.len() {
        let token = &tokens[at];
        let arrow = at > 0 && (is(&tokens[at - 1], '-') || is(&tokens[at - 1], '='));
        match token {
            TokenTree::Punct(punct) => match punct.as_char() {
                ';' => return at + 1,
                ',' if end == End::Comma && angles <= 0 => return at + 1,
                '<' => angles += 1,
                '>' if !arrow => angles -= 1,
                _ => {}
            },
            TokenTree::Group(group)
                if end != End::Semicolon && group.delimiter() == Delimiter::Brace =>
            {
                let comma = tokens.get(at + 1).is_some_and(|next| is(next, ','));
                return at + 1 + usize::from(comma && end == End::Comma);
            }
            _ => {}
        }
        at += 1;
    }
    at
}

/// How an item ends, besides with a semicolon.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// With braces: a function, a type, a module, a macro.
    Braces,
    /// With nothing else: `use`, `const`, `static`, `type`, `let`.
    Semicolon,
    /// With braces or a comma: a field, an arm, an argument.
    Comma,
}

impl End {
    fn of(tokens: &[TokenTree]) -> End {
        let mut words = tokens.iter().filter_map(|token| match token {
            TokenTree::Ident(ident) => Some(ident.to_string()),
            _ => None,
        });
        let mut word = words.next();
        while word.as_deref() == Some("pub") || word.as_deref() == Some("unsafe") {
            word = words.next();
        }
        match word.as_deref() {
            Some("const") => match words.next().as_deref() {
                Some("fn" | "unsafe" | "extern") => End::Braces,
                _ => End::Semicolon,
            },
            Some("use" | "static" | "type" | "let") => End::Semicolon,
            Some(
                "fn" | "async" | "extern" | "struct" | "enum" | "union" | "trait" | "impl" | "mod"
                | "macro_rules",
            ) => End::Braces,
            _ => End::Comma,
        }
    }
}
