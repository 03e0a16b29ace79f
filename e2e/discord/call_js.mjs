// @discordjs/voice in a call: `call_js.mjs ADDRESS TOKEN GUILD CHANNEL`, then `play N`, `speak` (the packets in the file SPEECH), `report`
// and `leave` on standard input.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { Readable } from "node:stream";

const require = createRequire(`${process.env.DISCORD_JS}/`);
// Voice servers are spoken to with TLS; the one of the tests has none.
const [net, tls] = [require("node:net"), require("node:tls")];
const secure = tls.connect;
tls.connect = (options, ...more) => (options.host === "127.0.0.1" ? net.connect({ host: options.host, port: options.port }) : secure(options, ...more));
const { Client, Events, GatewayIntentBits } = require("discord.js");
const voice = require("@discordjs/voice");

const [address, token, guildId, channelId] = process.argv.slice(2);
const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates];
const client = new Client({ intents, rest: { api: `http://${address}/api` } });
client.on(Events.Error, () => {});
const heard = {};
const lost = { undecryptable: 0, before_keys: 0 };
// It takes a packet without extensions for one with them where its sealed sound happens to begin with BE DE, once in 65,536, and cuts
// it short: whose packets those were.
const mistaken = {};
const parse = voice.VoiceReceiver.prototype.parsePacket;
voice.VoiceReceiver.prototype.parsePacket = function (packet, ...more) {
  const user = more.at(-1);
  const isMistaken = packet.length > 80 && !(packet[0] & 0x10) && packet.readUInt16BE(12) === 0xbede;
  if (isMistaken) mistaken[user] = (mistaken[user] ?? 0) + 1;
  const sound = parse.call(this, packet, ...more);
  return isMistaken ? null : sound;
};
let connection;
let dropped = 0;

function listen(user) {
  if (heard[user] !== undefined) return;
  heard[user] = 0;
  const stream = connection.receiver.subscribe(user, { end: { behavior: voice.EndBehaviorType.Manual } });
  stream.on("data", (packet) => (heard[user] += packet.length > 3 ? 1 : 0));
}

async function join() {
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await Promise.all([client.login(token), ready]);
  const guild = client.guilds.cache.get(guildId);
  connection = voice.joinVoiceChannel({ channelId, guildId, adapterCreator: guild.voiceAdapterCreator, selfDeaf: false, debug: true });
  connection.on("error", () => {});
  connection.on("debug", (line) => {
    if (!line.includes("Failed to decrypt")) return;
    lost[line.includes("consecutive") ? "undecryptable" : "before_keys"] += 1;
  });
  await voice.entersState(connection, voice.VoiceConnectionStatus.Ready, 30_000);
  connection.receiver.speaking.on("start", listen);
}

function report() {
  const state = connection.state.networking?.state;
  const clients = state?.connectionData?.connectedClients;
  return { code: connection.voicePrivacyCode ?? null, heard, here: clients?.size ?? 0, mode: state?.connectionData?.encryptionMode, live: connection.state.status === "ready", mistaken, ...lost };
}

const noise = (count) => Array.from({ length: count }, (_, number) => Buffer.alloc(90, (number % 250) + 1));
const speech = () => readFileSync(process.env.SPEECH, "utf8").split("\n").map((packet) => Buffer.from(packet, "base64"));

function play(frames) {
  const player = voice.createAudioPlayer({ behaviors: { noSubscriber: voice.NoSubscriberBehavior.Play } });
  connection.subscribe(player);
  player.play(voice.createAudioResource(Readable.from(frames, { objectMode: true }), { inputType: voice.StreamType.Opus }));
}

await join();
// The others' first packets are to be heard, too.
const everybody = client.guilds.cache.get(guildId).voiceStates.cache;
setInterval(() => everybody.forEach((state) => state.id !== client.user.id && state.channelId && listen(state.id)), 100).unref();
for await (const line of createInterface({ input: process.stdin })) {
  const [wish, count] = line.split(" ");
  if (wish === "play" || wish === "speak") {
    play(wish === "play" ? noise(Number(count)) : speech());
    console.log(JSON.stringify({ played: true }));
  } else if (wish === "report") console.log(JSON.stringify(report()));
  else break;
}
connection.destroy();
await client.destroy();
process.exit(0);
