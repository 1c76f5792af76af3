//! Which `#[cfg(...)]` leaves an item to tests alone.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Whether the contents of `#[...]` keep an item out of everything but tests: `#[test]`, or a `cfg` that is false
/// wherever `test` is.
pub fn is_test_only(attribute: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = attribute.clone().into_iter().collect();
    match &tokens[..] {
        [TokenTree::Ident(name)] => name == "test",
        [TokenTree::Ident(name), TokenTree::Group(condition)] if name == "cfg" => {
            without_tests(condition.stream()) == Some(false)
        }
        _ => false,
    }
}

/// A condition's value where `test` is false, if that decides it.
fn without_tests(condition: TokenStream) -> Option<bool> {
    let tokens: Vec<TokenTree> = condition.into_iter().collect();
    match &tokens[..] {
        [TokenTree::Ident(name)] if name == "test" => Some(false),
        [TokenTree::Ident(name), TokenTree::Group(inner)]
            if inner.delimiter() == Delimiter::Parenthesis =>
        {
            let mut parts = separated(inner.stream()).into_iter().map(without_tests);
            match name.to_string().as_str() {
                "not" => parts.next().flatten().map(|value| !value),
                "all" => combined(parts, false),
                "any" => combined(parts, true),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The value of a list of conditions in which one that has the value `decisive` decides.
fn combined(parts: impl Iterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let mut all_known = true;
    for part in parts {
        match part {
            Some(value) if value == decisive => return Some(decisive),
            Some(_) => {}
            None => all_known = false,
        }
    }
    all_known.then_some(!decisive)
}

fn separated(list: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in list {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            token => parts.last_mut().expect("never empty").extend([token]),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}
