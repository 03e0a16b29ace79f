// The voice of a room in Firefox, beside a Chromium: both hear each other, muting and leaving are seen, a reload comes back, and a second
// window takes over at once. With ears, an answer to somebody else is heard there. Its microphone is a tone of its own making.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openAnswerer } from './answerer.mjs';
import { Firefox, FIREFOX } from './firefox.mjs';
import { MAN, record, WOMAN } from './recordings.mjs';
import { eavesdrop, hears, statistics, Talker } from './talker.mjs';
import { must, Tally, until } from './tally.mjs';

const NAME = 'Oliver';
const FOLDER = mkdtempSync(join(tmpdir(), 'denizen-firefox-voice-'));
const file = (name, sentences, seconds) => record(join(FOLDER, `${name}.wav`), sentences, seconds);
/** A second of speech has more. */
const AUDIBLE = 0.005;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What the page says of one's own part. */
const phase = () => document.querySelector('[data-testid="voice-panel"]')?.dataset.phase ?? 'none';
const problem = () => document.querySelector('[data-testid="voice-problem"]')?.dataset.kind ?? '';
const words = () => document.querySelector('[data-testid="voice-panel"]')?.innerText.replace(/\s+/g, ' ').slice(0, 400) ?? 'there is no panel';
const doing = () => document.querySelector('[data-testid="voice-denizen"]')?.dataset.doing ?? 'out';
const isThere = (testId) => document.querySelector(`[data-testid="${testId}"]`) !== null;

async function come(finn, url) {
  await finn.go(`${url}/?token=${process.env.DENIZEN_TOKEN}`);
  await finn.go(`${url}/?as=Finn#/room/lounge`);
  await until(() => finn.run(isThere, 'voice-join'), 'there is no button to join', 30_000);
  await finn.run(eavesdrop);
}

async function checkFirefox(tally, url, understands) {
  const chatter = Array.from({ length: 12 }, (_, at) => ({ at: 1 + 4 * at, text: 'The tide is coming in, and the boats are out.', voice: MAN }));
  const complaints = [];
  const finn = await Firefox.open();
  const ada = await Talker.open(url, 'Ada', file('chatter', chatter, 90), complaints);
  const isIn = () => until(async () => (await finn.run(phase)) === 'in', async () => `Firefox is not in: ${await finn.run(words)}`, 30_000);
  /** How much sound came out so far, as Firefox counts it: without a sound card it lets no page listen. */
  const heardByFinn = async () => (await finn.run(statistics)).energy;
  try {
    await tally.expect('Firefox comes in, to a Denizen that is on loopback, too', async () => {
      await come(finn, url);
      await finn.press('voice-join');
      await isIn();
      await until(async () => (await finn.run(statistics)).sent > 25, async () => JSON.stringify(await finn.run(statistics)));
    });
    await tally.expect('Firefox hears Chromium, and Chromium hears Firefox', async () => {
      await ada.join();
      await ada.startListening();
      await until(async () => (await heardByFinn()) > AUDIBLE, async () => `Firefox heard nothing: ${JSON.stringify(await finn.run(statistics))}`, 25_000);
      await until(async () => (await ada.heard()).loud > 10, async () => `Chromium heard ${(await ada.heard()).loud} tenths`, 25_000);
      await finn.picture('voice-firefox');
    });
    await tally.expect('muted in Firefox, it is not heard, and everybody can see it', async () => {
      await finn.press('voice-mute');
      await until(async () => (await ada.people()).some(({ person, muted }) => person === 'Finn' && muted === 'true'), async () => JSON.stringify(await ada.people()));
      await pause(700);
      await ada.startListening();
      await pause(3_000);
      must((await ada.heard()).loud <= 1, `Firefox was heard for ${(await ada.heard()).loud} tenths`);
    });
    await ada.leave();
    if (understands) {
      await tally.expect('what Denizen answers somebody is heard in Firefox', async () => {
        const question = file('question', [{ at: 0.5, text: `Hello ${NAME}, what colour is the sky today?`, voice: WOMAN }], 5);
        const saying = promisify(execFile)(process.env.DENIZEN_BIN, ['say', question, '--as', 'Cleo', '--silence', '8']);
        await until(async () => (await finn.run(doing)) === 'speaking', async () => `it is ${await finn.run(doing)}`, 40_000);
        const before = await heardByFinn();
        const { stdout } = await saying;
        must(/said +.*sky is blue/i.test(stdout), stdout);
        must((await heardByFinn()) - before > AUDIBLE, `of the answer, Firefox heard ${(await heardByFinn()) - before}`);
      });
    }
    await tally.expect('a reload comes back by itself, as muted as before', async () => {
      await finn.reload();
      await isIn();
      await until(async () => (await (await fetch(`${url}/api/rooms/lounge/voice`)).json()).people.some(({ name, muted }) => name === 'Finn' && muted), 'Finn is not muted any more');
    });
    await tally.expect('a second window takes over, and Firefox says so at once', async () => {
      const again = await Talker.open(url, 'Finn', file('silent', [], 60), complaints);
      await again.join();
      await until(async () => (await finn.run(problem)) === 'elsewhere', async () => `it says ${await finn.run(words)}`, 4_000);
      await again.leave();
      await again.close();
    });
    await tally.expect('Firefox comes in again, and leaves', async () => {
      await finn.press('voice-again');
      await isIn();
      await finn.press('voice-leave');
      await until(async () => !(await (await fetch(`${url}/api/rooms/lounge/voice`)).json()).people.length, 'somebody is still there');
    });
    await tally.expect('no page complained', async () => must(complaints.length === 0, [...new Set(complaints)].join('\n')));
  } finally {
    await finn.close();
    await ada.close();
  }
}

async function run(url) {
  if (!existsSync(FIREFOX)) {
    console.log(`skipped: there is no Firefox at ${FIREFOX} (apt-get install firefox-esr, or name another with FIREFOX)`);
    return true;
  }
  const tally = new Tally();
  const answerer = await openAnswerer();
  for (const [key, value] of [['identity.name', NAME], ['llm.compatibleBaseUrl', answerer.base], ['llm.provider', 'compatible']]) execFileSync(process.env.DENIZEN_BIN, ['settings', 'set', key, value]);
  const understands = await hears(url);
  try {
    await checkFirefox(tally, url, understands);
  } finally {
    answerer.close();
  }
  return tally.close();
}

process.exit((await run(process.env.DENIZEN_URL.replace(/\/$/, ''))) ? 0 : 1);
