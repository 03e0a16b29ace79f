// The voice of a room in real browsers whose microphones are recordings: people come in, hear each other, are muted, come back after a
// reload. With ears and a voice (DENIZEN_EARS_MODEL, DENIZEN_VOICE_MODEL, ORT_DYLIB_PATH as for `make e2e-speech`) also: a question by name is answered
// aloud, talk between people is not, whoever speaks over it stops it, and two at once are both understood. The answer that was heard
// is played into the room again, to see that its own ears understand it. Needs espeak-ng, no model, and a Denizen of its own.
// With E2E_VOICE_MODEL_URL a real model answers and decides whether it is meant: then any words will do, and what it said is printed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAnswerer, SHORT } from './answerer.mjs';
import { OUT } from './browser.mjs';
import { MAN, record, resampled, wav, WOMAN } from './recordings.mjs';
import { hears, Talker } from './talker.mjs';
import { must, Tally, until } from './tally.mjs';

/** What it is called: a name that small ears know. */
const NAME = 'Oliver';
/** Asked a second time where its ears were still being loaded at the first. */
const QUESTION = `Hello ${NAME}, what colour is the sky today?`;
/** A real model answers what it likes. */
const REAL = process.env.E2E_VOICE_MODEL_URL;
const ANSWER = REAL ? /\w/ : /sky is blue/i;
const PATIENCE = REAL ? 240_000 : 40_000;
const FOLDER = mkdtempSync(join(tmpdir(), 'denizen-voice-'));
const file = (name, sentences, seconds) => record(join(FOLDER, `${name}.wav`), sentences, seconds);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What is guarded is set on the machine itself. */
function onTheMachine(key, value) {
  execFileSync(process.env.DENIZEN_BIN, ['settings', 'set', key, value]);
}

const view = async (url) => (await fetch(`${url}/api/rooms/lounge/voice`)).json();

/** Two who come in: each is seen by the other, the microphone of one is heard by the other, and not while it is muted. */
async function checkCompany(tally, { url, complaints }) {
  const chatter = Array.from({ length: 10 }, (_, at) => ({ at: 1 + 4 * at, text: 'The tide is coming in, and the boats are out.', voice: MAN }));
  const ada = await Talker.open(url, 'Ada', file('silent', [], 60), complaints);
  const bob = await Talker.open(url, 'Bob', file('chatter', chatter, 60), complaints);
  try {
    await tally.expect('one comes in by a press, and the microphone goes up', async () => {
      await ada.join();
      await until(async () => (await ada.stats()).sent > 25, async () => JSON.stringify(await ada.stats()));
    });
    await tally.expect('both see who is there', async () => {
      await bob.join();
      for (const talker of [ada, bob]) await until(async () => (await talker.people()).map(({ person }) => person).sort().join() === 'Ada,Bob', async () => JSON.stringify(await talker.people()));
    });
    await tally.expect('on a phone nothing of what the badge of the model shows is cut off', async () => {
      const before = ada.page.viewportSize();
      await ada.page.setViewportSize({ width: 390, height: 800 });
      await ada.page.getByTestId('model-badge').click();
      const { x, width } = await ada.page.locator('#model-details').boundingBox();
      must(x >= 0 && x + width <= 390, `it goes from ${x} to ${x + width}`);
      await ada.page.screenshot({ path: `${OUT}voice-phone-badge.png` });
      await ada.page.keyboard.press('Escape');
      await ada.page.setViewportSize(before);
    });
    await tally.expect('one hears the other, and sees the ring', async () => {
      await ada.startListening();
      await until(async () => (await ada.heard()).loud > 10, async () => `loud for ${(await ada.heard()).loud} tenths; ${JSON.stringify(await ada.stats())}`, 20_000);
      await until(async () => (await ada.people()).some(({ person, speaking }) => person === 'Bob' && speaking === 'true'), async () => JSON.stringify(await ada.people()), 20_000);
    });
    await tally.expect('whoever is muted is not heard, and everybody can see it', async () => {
      await bob.page.getByTestId('voice-mute').click();
      await until(async () => (await ada.people()).some(({ person, muted }) => person === 'Bob' && muted === 'true'), async () => JSON.stringify(await ada.people()));
      await pause(700);
      await ada.startListening();
      await pause(6_000);
      must((await ada.heard()).loud <= 1, `Bob was heard for ${(await ada.heard()).loud} tenths`);
      await bob.page.getByTestId('voice-mute').click();
    });
    await tally.expect('a reload comes back by itself, and nobody has left in between', async () => {
      const before = (await view(url)).people.length;
      await bob.page.reload();
      await bob.isIn();
      must((await view(url)).people.length === before, `there are ${JSON.stringify((await view(url)).people)}`);
      await until(async () => (await bob.stats()).sent > 25, async () => JSON.stringify(await bob.stats()));
    });
    await tally.expect('the same name in a second window takes over, and the first one says so', async () => {
      const again = await Talker.open(url, 'Bob', file('silent', [], 60), complaints);
      await again.join();
      // At once: a browser takes 5 s and more to notice by itself that nobody is there any more.
      await bob.page.getByTestId('voice-problem').and(bob.page.locator('[data-kind="elsewhere"]')).waitFor({ timeout: 4_000 });
      must((await again.panel.getAttribute('data-phase')) === 'in', 'the second window lost it again');
      await again.leave();
      await again.close();
    });
    await tally.expect('leaving is seen by the others', async () => {
      await until(async () => (await ada.people()).map(({ person }) => person).join() === 'Ada', async () => JSON.stringify(await ada.people()));
    });
  } finally {
    await ada.close();
    await bob.close();
  }
}

