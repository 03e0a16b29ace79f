//! What is put before a text, for models that were taught to tell questions from passages that way.

use runtime::ports::EmbedRole;

/// What stands before queries and before passages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Prefixes {
    pub(super) query: String,
    pub(super) passage: String,
}

/// A family of models: every piece must be in the name, none of the exceptions may.
struct Family {
    pieces: &'static [&'static str],
    except: &'static [&'static str],
    query: &'static str,
    passage: &'static str,
}

const SEARCHING: &str = "Represent this sentence for searching relevant passages: ";
const INSTRUCTED: &str =
    "Instruct: Given something said in a conversation, retrieve what was said before that fits it\nQuery: ";

/// The first that fits is taken; `-name-` matches whole words of a model's name only.
const FAMILIES: &[Family] = &[
    family(&["-e5-", "-instruct-"], &[], INSTRUCTED, ""),
    family(&["-e5-"], &[], "query: ", "passage: "),
    family(
        &["-nomic-embed-"],
        &["code"],
        "search_query: ",
        "search_document: ",
    ),
    family(
        &["-bge-", "-zh-"],
        &[],
        "为这个句子生成表示以用于检索相关文章：",
        "",
    ),
    family(&["-bge-"], &["-m3-", "-icl-", "-multilingual-"], SEARCHING, ""),
    family(&["-mxbai-embed-"], &[], SEARCHING, ""),
    family(&["-arctic-embed-", "-v2-"], &[], "query: ", ""),
    family(&["-arctic-embed2-"], &[], "query: ", ""),
    family(&["-arctic-embed-"], &[], SEARCHING, ""),
    family(
        &["embeddinggemma"],
        &[],
        "task: search result | query: ",
        "title: none | text: ",
    ),
    family(&["-qwen3-embedding-"], &[], INSTRUCTED, ""),
];

const fn family(
    pieces: &'static [&'static str],
    except: &'static [&'static str],
    query: &'static str,
    passage: &'static str,
) -> Family {
    Family {
        pieces,
        except,
        query,
        passage,
    }
}

impl Prefixes {
    /// What a model of this name wants; most want nothing.
    pub(super) fn of_model(name: &str) -> Self {
        let words: Vec<String> = name
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .map(str::to_owned)
            .collect();
        let name = format!("-{}-", words.join("-"));
        let has = |piece: &&str| name.contains(*piece);
        FAMILIES
            .iter()
            .find(|family| family.pieces.iter().all(has) && !family.except.iter().any(has))
            .map_or_else(Self::default, |family| Self {
                query: family.query.to_owned(),
                passage: family.passage.to_owned(),
            })
    }

    pub(super) fn before(&self, role: EmbedRole) -> &str {
        match role {
            EmbedRole::Query => &self.query,
            EmbedRole::Passage => &self.passage,
        }
    }
}

#[cfg(test)]
#[path = "prefix_tests.rs"]
mod tests;
