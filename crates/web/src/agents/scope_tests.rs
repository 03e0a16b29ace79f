use serde_json::json;
use vocabulary::{CommunityId, Place, Reach, Viewpoint};

use settings::Settings;

use super::scope::{AgentScope, AgentView, Defaults, person_id, session_id};

fn scope(value: serde_json::Value) -> AgentScope {
    serde_json::from_value(value).unwrap()
}

#[test]
fn without_a_scope_turns_belong_to_the_agents_and_the_room_is_the_agent() {
    let place = scope(json!({}))
        .place("my-agent/42", &Defaults::of_agents(&Settings::default()))
        .unwrap();
    assert_eq!(
        place,
        Place {
            community: "agents".into(),
            room: "my-agent".into(),
            private: false
        }
    );
    let place = scope(json!({"community": "team", "room": "ops", "private": true}))
        .place("my-agent/42", &Defaults::of_agents(&Settings::default()))
        .unwrap();
    assert_eq!(
        (place.community.as_str(), place.room.as_str(), place.private),
        ("team", "ops", true)
    );
}

#[test]
fn a_name_belongs_to_its_community_and_an_id_is_taken_as_it_is() {
    let agents = CommunityId::from("agents");
    assert_eq!(person_id("  Alice  B ", &agents).as_str(), "agents:alice b");
    assert_eq!(person_id("local:alice", &agents).as_str(), "local:alice");
    assert_eq!(
        person_id("Alice", &CommunityId::from("local")).as_str(),
        "local:alice"
    );
}

#[test]
fn no_session_can_pass_for_a_rooms_conversation() {
    let local = CommunityId::from("local");
    let given = session_id("local/lounge/2026-02-23", &local);
    assert_eq!(given.as_str(), "agent:local/local/lounge/2026-02-23");
    assert_eq!(
        session_id(given.as_str(), &local),
        given,
        "an id that was told is taken back"
    );
    let other = session_id("agent:local/x", &CommunityId::from("team"));
    assert_eq!(
        other.as_str(),
        "agent:team/agent:local/x",
        "another community's is not reached"
    );
}

#[test]
fn an_agent_never_looks_as_the_operator() {
    let sees = |view: serde_json::Value, place: &Place| {
        let view: AgentView = serde_json::from_value(view).unwrap();
        let view = view.viewpoint(Reach::Community, None).unwrap();
        assert_ne!(view, Viewpoint::Operator);
        view.sees(place, None)
    };
    let place = |community: &str, room: &str, private| Place {
        community: community.into(),
        room: room.into(),
        private,
    };
    assert!(sees(json!({}), &place("agents", "my-agent", false)));
    assert!(!sees(json!({}), &place("agents", "my-agent", true)));
    assert!(!sees(json!({}), &place("local", "lounge", false)));
    assert!(sees(
        json!({"room": "my-agent"}),
        &place("agents", "my-agent", true)
    ));
    assert!(!sees(
        json!({"room": "x", "reach": "room"}),
        &place("agents", "my-agent", false)
    ));
    let without_room: AgentView = serde_json::from_value(json!({"reach": "room"})).unwrap();
    assert!(without_room.viewpoint(Reach::Community, None).is_err());
}
