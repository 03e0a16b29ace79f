// Voice behind a proxy with TLS, as the guide configures it: Denizen listens on loopback, people open the proxy's name. The page, the
// live feed and the sockets of programs go through the proxy, the sound past it. With ears, a question is answered aloud there.
// Needs nginx or Caddy, and openssl; E2E_PROXY_PORT is where the proxy listens, which Denizen was told with --public-url.
import { execFile, execFileSync } from 'node:child_process';
import { request } from 'node:https';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openAnswerer } from './answerer.mjs';
import { openBrowser, listened, OUT } from './browser.mjs';
import { certificate, HOST, openProxy, proxies } from './proxy.mjs';
import { record, WOMAN } from './recordings.mjs';
import { hears, Talker } from './talker.mjs';
import { must, Tally, until } from './tally.mjs';

const NAME = 'Oliver';
const FOLDER = mkdtempSync(join(tmpdir(), 'denizen-proxy-'));
const PORT = Number(process.env.E2E_PROXY_PORT);
const SITE = `https://${HOST}:${PORT}`;
/** Chromium finds the name on this machine, and takes a certificate that nobody vouches for. */
const FLAGS = [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`, '--ignore-certificate-errors'];

/** Asks through the proxy, by the name that people use. */
const ask = (tls, path, { headers = {}, upgrade = false } = {}) => new Promise((resolve, refuse) => {
  const asked = request({ host: '127.0.0.1', port: PORT, servername: HOST, path, ca: readFileSync(tls.authority), headers: { host: `${HOST}:${PORT}`, ...headers }, agent: false });
  asked.on('response', (answer) => {
    let text = '';
    answer.on('data', (more) => (text += more)).on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
  });
  if (upgrade) asked.on('upgrade', (_, socket, first) => resolve({ status: 101, socket, first }));
  asked.on('error', refuse).end();
});

/** The first message of a socket: of text, less than 126 bytes or with two more bytes of length. */
async function firstWords({ socket, first }) {
  let bytes = first;
  socket.on('data', (more) => (bytes = Buffer.concat([bytes, more])));
  const whole = () => {
    if (bytes.length < 4) return null;
    const [from, length] = bytes[1] < 126 ? [2, bytes[1]] : [4, bytes.readUInt16BE(2)];
    return bytes.length >= from + length ? bytes.subarray(from, from + length).toString() : null;
  };
  const said = await until(whole, 'the socket says nothing');
  socket.destroy();
  return JSON.parse(said);
}

/** A link opens the page at the proxy's name, and what happens comes by itself. */
async function checkPage(tally, tls, { url, complaints }) {
  const browser = await openBrowser(...FLAGS);
  const page = listened(await (await browser.newContext()).newPage(), complaints);
  const write = (text) => fetch(`${url}/api/rooms/lounge/messages`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ author: 'Zoe', text }) });
  try {
    await tally.expect('a link leads to the proxy, and its session is for TLS only', async () => {
      // As whoever runs it asks for one, on the machine itself.
      const link = execFileSync(process.env.DENIZEN_BIN, ['link'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, DENIZEN_URL: undefined, DENIZEN_TOKEN: undefined } }).trim();
      must(link.startsWith(`${SITE}/`), `the link is ${link}`);
      await page.goto(link);
      // The page asks for its session by itself, which may take a moment on a busy machine.
      await until(async () => (await page.context().cookies(SITE)).length > 0, 'the link gave no session');
      await page.goto(`${SITE}/?as=Ann#/room/lounge`);
      await page.getByTestId('voice-join').waitFor({ timeout: 30_000 });
      const [cookie] = await page.context().cookies(SITE);
      must(cookie?.secure && cookie.httpOnly, JSON.stringify(cookie));
    });
    await tally.expect('what happens comes through at once, while a hundred strangers ask', async () => {
      const strangers = Promise.all(Array.from({ length: 100 }, () => ask(tls, '/api/health')));
      await write('the proxy lets this through');
      await page.getByText('the proxy lets this through').first().waitFor({ timeout: 5_000 });
      must((await strangers).every(({ status }) => status === 401), 'a stranger was let in, or was not answered');
      await write('and this after them');
      await page.getByText('and this after them').first().waitFor({ timeout: 5_000 });
    });
    await tally.expect('another name is not answered', async () => {
      const headers = { host: 'evil.example', authorization: `Bearer ${process.env.DENIZEN_TOKEN}` };
      const { status, text } = await ask(tls, '/api/health', { headers });
      must(!text.includes('uptime'), `${status} ${text}`);
    });
  } finally {
    await browser.close();
  }
}

