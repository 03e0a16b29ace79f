use serde_json::json;

use super::{body, id, seconds};

#[test]
fn openais_models_are_asked_for_a_length_and_a_size_they_can_do() {
    assert_eq!(
        [1, 4, 5, 8, 9, 20].map(|wanted| seconds("sora-2", wanted)),
        [4, 4, 8, 8, 12, 12]
    );
    assert_eq!(
        body("sora-2", "a fox", 8),
        json!({"model": "sora-2", "prompt": "a fox", "seconds": "8", "size": "1280x720"})
    );
}

#[test]
fn other_models_are_asked_for_what_is_wanted() {
    assert_eq!(seconds("wan-2.2", 5), 5);
    assert_eq!(
        body("wan-2.2", "a fox", 5),
        json!({"model": "wan-2.2", "prompt": "a fox", "seconds": "5"})
    );
}

#[test]
fn a_job_whose_name_would_lead_elsewhere_is_not_followed() {
    assert_eq!(id(&json!({"id": "video_68-x"})).as_deref(), Some("video_68-x"));
    for bad in [
        json!({"id": "../models"}),
        json!({"id": "a?b=c"}),
        json!({"id": ""}),
        json!({"id": 7}),
        json!({}),
    ] {
        assert_eq!(id(&bad), None, "{bad}");
    }
}
