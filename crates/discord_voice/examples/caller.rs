//! Joins a call as the main gateway says, and does what is told on its standard input, for tests with other people's
//! clients: `caller ADDRESS TOKEN GUILD CHANNEL`, then `play N`, `report` and `leave`.

use std::collections::BTreeMap;
use std::io::BufRead;

use discord::gateway::{BotPresence, Fleet, FleetConfig, GatewayCommand, Intents, StartLimit};
use discord::wire::{GatewayEvent, Snowflake};
use discord_voice::{CallEvent, CallPlace, VoiceConnection};
use serde_json::{Value, json};
use tokio::sync::mpsc;

#[derive(Default)]
struct Noticed {
    code: Option<String>,
    heard: BTreeMap<u64, u64>,
    here: Vec<u64>,
    interruptions: u64,
}

impl Noticed {
    fn note(&mut self, event: CallEvent) {
        match event {
            CallEvent::Packet(packet) if packet.opus.len() > 3 => {
                *self.heard.entry(packet.user).or_default() += 1;
            }
            CallEvent::PrivacyCode(code) => self.code = code,
            CallEvent::Joined { user } => self.here.push(user),
            CallEvent::Left { user } => self.here.retain(|it| *it != user),
            CallEvent::Interrupted => self.interruptions += 1,
            _ => {}
        }
    }

    fn report(&self, connection: Option<&VoiceConnection>) -> Value {
        let health = connection.map(VoiceConnection::health).unwrap_or_default();
        let undecryptable: u64 = health.undecryptable.values().sum();
        let heard: BTreeMap<String, u64> = self
            .heard
            .iter()
            .map(|(user, count)| (user.to_string(), *count))
            .collect();
        json!({"code": self.code, "heard": heard, "here": self.here.len(), "undecryptable": undecryptable,
            "unopened": health.unopened, "before_keys": health.before_keys, "live": health.is_live,
            "mode": health.mode.map(|mode| mode.name()), "rekeys": health.rekeys, "resumes": health.resumes,
            "sessions": health.sessions, "interruptions": self.interruptions})
    }
}

fn wishes() -> mpsc::UnboundedReceiver<String> {
    let (to, from) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let _ = to.send(line);
        }
    });
    from
}

/// A frame that nobody else sends.
fn frame(number: u64) -> Vec<u8> {
    let mut frame = vec![0xfc];
    frame.extend((0..80_u64).map(|at| (number * 31 + at * 7) as u8));
    frame
}

/// What an adapter has: the bot's account, its voice session, its call.
struct Caller {
    guild: u64,
    channel: u64,
    user: u64,
    session: Option<String>,
    call: Option<(VoiceConnection, mpsc::Receiver<CallEvent>)>,
}

impl Caller {
    async fn server(&mut self, endpoint: String, token: secrecy::SecretString) {
        let Some(session) = self.session.clone() else {
            return;
        };
        let place = CallPlace {
            endpoint,
            token,
            session: session.into(),
            guild: self.guild,
            channel: self.channel,
            user: self.user,
        };
        match &self.call {
            Some((connection, _)) => connection.move_to(place).await,
            None => self.call = Some(VoiceConnection::connect(place)),
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [address, token, guild, channel] = words.as_slice() else {
        return Err("usage: caller ADDRESS TOKEN GUILD CHANNEL".into());
    };
    let config = FleetConfig {
        url: format!("ws://{address}/"),
        token: token.as_str().into(),
        intents: Intents::NEEDED,
        shards: 1,
        limit: StartLimit::default(),
        presence: BotPresence::default(),
        is_compressed: false,
        seed: 1,
    };
    let (fleet, mut events) = Fleet::start(config)?;
    let join = GatewayCommand::Voice {
        guild: Snowflake::read(&json!(guild)).ok_or("a guild's id")?,
        channel: Snowflake::read(&json!(channel)),
        is_muted: false,
        is_deafened: false,
    };
    let mut caller = Caller {
        guild: guild.parse()?,
        channel: channel.parse()?,
        user: 0,
        session: None,
        call: None,
    };
    let mut noticed = Noticed::default();
    let mut wishes = wishes();
    loop {
        let call = async {
            match &mut caller.call {
                Some((_, events)) => events.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            event = call => match event {
                Some(event) => noticed.note(event),
                None => return Ok(()),
            },
            event = events.recv() => match event.ok_or("the gateway is gone")?.1 {
                GatewayEvent::Ready(ready) => {
                    caller.user = ready.user.id.number();
                    fleet.command(&join);
                }
                GatewayEvent::VoiceStateChanged(state) if state.user.number() == caller.user => {
                    caller.session = Some(state.session);
                }
                GatewayEvent::VoiceServerChanged(server) => {
                    if let Some(endpoint) = server.endpoint {
                        caller.server(endpoint, server.token).await;
                    }
                }
                _ => {}
            },
            wish = wishes.recv() => {
                let wish = wish.unwrap_or_else(|| "leave".to_owned());
                let connection = caller.call.as_ref().map(|(connection, _)| connection);
                match (wish.split_once(' ').unwrap_or((&wish, "")), connection) {
                    (("play", count), Some(connection)) => {
                        let all = (0..count.parse()?).map(frame).all(|frame| connection.play(frame));
                        println!("{}", json!({"played": all}));
                    }
                    (("report", _), connection) => println!("{}", noticed.report(connection)),
                    (("leave", _), Some(connection)) => connection.leave().await,
                    _ => return Ok(()),
                }
            }
        }
    }
}