/** A question by name is answered aloud; the answer that was heard is kept. */
async function checkQuestion(tally, { url, complaints }) {
  const ada = await Talker.open(url, 'Ada', file('question', [{ at: 6, text: QUESTION, voice: WOMAN }, { at: 28, text: QUESTION, voice: WOMAN }], 60), complaints);
  try {
    return await tally.expect('a question by name is understood, answered aloud, and explained', async () => {
      await ada.join();
      await until(async () => (await ada.doing()) === 'listening', async () => `Denizen is ${await ada.doing()}: ${await ada.says()}`, 20_000);
      await ada.startListening();
      // Small ears take the sky for this guy, now and then.
      await ada.said('Ada', /colou?r/i);
      const { text } = await ada.said(NAME, ANSWER, PATIENCE);
      await until(async () => /called by name/.test((await ada.lines()).find(({ speaker }) => speaker === 'Ada')?.why ?? ''), async () => `the turn does not say why it was answered: ${JSON.stringify(await ada.lines())}`);
      const { samples, loud } = await ada.heard();
      must(loud > 8, `only ${loud} tenths of a second were heard`);
      await ada.page.getByText(/heard after/).first().click();
      console.log(`        said “${text}”: ${(await ada.page.locator('[data-testid="voice-line"] dl').first().innerText()).replace(/\s+/g, ' ')}`);
      await ada.page.screenshot({ path: `${OUT}voice-answered.png` });
      return samples;
    });
  } finally {
    await ada.close();
  }
}

/** What came out of the loudspeaker is played into the room again: its own ears understand it. */
async function checkUnderstood(tally, { url, complaints }, samples) {
  const path = join(FOLDER, 'heard.wav');
  const again = resampled(samples, 16_000, 48_000);
  const padded = new Float32Array(again.length + 48_000 * 12);
  padded.set(again, 48_000 * 4);
  writeFileSync(path, wav(padded));
  const cleo = await Talker.open(url, 'Cleo', path, complaints);
  try {
    await tally.expect('the answer that was heard can be understood', async () => {
      await cleo.join();
      // Small ears make a skate of the sky in every third try, without any room in between.
      const line = await cleo.said('Cleo', /is blue/i);
      console.log(`        said “${SHORT}”, understood “${line.text}”`);
    });
  } finally {
    await cleo.close();
  }
}

/** Two who talk to each other are both written down under their own names, and not answered. */
async function checkTalkBetween(tally, { url, complaints }) {
  const ada = await Talker.open(url, 'Ada', file('to-bob', [{ at: 8, text: 'Bob, did you bring the tea and the biscuits?', voice: WOMAN }], 60), complaints);
  const bob = await Talker.open(url, 'Bob', file('at-once', [{ at: 8, text: 'The weather forecast says rain on Thursday.', voice: MAN }], 60), complaints);
  try {
    await tally.expect('two at once are both understood, under their own names', async () => {
      await Promise.all([ada.join(), bob.join()]);
      await ada.said('Ada', /tea/i);
      await ada.said('Bob', /rain|weather|thursday/i);
      must(!(await ada.lines()).some(({ speaker, text }) => (speaker === 'Ada' && /rain|weather/i.test(text)) || (speaker === 'Bob' && /biscuit/i.test(text))), JSON.stringify(await ada.lines()));
    });
    await tally.expect('what is said to somebody else is not answered, and says why not', async () => {
      await until(async () => (await ada.lines()).filter(({ speaker, why }) => speaker !== NAME && why).length >= 2, async () => JSON.stringify(await ada.lines()), REAL ? PATIENCE : 20_000);
      for (const { speaker, text, why } of await ada.lines()) if (REAL) console.log(`        ${speaker}: ${text} — ${why}`);
      await pause(6_000);
      const since = (await ada.lines()).findIndex(({ text }) => /tea/i.test(text));
      const answers = (await ada.lines()).slice(since).filter(({ speaker }) => speaker === NAME);
      must(answers.length === 0, `it said ${JSON.stringify(answers)}`);
      await ada.page.screenshot({ path: `${OUT}voice-between.png` });
    });
  } finally {
    await ada.close();
    await bob.close();
  }
}

