//! The connection to Redis: made when it is needed, let go when it breaks, and faults said in plain words.

use std::time::Duration;

use fetching::service::install_tls;
use redis::aio::MultiplexedConnection;
use redis::{
    AsyncConnectionConfig, Client, ErrorKind, FromRedisValue, RedisError, ScriptInvocation, ServerErrorKind,
};
use runtime::ports::MemoryFault;
use tokio::sync::Mutex;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);
const REMEDY: &str = "Start it there, or correct memory.store.redisUrl (DENIZEN_REDIS_URL where it is set)";

pub(super) struct Link {
    client: Client,
    /// Host and port; never the password.
    place: String,
    connection: Mutex<Option<MultiplexedConnection>>,
}

impl Link {
    /// Reads the address; nothing is connected yet.
    pub(super) fn new(url: &str) -> Result<Self, MemoryFault> {
        install_tls();
        let client = Client::open(url).map_err(|error| {
            MemoryFault::Refused(format!(
                "memory.store.redisUrl (or DENIZEN_REDIS_URL) is no address of a Redis: {}. Write it like redis://127.0.0.1:6379",
                error.category()
            ))
        })?;
        let place = client.get_connection_info().addr().to_string();
        Ok(Self {
            client,
            place,
            connection: Mutex::new(None),
        })
    }

    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// Runs a script that may safely run twice: once more on a new connection where the old one turned out broken.
    pub(super) async fn run<T: FromRedisValue>(
        &self,
        doing: &'static str,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, MemoryFault> {
        let (mut connection, fresh) = self.connection().await?;
        match script.invoke_async(&mut connection).await {
            Ok(answer) => Ok(answer),
            Err(error) if !fresh && self.let_go(&error).await => self.run_once(doing, script).await,
            Err(error) => Err(self.fault(doing, error).await),
        }
    }

    /// Runs a script that must not run twice unnoticed.
    pub(super) async fn run_once<T: FromRedisValue>(
        &self,
        doing: &'static str,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, MemoryFault> {
        let (mut connection, _) = self.connection().await?;
        match script.invoke_async(&mut connection).await {
            Ok(answer) => Ok(answer),
            Err(error) => Err(self.fault(doing, error).await),
        }
    }

    /// Asks one plain thing.
    pub(super) async fn ask<T: FromRedisValue>(
        &self,
        doing: &'static str,
        command: &redis::Cmd,
    ) -> Result<T, MemoryFault> {
        let (mut connection, fresh) = self.connection().await?;
        match command.query_async(&mut connection).await {
            Ok(answer) => return Ok(answer),
            Err(error) if !fresh && self.let_go(&error).await => {}
            Err(error) => return Err(self.fault(doing, error).await),
        }
        let (mut connection, _) = self.connection().await?;
        match command.query_async(&mut connection).await {
            Ok(answer) => Ok(answer),
            Err(error) => Err(self.fault(doing, error).await),
        }
    }

    /// The connection there is, or a new one; and which of the two.
    async fn connection(&self) -> Result<(MultiplexedConnection, bool), MemoryFault> {
        // Held while connecting, so that many callers make one connection.
        let mut slot = self.connection.lock().await;
        if let Some(connection) = &*slot {
            return Ok((connection.clone(), false));
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(Some(RESPONSE_TIMEOUT));
        match self
            .client
            .get_multiplexed_async_connection_with_config(&config)
            .await
        {
            Ok(connection) => {
                *slot = Some(connection.clone());
                Ok((connection, true))
            }
            Err(error) => Err(self.say("connecting to Redis", &error)),
        }
    }

    /// Drops a connection that broke; whether it had.
    async fn let_go(&self, error: &RedisError) -> bool {
        let broken = error.is_io_error() || error.is_connection_dropped() || error.is_unrecoverable_error();
        if broken {
            *self.connection.lock().await = None;
        }
        broken
    }

    async fn fault(&self, doing: &'static str, error: RedisError) -> MemoryFault {
        self.let_go(&error).await;
        self.say(doing, &error)
    }

    fn say(&self, doing: &'static str, error: &RedisError) -> MemoryFault {
        let gone = error.is_io_error()
            || error.is_connection_dropped()
            || error.is_connection_refusal()
            || error.is_timeout();
        match error.kind() {
            ErrorKind::AuthenticationFailed => MemoryFault::Refused(format!(
                "Redis at {} does not accept the name or password. Put the right ones into DENIZEN_REDIS_URL, like redis://name:password@host:6379",
                self.place
            )),
            ErrorKind::Server(
                ServerErrorKind::BusyLoading | ServerErrorKind::MasterDown | ServerErrorKind::TryAgain,
            ) => self.unreachable(error.to_string(), "Wait until it has loaded its data"),
            ErrorKind::Server(ServerErrorKind::ReadOnly) => self.unreachable(
                error.to_string(),
                "It is a copy that cannot be written to: set memory.store.redisUrl to the one that can",
            ),
            _ if matches!(error.code(), Some("NOAUTH" | "WRONGPASS" | "NOPERM")) => {
                MemoryFault::Refused(format!(
                    "Redis at {} wants a name and password with more rights ({}). Put them into DENIZEN_REDIS_URL",
                    self.place,
                    error.code().unwrap_or_default()
                ))
            }
            _ if gone => self.unreachable(error.to_string(), REMEDY),
            _ => MemoryFault::Failed {
                doing,
                detail: format!("Redis at {}: {error}", self.place),
            },
        }
    }

    fn unreachable(&self, detail: String, remedy: &str) -> MemoryFault {
        MemoryFault::Unreachable {
            what: "Redis",
            place: self.place.clone(),
            detail,
            remedy: remedy.to_owned(),
        }
    }
}
