//! Real servers for tests: each on a free loopback port, in a folder of its own, gone when the test is.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use uuid::Uuid;

const START_WITHIN: Duration = Duration::from_secs(60);
const START_TRIES: usize = 5;
const HOW_TO_GET: &str = "Run `make setup-servers` (or tools/servers.sh)";

/// Keeps the server only as long as its own standard input is open: however the test ends, the server ends too, and its
/// folder goes unless a word was said before.
const LEASH: &str = r#"exec 3<&0
"$@" 3<&- </dev/null & pid=$!
(read -r word <&3; kill -9 $pid; [ -n "$word" ] || rm -rf "$PWD") &
exec 3<&-
wait $pid"#;

/// Keys and what they hold, whatever their type.
const EVERYTHING: &str = r#"local found = {}
local read = {string = {'GET'}, list = {'LRANGE', '0', '-1'}, set = {'SMEMBERS'}, zset = {'ZRANGE', '0', '-1'}, hash = {'HGETALL'}}
for _, key in ipairs(redis.call('KEYS', '*')) do
  found[#found + 1] = key
  local how = read[redis.call('TYPE', key).ok]
  local held = redis.call(how[1], key, unpack(how, 2))
  if type(held) == 'string' then held = {held} end
  for _, value in ipairs(held) do found[#found + 1] = value end
end
return found"#;

/// A Redis that writes everything to disk at once.
#[derive(Debug)]
pub struct RedisServer(Server);

impl RedisServer {
    pub fn start() -> Self {
        let binary = ["redis-server", "valkey-server"]
            .into_iter()
            .find_map(on_path)
            .unwrap_or_else(|| panic!("neither redis-server nor valkey-server is on the PATH. {HOW_TO_GET}"));
        Self(Server::start(Kind::Redis, binary))
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.0.port)
    }

    /// Ends it as a power cut would.
    pub fn kill(&mut self) {
        self.0.kill();
    }

    /// Starts it again on the same port, with what it has on disk.
    pub fn restart(&mut self) {
        self.0.restart();
    }

    /// Every key with everything it holds, as one text.
    pub fn contents(&self) -> String {
        let client = redis::Client::open(self.url()).expect("an address");
        let mut connection = client.get_connection().expect("it answers");
        let everything: Vec<Vec<u8>> = redis::Script::new(EVERYTHING)
            .invoke(&mut connection)
            .expect("it runs scripts");
        let texts = everything.iter().map(|bytes| String::from_utf8_lossy(bytes));
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// A Qdrant that answers REST.
#[derive(Debug)]
pub struct QdrantServer(Server);

impl QdrantServer {
    pub fn start() -> Self {
        Self(Server::start(Kind::Qdrant { api_key: None }, qdrant_binary()))
    }

    /// One that answers only whoever knows the key.
    pub fn with_api_key(api_key: &str) -> Self {
        let api_key = Some(api_key.to_owned());
        Self(Server::start(Kind::Qdrant { api_key }, qdrant_binary()))
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.0.port)
    }

    /// Ends it as a power cut would.
    pub fn kill(&mut self) {
        self.0.kill();
    }

    /// Starts it again on the same port, with what it has on disk.
    pub fn restart(&mut self) {
        self.0.restart();
    }
}

#[derive(Debug)]
enum Kind {
    Redis,
    Qdrant { api_key: Option<String> },
}

#[derive(Debug)]
struct Server {
    kind: Kind,
    binary: PathBuf,
    folder: PathBuf,
    port: u16,
    process: Option<Child>,
}

impl Server {
    fn start(kind: Kind, binary: PathBuf) -> Self {
        let folder = scratch().join(format!("denizen-server-{}", Uuid::now_v7()));
        fs::create_dir_all(&folder).expect("a temporary folder can be made");
        let mut server = Self {
            kind,
            binary,
            folder,
            port: 0,
            process: None,
        };
        // Between a port being found free and being taken, somebody else may take it.
        for _ in 0..START_TRIES {
            server.port = free_port();
            if server.launch() {
                return server;
            }
            server.kill();
        }
        panic!(
            "{} does not start. It says: {}",
            server.binary.display(),
            server.log()
        );
    }

    fn restart(&mut self) {
        assert!(
            self.launch(),
            "{} does not start again. It says: {}",
            self.binary.display(),
            self.log()
        );
    }

    fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            if let Some(mut leash) = process.stdin.take() {
                // Where it has ended by itself, nobody listens.
                let _ = leash.write_all(b"keep\n");
            }
            process.wait().expect("the shell around the server ends with it");
        }
    }

    /// Whether it came up; not if it ended at once.
    fn launch(&mut self) -> bool {
        let log = fs::File::create(self.folder.join("log")).expect("the folder can be written to");
        let mut command = Command::new("sh");
        command.args(["-c", LEASH, "sh"]).arg(&self.binary);
        match &self.kind {
            Kind::Redis => {
                command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "yes"]);
                command.args(["--appendfsync", "always", "--port", &self.port.to_string()]);
            }
            Kind::Qdrant { api_key } => {
                command
                    .env("QDRANT__SERVICE__HOST", "127.0.0.1")
                    .env("QDRANT__SERVICE__HTTP_PORT", self.port.to_string())
                    .env("QDRANT__SERVICE__GRPC_PORT", free_port().to_string())
                    .env("QDRANT__SERVICE__MAX_WORKERS", "1")
                    .env("QDRANT__STORAGE__STORAGE_PATH", self.folder.join("storage"))
                    .env("QDRANT__STORAGE__SNAPSHOTS_PATH", self.folder.join("snapshots"))
                    .env("QDRANT__STORAGE__PERFORMANCE__MAX_SEARCH_THREADS", "1")
                    .env("QDRANT__STORAGE__WAL__WAL_CAPACITY_MB", "1")
                    .env("QDRANT__TELEMETRY_DISABLED", "true");
                if let Some(api_key) = api_key {
                    command.env("QDRANT__SERVICE__API_KEY", api_key);
                }
            }
        }
        let process = command
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(log.try_clone().expect("a file handle can be copied"))
            .stderr(log)
            .spawn()
            .expect("sh can be run");
        self.process = Some(process);
        self.comes_up()
    }

    fn comes_up(&mut self) -> bool {
        let started = Instant::now();
        while started.elapsed() < START_WITHIN {
            if self.answers() {
                return true;
            }
            let process = self.process.as_mut().expect("it was just started");
            if process.try_wait().expect("a child can be waited for").is_some() {
                return false;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!(
            "{} does not answer. It says: {}",
            self.binary.display(),
            self.log()
        );
    }

    fn answers(&self) -> bool {
        let (question, answer): (&[u8], &str) = match &self.kind {
            Kind::Redis => (b"PING\r\n", "+PONG"),
            Kind::Qdrant { .. } => (
                b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "200 OK",
            ),
        };
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else {
            return false;
        };
        let mut heard = [0; 64];
        let heard = stream
            .set_read_timeout(Some(Duration::from_secs(5)))
            .and_then(|()| stream.write_all(question))
            .and_then(|()| stream.read(&mut heard))
            .map(|length| String::from_utf8_lossy(&heard[..length]).into_owned());
        heard.is_ok_and(|heard| heard.contains(answer))
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// In memory where that can be had: a killed server finds its files again, and nobody waits for a disk.
fn scratch() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    if memory.is_dir() {
        memory
    } else {
        std::env::temp_dir()
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("there is a free port");
    listener
        .local_addr()
        .expect("a bound socket has an address")
        .port()
}

fn qdrant_binary() -> PathBuf {
    if let Some(named) = std::env::var_os("DENIZEN_QDRANT_BIN") {
        let named = PathBuf::from(named);
        assert!(
            named.is_file(),
            "DENIZEN_QDRANT_BIN names no file: {}",
            named.display()
        );
        return named;
    }
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let fetched = workspace.join(target).join("servers/qdrant");
    assert!(
        fetched.is_file(),
        "there is no Qdrant at {}. {HOW_TO_GET}, or put the path of one into DENIZEN_QDRANT_BIN",
        fetched.display()
    );
    fetched
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|candidate| candidate.is_file())
}