/** Whoever speaks over it stops it, and what was heard of it is kept. */
async function checkBargeIn(tally, { url, complaints }) {
  const ada = await Talker.open(url, 'Ada', file('story', [{ at: 6, text: `Hello ${NAME}, please tell me a long story.`, voice: WOMAN }], 90), complaints);
  const bob = await Talker.open(url, 'Bob', file('over', [{ at: 20, text: 'Wait, stop, that is enough. We have to talk about the boat before the tide comes in.', voice: MAN }], 90), complaints);
  try {
    await tally.expect('whoever speaks over it stops it, and the page shows what was heard', async () => {
      await Promise.all([ada.join(), bob.join()]);
      await until(async () => (await ada.doing()) === 'speaking', async () => `Denizen is ${await ada.doing()}: ${JSON.stringify((await ada.lines()).slice(-4))}`, 40_000);
      await ada.page.screenshot({ path: `${OUT}voice-speaking.png` });
      await ada.page.getByText(/Cut short/).first().waitFor({ timeout: 40_000 });
      must((await ada.doing()) !== 'speaking', 'it speaks on');
      await until(async () => (await ada.lines()).some(({ why }) => /spoke over it/.test(why)), async () => `no turn says that it was spoken over: ${JSON.stringify((await ada.lines()).slice(-4))}`);
      await ada.page.screenshot({ path: `${OUT}voice-cut-short.png` });
    });
  } finally {
    await ada.close();
    await bob.close();
  }
}

/** Whoever does not want to be listened to is heard by people, and not written down; a reload keeps it so. */
async function checkUnheard(tally, { url, complaints }) {
  const dan = await Talker.open(url, 'Dan', file('secret', [{ at: 8, text: `Hello ${NAME}, the secret number is seven.`, voice: MAN }], 60), complaints);
  const eve = await Talker.open(url, 'Eve', file('silent', [], 60), complaints);
  const listened = async () => (await view(url)).people.find(({ name }) => name === 'Dan')?.listened;
  try {
    await tally.expect('whoever does not want to be listened to is heard by people and written down by nobody, after a reload, too', async () => {
      await eve.join();
      await dan.join();
      await dan.page.getByTestId('voice-unheard').check();
      await until(async () => (await listened()) === false, async () => JSON.stringify(await view(url)));
      await eve.startListening();
      await until(async () => (await eve.heard()).loud > 10, async () => `loud for ${(await eve.heard()).loud} tenths`, 25_000);
      await pause(6_000);
      must(!(await eve.lines()).some(({ speaker }) => speaker === 'Dan'), JSON.stringify(await eve.lines()));
      await dan.page.reload();
      await dan.isIn();
      must((await listened()) === false && (await dan.page.getByTestId('voice-unheard').isChecked()), 'it is listened to again');
      await dan.page.screenshot({ path: `${OUT}voice-unheard.png` });
    });
  } finally {
    await dan.close();
    await eve.close();
  }
}

export async function run(url, only = '') {
  const tally = new Tally();
  const complaints = [];
  const scene = { url, complaints };
  const answerer = REAL ? { base: REAL, close: () => undefined } : await openAnswerer();
  onTheMachine('identity.name', NAME);
  onTheMachine('llm.compatibleBaseUrl', answerer.base);
  onTheMachine('llm.provider', 'compatible');
  const understands = await hears(url);
  const wanted = (name) => !only || only === name;
  try {
    if (wanted('company')) await checkCompany(tally, scene);
    if (understands) {
      const samples = wanted('question') && (await checkQuestion(tally, scene));
      if (samples && !REAL) await checkUnderstood(tally, scene, samples);
      if (wanted('between')) await checkTalkBetween(tally, scene);
      if (wanted('over')) await checkBargeIn(tally, scene);
      if (wanted('unheard')) await checkUnheard(tally, scene);
    }
    await tally.expect('no page complained', async () => must(complaints.length === 0, [...new Set(complaints)].join('\n')));
  } finally {
    answerer.close();
  }
  return tally.close();
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const url = (process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787').replace(/\/$/, '');
  process.exit((await run(url, process.env.ONLY ?? '')) ? 0 : 1);
}
