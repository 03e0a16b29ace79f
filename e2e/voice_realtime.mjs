// Realtime services in a real browser, each by its double: somebody asks aloud, the service hears it, and its voice answers — with
// Denizen's own words (brain), and with the service's (native). Who speaks over it cuts it short. Needs espeak-ng and DOUBLE_BIN.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAnswerer } from './answerer.mjs';
import { OUT } from './browser.mjs';
import { ServiceDouble } from './double_service.mjs';
import { MAN, record, WOMAN } from './recordings.mjs';
import { must, Tally, until } from './tally.mjs';
import { Talker } from './talker.mjs';

const NAME = 'Oliver';
const QUESTION = `Hello ${NAME}, what colour is the sky today?`;
const OVER = 'Wait, stop, that is enough. We have to talk about the boat before the tide comes in.';
const OWN = 'The service says that the sky is green.';
const LONG = 'Once upon a time there was a kettle. It stood on a shelf in a small kitchen near the sea. Every morning it sang a little song, and the fishermen knew that it was time for tea. '.repeat(3);
const SERVICES = {
  openai: { knob: 'voice.openaiRealtime.baseUrl', path: '/v1' },
  xai: { knob: 'voice.xaiRealtime.baseUrl', path: '/v1' },
  gemini: { knob: 'voice.geminiRealtime.baseUrl', path: '' },
  elevenlabs: { knob: 'voice.elevenLabsRealtime.baseUrl', path: '' },
};
const STRATEGIES = ['brain', 'native'];
const FOLDER = mkdtempSync(join(tmpdir(), 'denizen-realtime-'));
const file = (name, sentences, seconds) => record(join(FOLDER, `${name}.wav`), sentences, seconds);
/** What is guarded is set on the machine itself. */
const set = (key, value) => execFileSync(process.env.DENIZEN_BIN, ['settings', 'set', key, value]);

/** What a service was asked to say, by each one's own event. */
const uttered = (frames) => frames.map((frame) => frame.response?.input?.[0]?.content?.[0]?.text ?? (frame.item?.type === 'force_message' ? frame.item.content[0].text : frame.clientContent?.turns?.[0]?.parts?.[0]?.text ?? (frame.flush ? frame.text : ''))).filter(Boolean).join(' ');

/** That the service was asked to answer out of its own head. */
const asked = (frames) => frames.some((frame) => (frame.type === 'response.create' && frame.response?.conversation !== 'none') || frame.realtimeInput?.text || frame.type === 'user_message');

async function choose(provider, strategy, double) {
  const { knob, path } = SERVICES[provider];
  set('voice.realtimeReplyStrategy', strategy);
  set(knob, `http://${double.address}${path}`);
  set('voice.elevenLabsRealtime.agentId', strategy === 'native' ? 'agent_1' : '');
  set('voice.realtimeProvider', provider);
  set('voice.mode', 'realtime');
}

/** A question by name is heard by the service and answered in its voice. */
async function checkQuestion(tally, { url, complaints, answerer }, provider, strategy) {
  const double = await ServiceDouble.open(provider);
  double.tell(`always hears ${QUESTION}`);
  double.tell(`always answers ${OWN}`);
  // What it was told is heeded by now.
  await double.received();
  await choose(provider, strategy, double);
  const before = answerer.asked.filter(({ decides }) => !decides).length;
  // Where its ears are not loaded yet when she comes in, she asks once more.
  const asks = [6, 30].map((at) => ({ at, text: QUESTION, voice: WOMAN }));
  const ada = await Talker.open(url, 'Ada', file('question', asks, 60), complaints);
  try {
    await tally.expect(`${provider}, ${strategy}: a question is heard and answered aloud by the service`, async () => {
      await ada.join();
      await until(async () => (await ada.doing()) === 'listening', async () => `Denizen is ${await ada.doing()}: ${await ada.says()}`, 30_000);
      await ada.startListening();
      // The room remembers who was there before.
      const finished = async (speaker, pattern) => (await ada.lines()).filter((line) => line.speaker === speaker && line.state === 'said' && pattern.test(line.text));
      const answer = strategy === 'native' ? /sky is green/i : /sky is blue/i;
      const earlier = { ada: (await finished('Ada', /colou?r.*sky/i)).length, own: (await finished(NAME, answer)).length };
      await until(async () => (await finished('Ada', /colou?r.*sky/i)).length > earlier.ada, async () => `the question was not heard: ${JSON.stringify((await ada.lines()).slice(-4))}`, 40_000);
      await until(async () => (await finished(NAME, answer)).length > earlier.own, async () => `it did not answer: ${JSON.stringify((await ada.lines()).slice(-4))}`, 40_000);
      const { text } = (await finished(NAME, answer)).at(-1);
      await until(async () => (await ada.heard()).loud > 8, async () => `only ${(await ada.heard()).loud} tenths of a second were heard`, 20_000);
      const frames = await double.received();
      const own = answerer.asked.filter(({ decides }) => !decides).length - before;
      if (strategy === 'native') must(asked(frames) && own === 0, `the service was ${asked(frames) ? '' : 'not '}asked, and Denizen's own model ${own} times`);
      else must(uttered(frames).includes('sky is blue') && own > 0, `it was asked to say “${uttered(frames)}”`);
      await ada.page.getByText(/heard after/).last().click();
      console.log(`        said “${text}”: ${(await ada.page.locator('[data-testid="voice-line"] dl').last().innerText()).replace(/\s+/g, ' ')}`);
      // All phases of the answer, and what became of it, are to be seen.
      await ada.page.setViewportSize({ width: 1360, height: 1040 });
      await ada.page.locator('[data-testid="voice-line"]').filter({ has: ada.page.locator('dl') }).last().getByText(/answered it aloud/).waitFor();
      await ada.page.locator('[data-testid="voice-line"]').last().scrollIntoViewIfNeeded();
      await ada.page.screenshot({ path: `${OUT}realtime-${provider}-${strategy}.png` });
    });
  } finally {
    await ada.leave().catch(() => undefined);
    await ada.close();
    double.close();
  }
}

