//! Whether an answer is threaded to what it answers.

/// How a message enters the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// Threaded to the message it answers.
    Reply,
    /// On its own.
    ChannelMessage,
}

/// What decides the route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Routing {
    pub addressed: bool,
    pub initiative_channel: bool,
}

/// The route where no chance is involved; `None` where the dice decide between threaded and not.
pub fn route(routing: Routing) -> Option<Route> {
    match routing {
        Routing { addressed: false, .. } => Some(Route::ChannelMessage),
        Routing {
            addressed: true,
            initiative_channel: false,
        } => Some(Route::Reply),
        Routing {
            addressed: true,
            initiative_channel: true,
        } => None,
    }
}

#[cfg(test)]
mod route_tests {
    use super::*;

    #[test]
    fn only_addressed_turns_in_initiative_channels_leave_the_route_to_chance() {
        let routed = |addressed, initiative_channel| {
            route(Routing {
                addressed,
                initiative_channel,
            })
        };
        assert_eq!(routed(false, false), Some(Route::ChannelMessage));
        assert_eq!(routed(false, true), Some(Route::ChannelMessage));
        assert_eq!(routed(true, false), Some(Route::Reply));
        assert_eq!(routed(true, true), None);
    }
}
