//! What a model asks of a tool, read with patience: unknown arguments are ignored, wrong ones are explained.

use serde_json::Value;
use url::Url;

const QUERY_CHARS_MAX: usize = 400;
const WORDS_CHARS_MAX: usize = 300;
const URL_CHARS_MAX: usize = 4_000;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SearchErrand {
    pub query: String,
    pub count: usize,
}

/// A page to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageErrand {
    pub url: Url,
    /// The first character that is shown.
    pub from: usize,
}

/// A page to be opened in a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BrowseErrand {
    pub page: PageErrand,
    /// A CSS selector or words to wait for.
    pub wait_for: Option<String>,
    /// What is looked for; of a long page, the parts that have to do with it are shown.
    pub question: Option<String>,
}

pub(crate) fn search(arguments: &Value, count_max: usize) -> Result<SearchErrand, String> {
    let query = words(arguments, "query", QUERY_CHARS_MAX)?
        .ok_or("web_search needs `query`: what to search for, in a few words")?;
    let count = match &arguments["count"] {
        Value::Null => count_max,
        count => whole(count)
            .filter(|count| *count > 0)
            .ok_or_else(|| {
                format!(
                    "web_search: `count` is {}; it is a number from 1 to {count_max}",
                    shown(count)
                )
            })?
            .min(count_max),
    };
    Ok(SearchErrand { query, count })
}

pub(crate) fn page(tool: &str, arguments: &Value) -> Result<PageErrand, String> {
    let given = arguments["url"].as_str().map(str::trim).unwrap_or_default();
    if given.is_empty() {
        return Err(format!(
            "{tool} needs `url`: the address of a page, such as https://example.org/news"
        ));
    }
    let from = match &arguments["from"] {
        Value::Null => 0,
        from => whole(from).ok_or_else(|| {
            format!(
                "{tool}: `from` is {}; it is the number of the first character to show",
                shown(from)
            )
        })?,
    };
    Ok(PageErrand {
        url: address(tool, given)?,
        from,
    })
}

pub(crate) fn browse(arguments: &Value) -> Result<BrowseErrand, String> {
    Ok(BrowseErrand {
        page: page("browser_browse", arguments)?,
        wait_for: words(arguments, "wait_for", WORDS_CHARS_MAX)?,
        question: words(arguments, "question", WORDS_CHARS_MAX)?,
    })
}

fn address(tool: &str, given: &str) -> Result<Url, String> {
    let shown = crate::plain::line(given, 200);
    if given.chars().count() > URL_CHARS_MAX {
        return Err(format!(
            "{tool}: {shown} is longer than {URL_CHARS_MAX} characters"
        ));
    }
    // Models often leave the scheme away; `host:port` parses as a scheme of its own.
    let bare = !given.contains("://")
        && given
            .split(['/', ':'])
            .next()
            .is_some_and(|host| host.contains('.'));
    let whole = if bare {
        format!("https://{given}")
    } else {
        given.to_owned()
    };
    let mut url = Url::parse(&whole).map_err(|problem| {
        format!("{tool}: {shown} is no address ({problem}). Give one like https://example.org")
    })?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(format!(
            "{tool}: {shown} is not a page on the web. Only http and https addresses are opened"
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(format!(
            "{tool}: an address with a name or a password in it is not opened"
        ));
    }
    url.set_fragment(None);
    Ok(url)
}

fn words(arguments: &Value, name: &str, chars_max: usize) -> Result<Option<String>, String> {
    match &arguments[name] {
        Value::Null => Ok(None),
        Value::String(given) => {
            Ok(Some(crate::plain::line(given, chars_max)).filter(|line| !line.is_empty()))
        }
        other => Err(format!("`{name}` is {}; it is a text", shown(other))),
    }
}

fn shown(value: &Value) -> String {
    crate::plain::line(&value.to_string(), 60)
}

/// Models write numbers as texts now and then.
fn whole(value: &Value) -> Option<usize> {
    match value {
        Value::String(digits) => digits.trim().parse().ok(),
        Value::Number(number) => number
            .as_u64()
            .or_else(|| {
                number
                    .as_f64()
                    .filter(|f| *f >= 0.0 && f.fract() == 0.0 && *f < 1e12)
                    .map(|f| f as u64)
            })
            .and_then(|number| usize::try_from(number).ok()),
        _ => None,
    }
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