/** Whoever speaks over the service stops it, and it is told how much of its answer was heard. */
async function checkBargeIn(tally, { url, complaints }) {
  const double = await ServiceDouble.open('openai');
  double.tell(`hears Hello ${NAME}, please tell me a long story.`);
  double.tell(`always hears ${OVER}`);
  double.tell(`answers ${LONG}`);
  double.tell('go on after cancel');
  await double.received();
  await choose('openai', 'native', double);
  const ada = await Talker.open(url, 'Ada', file('story', [{ at: 6, text: `Hello ${NAME}, please tell me a long story.`, voice: WOMAN }], 90), complaints);
  const bob = await Talker.open(url, 'Bob', file('over', [{ at: 20, text: OVER, voice: MAN }], 90), complaints);
  try {
    await tally.expect('openai, native: whoever speaks over it stops it, and the service is told what was heard', async () => {
      await Promise.all([ada.join(), bob.join()]);
      await until(async () => (await ada.doing()) === 'speaking', async () => `Denizen is ${await ada.doing()}: ${JSON.stringify((await ada.lines()).slice(-4))}`, 40_000);
      const cut = await until(async () => (await double.received()).find(({ type }) => type === 'conversation.item.truncate'), 'the service was not told what was heard', 40_000);
      must(cut.audio_end_ms > 0 && cut.audio_end_ms < LONG.length * 60, JSON.stringify(cut));
      await until(async () => (await ada.doing()) !== 'speaking', 'it speaks on');
      console.log(`        of ${(LONG.length * 60) / 1000} s the service knows ${cut.audio_end_ms / 1000} s`);
      await ada.page.screenshot({ path: `${OUT}realtime-cut-short.png` });
    });
  } finally {
    await ada.close();
    await bob.close();
    double.close();
  }
}

/** The page of the session after all of it. */
async function checkSession(tally, { url, complaints }) {
  const eve = await Talker.open(url, 'Eve', file('silent', [], 20), complaints);
  try {
    await tally.expect('the session page shows what was said by both', async () => {
      await eve.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Session' }).click();
      await eve.page.getByTestId('strip').waitFor();
      await eve.page.getByTestId('verbatim').locator('summary').click();
      await eve.page.getByTestId('verbatim').getByText(/sky is/).first().waitFor();
      await eve.page.screenshot({ path: `${OUT}realtime-session.png`, fullPage: true });
    });
  } finally {
    await eve.close();
  }
}

export async function run(url, only = '') {
  const tally = new Tally();
  const complaints = [];
  const answerer = await openAnswerer();
  const scene = { url, complaints, answerer };
  set('identity.name', NAME);
  set('llm.compatibleBaseUrl', answerer.base);
  set('llm.provider', 'compatible');
  // ONLY=brain, ONLY=native,gemini or ONLY=over: what is not named in a list of its kind is left out.
  const names = only.split(',').filter(Boolean);
  const wanted = (name, kind) => !names.length || names.includes(name) || (kind && !names.some((other) => kind.includes(other)) && names.some((other) => STRATEGIES.includes(other) || other in SERVICES));
  try {
    for (const strategy of STRATEGIES) {
      for (const provider of Object.keys(SERVICES)) if (wanted(provider, Object.keys(SERVICES)) && wanted(strategy, STRATEGIES)) await checkQuestion(tally, scene, provider, strategy);
    }
    if (wanted('over')) await checkBargeIn(tally, scene);
    if (wanted('session')) await checkSession(tally, scene);
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
