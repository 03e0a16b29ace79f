use serde_json::json;

use super::{address, question};
use crate::service::Api;

#[test]
fn the_downsized_gif_is_taken_where_it_is_small_enough() {
    let find = json!({"images": {
        "original": {"url": "https://g/original.gif", "size": "9000000"},
        "downsized": {"url": "https://g/downsized.gif", "size": "1900000"},
        "fixed_height": {"url": "https://g/fixed.gif", "size": "700000"},
        "downsized_small": {"mp4": "https://g/small.mp4", "mp4_size": "90000"},
    }});
    assert_eq!(
        address(Api::Giphy, &find, 2_000_000).unwrap(),
        "https://g/downsized.gif"
    );
    assert_eq!(
        address(Api::Giphy, &find, 1_000_000).unwrap(),
        "https://g/fixed.gif"
    );
    assert_eq!(
        address(Api::Giphy, &find, 100_000).unwrap(),
        "https://g/small.mp4"
    );
    assert_eq!(address(Api::Giphy, &find, 1_000), None);
    assert_eq!(address(Api::Giphy, &json!({}), 1_000), None);
}

#[test]
fn tenor_is_read_in_its_own_shape() {
    let find = json!({"media_formats": {
        "gif": {"url": "https://t/a.gif", "size": 5_000_000},
        "tinygif": {"url": "https://t/tiny.gif", "size": 200_000},
    }});
    assert_eq!(address(Api::Tenor, &find, 6_000_000).unwrap(), "https://t/a.gif");
    assert_eq!(
        address(Api::Tenor, &find, 1_000_000).unwrap(),
        "https://t/tiny.gif"
    );
}

#[test]
fn a_long_question_is_cut_between_words() {
    assert_eq!(question("happy cat"), "happy cat");
    let cut = question("an extremely delighted orange cat that dances on a very small table");
    assert_eq!(cut, "an extremely delighted orange cat that dances on");
    assert_eq!(question(&"ä".repeat(80)).chars().count(), 50);
}
