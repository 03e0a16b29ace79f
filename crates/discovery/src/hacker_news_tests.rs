use super::front_page;
use vocabulary::WallTime;

#[test]
fn the_front_page_is_read_with_its_own_page_for_what_has_no_other() {
    let read = front_page(
        r#"{"hits":[
        {"objectID":"101","title":"A thing","url":"https://example.org/thing#top","author":"pg","points":321,"num_comments":88,
         "created_at":"2030-03-17T17:46:40Z","created_at_i":1900000000,"story_id":101,"_tags":["story","front_page"],"_highlightResult":{}},
        {"objectID":"102","title":"Ask HN: Why?","url":null,"story_text":"I <i>wonder</i>&#x2F;ask.","author":"x","points":5,"num_comments":null,"created_at_i":1900000001},
        {"objectID":"103","title":null,"url":"https://example.org/untitled"}
        ],"nbHits":3,"page":0}"#,
    )
    .expect("an answer");
    let [thing, ask] = &read.stories[..] else {
        panic!("two stories, not {:?}", read.stories)
    };
    assert_eq!(thing.url, "https://example.org/thing");
    assert_eq!((thing.points, thing.comments), (Some(321), Some(88)));
    assert_eq!(thing.published_at, Some(WallTime(1_900_000_000_000)));
    assert_eq!(ask.url, "https://news.ycombinator.com/item?id=102");
    assert_eq!(ask.summary, "I wonder/ask.");
    assert_eq!(ask.comments, None);
}

#[test]
fn what_is_no_answer_is_said_to_be_none() {
    for json in ["", "{}", "<html>", r#"{"hits":[{"objectID":7}]}"#] {
        assert!(front_page(json).is_err(), "{json}");
    }
}
