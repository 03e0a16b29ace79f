use serde_json::{Value, json};

use super::{clip, picture};

#[test]
fn a_picture_costs_by_the_tokens_that_were_counted() {
    let answer = json!({"usage": {"input_tokens": 50, "output_tokens": 1056, "input_tokens_details": {"text_tokens": 50, "image_tokens": 0}}});
    assert_eq!(picture("gpt-image-1", "1024x1024", &answer), Some(42_490));
    assert_eq!(picture("gpt-image-1-mini", "1024x1024", &answer), Some(8_548));
    assert_eq!(picture("gpt-image-2.5-flare", "1024x1024", &answer), Some(31_930));
}

#[test]
fn what_is_not_known_is_not_guessed() {
    assert_eq!(picture("gpt-image-1", "1024x1024", &Value::Null), None);
    assert_eq!(
        picture(
            "sdxl",
            "1024x1024",
            &json!({"usage": {"input_tokens": 1, "output_tokens": 1}})
        ),
        None
    );
    assert_eq!(clip("wan-2.2", 4), None);
}

#[test]
fn fixed_prices_go_by_size_and_length() {
    assert_eq!(picture("dall-e-3", "1024x1792", &Value::Null), Some(80_000));
    assert_eq!(clip("sora-2", 8), Some(800_000));
    assert_eq!(clip("sora-2-pro", 4), Some(1_200_000));
}
