use super::*;

#[test]
fn families_get_what_they_were_taught_with() {
    for (model, query, passage) in [
        ("text-embedding-3-small", "", ""),
        ("all-MiniLM-L6-v2-int8", "", ""),
        ("gte-small thenlper/gte-small", "", ""),
        ("nomic-embed-text", "search_query: ", "search_document: "),
        (
            "nomic-ai/nomic-embed-text-v1.5",
            "search_query: ",
            "search_document: ",
        ),
        ("nomic-embed-text:latest", "search_query: ", "search_document: "),
        ("nomic-embed-code", "", ""),
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("intfloat/multilingual-e5-large-instruct", INSTRUCTED, ""),
        ("BAAI/bge-small-en-v1.5", SEARCHING, ""),
        ("bge-large", SEARCHING, ""),
        (
            "BAAI/bge-base-zh-v1.5",
            "为这个句子生成表示以用于检索相关文章：",
            "",
        ),
        ("bge-m3:567m", "", ""),
        ("mxbai-embed-large", SEARCHING, ""),
        ("snowflake-arctic-embed:33m", SEARCHING, ""),
        ("snowflake-arctic-embed2", "query: ", ""),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "query: ", ""),
        (
            "embeddinggemma:300m",
            "task: search result | query: ",
            "title: none | text: ",
        ),
        ("qwen3-embedding:0.6b", INSTRUCTED, ""),
        ("made5-up", "", ""),
    ] {
        let prefixes = Prefixes::of_model(model);
        assert_eq!(prefixes.before(EmbedRole::Query), query, "{model}");
        assert_eq!(prefixes.before(EmbedRole::Passage), passage, "{model}");
    }
}
