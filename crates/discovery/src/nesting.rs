//! What would take the parser of feeds, and the process with it, down: it calls itself for some elements inside of their
//! own kind, so a document that nests without end ends the stack.

use quick_xml::Reader;
use quick_xml::events::Event;

/// How deep elements may nest; feeds with whole pages in them reach a few dozen.
const DEEPEST: usize = 128;

/// How many errors are read over: the parser goes on after some of them, so what follows counts.
const MOST_ERRORS: usize = 20;

/// Why a document is not given to the parser. It is read here as the parser reads it, by the same tokeniser.
pub(crate) fn hazard_of(text: &str) -> Option<&'static str> {
    let mut reader = Reader::from_str(text);
    let mut depth: usize = 0;
    let mut errors: usize = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Start(_)) => depth += 1,
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(Event::Eof) => return None,
            // The text is decoded: a charset that is named in its middle would make it another text.
            Ok(Event::Decl(_)) => return Some("it has a declaration in its middle"),
            Ok(_) => {}
            Err(_) => errors += 1,
        }
        if depth > DEEPEST {
            return Some("its elements nest deeper than those of any feed");
        }
        if errors > MOST_ERRORS {
            return Some("it is broken XML throughout");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::hazard_of;

    #[test]
    fn depth_is_seen_whatever_stands_before_it() {
        let deep = "<a>".repeat(200);
        for before in [
            "",
            "<b></c>",
            "<!-- <x> -->",
            "<![CDATA[</a>]]>",
            "<r x='>'>",
            "<!DOCTYPE r [<!ENTITY a 'b'>]>",
            "&nope;",
            "</z>",
        ] {
            assert!(hazard_of(&format!("{before}{deep}")).is_some(), "{before}");
        }
    }

    #[test]
    fn a_second_declaration_is_not_followed() {
        assert!(hazard_of("<rss><?xml version='1.0' encoding='utf-16'?></rss>").is_some());
    }

    #[test]
    fn what_feeds_are_like_is_no_hazard() {
        for text in [
            "",
            "words",
            "{}",
            "<rss><channel/></rss>",
            "<a><b></a>",
            "<cut",
            &"<a></a><b/>".repeat(1000),
        ] {
            assert_eq!(hazard_of(text), None, "{text}");
        }
    }
}
