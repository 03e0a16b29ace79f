//! Where the bot is and where Denizen wants to be, through what the main gateway can say.

use super::*;

fn id(number: u64) -> Snowflake {
    Snowflake::new(number).expect("an id")
}

fn nobody_sits(_: RoomId, _: CallPlace, _: CallerNames) -> TakenSeat {
    unreachable!("no seat is taken here")
}

const GUILD: u64 = 10;
const OWN: u64 = 7;

struct Bench {
    calls: Calls,
    wishes: mpsc::Receiver<GatewayCommand>,
}

impl Bench {
    fn new() -> Self {
        let calls = Calls::new(nobody_sits);
        let wishes = calls.wishes().expect("they are there once");
        assert!(calls.wishes().is_none());
        Self { calls, wishes }
    }

    fn is_in(&self, channel: Option<u64>) {
        let data = serde_json::json!({"guild_id": GUILD.to_string(), "user_id": OWN.to_string(), "session_id": "s",
            "channel_id": channel.map(|channel| channel.to_string())});
        let event = GatewayEvent::read("VOICE_STATE_UPDATE", &data).expect("a state");
        self.calls.heard(Some(id(OWN)), &event);
    }

    fn served(&self, endpoint: Option<&str>) {
        let data = serde_json::json!({"token": "t", "guild_id": GUILD.to_string(), "endpoint": endpoint});
        let event = GatewayEvent::read("VOICE_SERVER_UPDATE", &data).expect("a server");
        self.calls.heard(Some(id(OWN)), &event);
    }

    /// The channels that were wished for.
    fn wished(&mut self) -> Vec<Option<u64>> {
        let wishes = std::iter::from_fn(|| self.wishes.try_recv().ok());
        let channels = wishes.filter_map(|wish| match wish {
            GatewayCommand::Voice { channel, .. } => Some(channel.map(Snowflake::number)),
            _ => None,
        });
        channels.collect()
    }

    fn endpoint(&self, channel: u64) -> Option<String> {
        let standing = self.calls.standing(id(GUILD)).borrow().clone();
        Some(standing.place(id(GUILD), id(channel), id(OWN))?.endpoint)
    }
}

#[test]
fn a_call_is_where_both_the_state_and_the_server_say() {
    let mut bench = Bench::new();
    let number = bench.calls.claim(id(GUILD), id(20)).expect("it is in none");
    assert_eq!(bench.calls.claim(id(GUILD), id(21)), None, "one at a time");
    bench.calls.ask(id(GUILD), id(20));
    assert_eq!(bench.wished(), [Some(20)]);
    bench.is_in(Some(20));
    assert_eq!(bench.endpoint(20), None);
    bench.served(Some("a.example"));
    assert_eq!(bench.endpoint(20).as_deref(), Some("a.example"));
    assert_eq!(bench.endpoint(21), None);
    bench.served(None);
    assert_eq!(bench.endpoint(20), None, "another one will be named");
    bench.served(Some("b.example"));
    assert_eq!(bench.endpoint(20).as_deref(), Some("b.example"));
    assert_eq!(bench.calls.astray(id(GUILD)), None);
    bench.calls.release(id(GUILD), id(20), number);
    assert_eq!(bench.wished(), [None], "the bot leaves with Denizen");
    assert_eq!(bench.calls.channel_in(id(GUILD)), None);
}

#[test]
fn a_bot_that_was_moved_is_followed_and_not_taken_out_of_where_it_is_now() {
    let mut bench = Bench::new();
    let number = bench.calls.claim(id(GUILD), id(20)).expect("it is in none");
    bench.is_in(Some(20));
    bench.served(Some("a.example"));
    bench.is_in(Some(21));
    let (from, to) = (id(20), Some(id(21)));
    assert_eq!(bench.calls.astray(id(GUILD)), Some(Astray { from, to }));
    bench.calls.release(id(GUILD), id(20), number);
    // Somebody else comes or goes while Denizen is between the two.
    assert_eq!(bench.calls.astray(id(GUILD)), None);
    assert_eq!(bench.wished(), []);
    assert!(
        bench.endpoint(21).is_some(),
        "the server before counts until another is named"
    );
    bench
        .calls
        .claim(id(GUILD), id(21))
        .expect("it has left the other");
    bench.is_in(None);
    let from = id(21);
    assert_eq!(bench.calls.astray(id(GUILD)), Some(Astray { from, to: None }));
}

#[test]
fn a_new_session_at_the_gateway_goes_in_anew_and_is_not_taken_for_a_move() {
    let mut bench = Bench::new();
    bench.calls.claim(id(GUILD), id(20)).expect("it is in none");
    bench.is_in(Some(20));
    bench.served(Some("a.example"));
    bench.calls.begins_anew(|guild| guild != id(GUILD));
    assert_eq!(bench.wished(), [], "another shard's");
    bench.calls.begins_anew(|_| true);
    assert_eq!(bench.wished(), [None, Some(20)]);
    // What the server lists is from before; then it is out and in again.
    bench.is_in(Some(20));
    bench.is_in(None);
    assert_eq!(bench.calls.astray(id(GUILD)), None);
    bench.is_in(Some(20));
    assert_eq!(bench.endpoint(20), None, "its server is not the one from before");
    bench.served(Some("b.example"));
    assert_eq!(bench.endpoint(20).as_deref(), Some("b.example"));
    bench.is_in(None);
    assert!(bench.calls.astray(id(GUILD)).is_some(), "now it was thrown out");
}

#[test]
fn a_bot_that_is_in_a_call_from_an_earlier_life_leaves_it() {
    let mut bench = Bench::new();
    bench.is_in(Some(20));
    assert_eq!(bench.calls.astray(id(GUILD)), None);
    assert_eq!(bench.wished(), [None]);
}
