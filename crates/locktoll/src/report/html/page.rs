//! The page around the data.

use serde_json::Value;

/// A page that shows `documents`, each drawn by its schema.
///
/// # Errors
/// If a document cannot be written as JSON.
pub fn page(title: &str, documents: &[Value]) -> anyhow::Result<String> {
    // `<` in a string would end the block early (`</script>`); in JSON it can be written as an escape.
    let data = serde_json::to_string(documents)?.replace('<', "\\u003c");
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    Ok(format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n"
    ))
}
