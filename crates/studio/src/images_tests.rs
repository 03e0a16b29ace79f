use serde_json::json;

use super::{body, size};

#[test]
fn only_models_that_take_it_are_asked_for_base64() {
    assert_eq!(
        body("dall-e-3", "a fox", Some("1024x1024")),
        json!({"model": "dall-e-3", "prompt": "a fox", "n": 1, "size": "1024x1024", "response_format": "b64_json"})
    );
    assert_eq!(
        body("gpt-image-1", "a fox", Some("auto")),
        json!({"model": "gpt-image-1", "prompt": "a fox", "n": 1, "size": "auto"})
    );
    assert_eq!(
        body("sdxl", "a fox", None),
        json!({"model": "sdxl", "prompt": "a fox", "n": 1})
    );
}

#[test]
fn a_model_is_asked_for_a_size_it_can_do() {
    assert_eq!(size("gpt-image-1", "512x512"), Some("1024x1024"));
    assert_eq!(size("gpt-image-2.5-flare", "1024x1536"), Some("1024x1536"));
    assert_eq!(size("gpt-image-1", "auto"), Some("auto"));
    assert_eq!(size("dall-e-3", "1536x1024"), Some("1792x1024"));
    assert_eq!(size("dall-e-2", "auto"), Some("1024x1024"));
    assert_eq!(size("sdxl", "512x512"), Some("512x512"));
    assert_eq!(size("sdxl", "auto"), None);
}
