// A program in the voice of a room: the Python client of the guide, cut out of it and run as it stands there, with the library that it
// names. It comes in and hears; with ears (see voice.mjs) its question by name is understood and answered with sound.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openAnswerer, SHORT } from './answerer.mjs';
import { MAN, record } from './recordings.mjs';
import { hears } from './talker.mjs';
import { must, Tally, until } from './tally.mjs';

const GUIDE = new URL('../docs/guides/voice-room.md', import.meta.url);
/** What it is called: a name that small ears know. */
const NAME = 'Oliver';
const FOLDER = mkdtempSync(join(tmpdir(), 'denizen-program-'));

/** A Python that has the library of the guide's client; made once for each folder of builds. */
function python() {
  const folder = join(process.env.CARGO_TARGET_DIR ?? new URL('../target', import.meta.url).pathname, 'voice-program');
  const program = join(folder, 'bin/python');
  if (!existsSync(join(folder, 'installed'))) {
    execFileSync('python3', ['-m', 'venv', '--clear', folder]);
    execFileSync(program, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'websockets==15.0.1']);
    writeFileSync(join(folder, 'installed'), '');
  }
  return program;
}

/** The client as the guide prints it. */
function client() {
  const [, text] = readFileSync(GUIDE, 'utf8').match(/```python\n([^]*?)```/) ?? [];
  must(text, 'the guide has no client');
  const path = join(FOLDER, 'talk.py');
  writeFileSync(path, text);
  return path;
}

export async function run(url) {
  const tally = new Tally();
  const answerer = await openAnswerer();
  for (const [key, value] of [['identity.name', NAME], ['llm.compatibleBaseUrl', answerer.base], ['llm.provider', 'compatible']]) execFileSync(process.env.DENIZEN_BIN, ['settings', 'set', key, value]);
  const understands = await hears(url);
  // Asked again, where its ears were still being loaded: what is said before they are there is lost.
  const question = { text: `Hello ${NAME}, what colour is the sky today?`, voice: MAN };
  const sound = record(join(FOLDER, 'question.wav'), [{ at: 4, ...question }, { at: 22, ...question }], 36);
  const room = `${url.replace(/^http/, 'ws')}/api/rooms/lounge/voice/socket?author=Ann`;
  const program = spawn(python(), ['-u', client(), room, process.env.DENIZEN_TOKEN, sound], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [told, complained] = [[], []];
  createInterface({ input: program.stdout }).on('line', (line) => told.push(line));
  createInterface({ input: program.stderr }).on('line', (line) => complained.push(line));
  const frames = () => told.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  const sofar = () => [...frames().filter(({ type }) => type === 'transcript').slice(-2).map((each) => JSON.stringify(each)), ...told.filter((line) => line.startsWith('{')).slice(-3), ...complained.slice(-3)].join('\n');
  const frame = (type, fits, patience) => until(() => frames().find((each) => each.type === type && fits(each)), () => `no ${type} of that kind; last:\n${sofar()}`, patience);
  try {
    await tally.expect('the client of the guide comes in and is greeted', async () => {
      await frame('hello', ({ you }) => Boolean(you));
      await frame('people', ({ people }) => people.length === 1);
    });
    if (understands) {
      await tally.expect('its question is understood, answered, and the answer comes as sound', async () => {
        const { text } = await frame('transcript', (heard) => heard.final && heard.text.split(' ').length > 3, 40_000);
        console.log(`        understood “${text}”`);
        await frame('saying', (saying) => JSON.stringify(saying).includes(SHORT.slice(0, 10)), 30_000);
        await until(() => told.filter((line) => line.endsWith('bytes of sound')).length > 25, sofar, 20_000);
      });
    }
    await tally.expect('the client did not fail', async () => must(program.exitCode === null, complained.join('\n')));
  } finally {
    program.kill();
    answerer.close();
  }
  return tally.close();
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const url = (process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787').replace(/\/$/, '');
  process.exit((await run(url)) ? 0 : 1);
}