async function checkVoice(tally, { url, complaints, understands, proxy }) {
  // Twice: on a busy machine the ears may still be loaded when it is asked first.
  const questions = [6, 32].map((at) => ({ at, text: `Hello ${NAME}, what colour is the sky today?`, voice: WOMAN }));
  const ada = await Talker.open(SITE, 'Ada', record(join(FOLDER, 'question.wav'), questions, 60), complaints, { flags: FLAGS, at: SITE });
  try {
    await tally.expect('one comes in by a press, and the sound goes past the proxy', async () => {
      await ada.join();
      await until(async () => (await ada.stats()).sent > 25, async () => JSON.stringify(await ada.stats()));
      const candidates = await ada.page.evaluate(() => window.connections.at(-1).remoteDescription.sdp.match(/candidate:.*/g));
      const announced = process.env.DENIZEN_WHIP_ADDRESS;
      must(!announced || (candidates.length === 1 && candidates[0].includes(` ${announced} `)), candidates.join('\n'));
      must(await ada.page.evaluate(() => window.isSecureContext), 'the page is not secure');
    });
    if (!understands) return;
    await tally.expect('a question by name is understood, and answered aloud', async () => {
      await until(async () => (await ada.doing()) === 'listening', async () => `Denizen is ${await ada.doing()}: ${await ada.says()}`, 30_000);
      // What was said behind another proxy stands there already.
      const before = (await ada.lines()).length;
      await ada.startListening();
      for (const [who, what] of [['Ada', /colou?r.*sky/i], [NAME, /sky is blue/i]]) {
        await until(async () => (await ada.lines()).slice(before).some(({ speaker, state, text }) => speaker === who && state === 'said' && what.test(text)), async () => `${who} did not say ${what}: ${JSON.stringify(await ada.lines())}`, 40_000);
      }
      const { loud } = await ada.heard();
      must(loud > 8, `only ${loud} tenths of a second were heard`);
      await ada.page.screenshot({ path: `${OUT}voice-proxy-${proxy}.png` });
    });
  } finally {
    await ada.close();
  }
  must((await fetch(`${url}/api/health`)).ok, 'Denizen is gone');
}

/** Programs: a socket by hand, and `denizen say`. */
async function checkPrograms(tally, tls, { understands }) {
  const headers = { authorization: `Bearer ${process.env.DENIZEN_TOKEN}`, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'ZGVuaXplbi1lbmQtdG8tZQ==' };
  await tally.expect('a program opens a socket', async () => {
    const opened = await ask(tls, '/api/rooms/lounge/voice/socket?author=Pia', { headers, upgrade: true });
    must(opened.status === 101, `${opened.status} ${opened.text}`);
    const hello = await firstWords(opened);
    must(hello.type === 'hello' && hello.format === 'pcm16', JSON.stringify(hello));
  });
  const file = record(join(FOLDER, 'said.wav'), [{ at: 0.5, text: `Hello ${NAME}, what colour is the sky today?`, voice: WOMAN }], 5);
  const say = (more) => promisify(execFile)(process.env.DENIZEN_BIN, ['say', file, '--as', 'Cleo', '--url', `https://localhost:${PORT}`], { env: { ...process.env, ...more } });
  await tally.expect('`denizen say` says that it does not trust the certificate, and what to do', async () => {
    const refused = await say({ SSL_CERT_FILE: undefined }).then(() => 'nothing was refused', ({ stderr }) => stderr);
    must(/certificate/.test(refused) && /SSL_CERT_FILE/.test(refused), refused);
  });
  await tally.expect('`denizen say` speaks through the proxy', async () => {
    const { stdout } = await say({ SSL_CERT_FILE: tls.authority });
    must(/speaks +Cleo/.test(stdout), stdout);
    must(!understands || (/heard +Cleo: .*sky/i.test(stdout) && /said +.*sky is blue/i.test(stdout)), stdout);
  });
}

async function run(url) {
  const known = proxies();
  if (!known.length) {
    console.log('skipped: neither nginx nor caddy is installed (apt-get install nginx-light caddy)');
    return true;
  }
  const tally = new Tally();
  const complaints = [];
  const tls = certificate();
  const answerer = await openAnswerer();
  for (const [key, value] of [['identity.name', NAME], ['llm.compatibleBaseUrl', answerer.base], ['llm.provider', 'compatible']]) execFileSync(process.env.DENIZEN_BIN, ['settings', 'set', key, value]);
  const understands = await hears(url);
  try {
    for (const proxy of known) {
      console.log(`behind ${proxy}:`);
      const running = await openProxy(proxy, tls, PORT, url);
      await checkPage(tally, tls, { url, complaints });
      await checkVoice(tally, { url, complaints, understands, proxy });
      await checkPrograms(tally, tls, { understands });
      await running.close();
    }
    await tally.expect('no page complained', async () => must(complaints.length === 0, [...new Set(complaints)].join('\n')));
  } finally {
    answerer.close();
  }
  return tally.close();
}

process.exit((await run(process.env.DENIZEN_URL.replace(/\/$/, ''))) ? 0 : 1);
