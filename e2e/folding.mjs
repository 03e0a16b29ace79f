// A long conversation, folded: fills the room of a Denizen that may be written into at will. DENIZEN_URL says where.
// Best with the offline model and a fresh data folder; it sets how quickly Denizen answers, and ends the session.
import { openBrowser, openPage, OUT, LAPTOP, PHONE } from './browser.mjs';
import { must, Tally, until } from './tally.mjs';

const TURNS = 75;
const SPOKEN_TO_EVERY = 15;
const QUIET_MS = 4_000;
const LINES = [
  'the kettle is broken again', 'then we use the small one', 'it only makes two cups though', 'the release moves to Thursday',
  'main is frozen until then', 'lunch at the canal, half past twelve', 'Mira brings the projector on Friday',
  'the garden may cost 1,200 euros', 'Ada says the roof leaks near the window', 'somebody is needed for the Saturday shift',
];

export async function run(url) {
  const tally = new Tally();
  const complaints = [];
  const browser = await openBrowser();
  const read = () => fetch(`${url}/api/rooms/lounge/session`).then((response) => response.json());
  const post = (path, body) => fetch(`${url}/api/rooms/lounge${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const page = await openPage(browser, complaints);
  try {
    await quicken(url);
    await tally.expect('the page is open while the conversation grows, and sees the folds come', async () => {
      await page.goto(`${url}/?as=Alice#/session/lounge`);
      const before = (await read()).finished.at(-1)?.newCursor ?? 0;
      await post('/notes', { sharedBy: 'Bob', text: 'a photo of a dented kettle on a stove' });
      await talk(post);
      const session = await until(async () => { const now = await read(); return (now.finished.at(-1)?.newCursor ?? 0) > before && !now.run ? now : null; }, 'nothing was folded', 120_000);
      await until(async () => (await page.getByTestId('strip').getAttribute('data-cursor')) === String((await read()).cursor), 'the page lags behind');
      must(session.verbatim.length >= session.recentWindow, `only ${session.verbatim.length} turns are kept word for word`);
      must(session.summary.length > 0 && [...session.summary].length <= session.summaryCharsMax, `the summary has ${session.summary.length} characters`);
    });
    await tally.expect('the summary, its size and its author are shown', async () => {
      const { summary } = await read();
      must((await page.getByTestId('summary').innerText()).trim() === summary.trim(), 'it is another one');
      must((await page.getByTestId('summary-size').innerText()) === `${[...summary].length.toLocaleString('en')} / 1,200`, `its size is ${await page.getByTestId('summary-size').innerText()}`);
    });
    await tally.expect('a finished fold opens to what went in, what came out and what changed', async () => {
      const newest = (await read()).finished.at(-1);
      const item = page.getByTestId('runs').locator('> li').first();
      await item.locator('summary').first().click();
      await item.getByText(newest.turns[0]).first().waitFor();
      must((await item.locator('blockquote').innerText()).trim() === newest.summary.trim(), 'another summary came out');
      must((await item.locator('.diff > div').count()) > 0 || (await item.getByText('Nothing: it says the same').count()) > 0, 'no change is shown');
    });
    await tally.expect('the journal of the fold is there in plain words', async () => {
      await page.getByTestId('folding-lines').locator('[data-name="voice_context_compaction_completed"]').first().getByText('in the summary now').waitFor();
    });
    for (const colorScheme of ['light', 'dark']) for (const [size, viewport] of Object.entries({ laptop: LAPTOP, phone: PHONE })) await picture(browser, url, complaints, { size, viewport, colorScheme });
    await tally.expect('the room comes to rest', () => quiet(read));
    await tally.expect('a new session begins only when one says so, and begins empty', async () => {
      await page.getByRole('button', { name: 'Start a new session' }).click();
      const dialog = page.getByTestId('end-session');
      await page.screenshot({ path: `${OUT}session-end.png` });
      await dialog.getByRole('button', { name: 'Keep this session' }).click();
      must((await read()).summary.length > 0, 'it ended all the same');
      await page.getByRole('button', { name: 'Start a new session' }).click();
      await dialog.getByRole('button', { name: 'Start a new session' }).click();
      await until(async () => { const now = await read(); return now.summary === '' && now.verbatim.length === 0; }, 'it did not end', 30_000);
      await page.getByText('A new session, and nothing was said in it yet').waitFor();
      await post('/messages', { author: 'Bob', text: 'good morning' });
      await page.locator('[data-key="recent"]').waitFor();
      must((await page.locator('[data-key="folded"]').count()) === 0, 'what was folded before is shown as part of it');
    });
    await tally.expect('switched off, the page says so and leads to the setting', async () => {
      await save(url, { 'context.compaction.textChannels': false });
      await page.getByText('Folding is switched off').waitFor();
      await page.getByRole('link', { name: 'To the setting' }).click();
      await page.locator('[data-knob="context.compaction.textChannels"]').waitFor();
      await save(url, { 'context.compaction.textChannels': null });
    });
    await tally.expect('no page complained', async () => must(complaints.length === 0, [...new Set(complaints)].join('\n')));
  } finally {
    await browser.close();
  }
  return tally.close();
}

async function talk(post) {
  for (let turn = 0; turn < TURNS; turn++) {
    const spokenTo = turn % SPOKEN_TO_EVERY === SPOKEN_TO_EVERY - 1;
    const text = `${spokenTo ? '@Denizen ' : ''}${LINES[(turn * 7) % LINES.length]} (${turn})`;
    const sent = await post('/messages', { author: ['Alice', 'Bob', 'Mira'][turn % 3], text });
    must(sent.ok, `a message was refused: ${sent.status} ${await sent.text()}`);
    // Long enough for a reply to be under way, so that folding is considered more than once.
    if (spokenTo) await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

/** Waits until nothing was said or folded for a while: a late reply would be a turn of the next session. */
async function quiet(read) {
  let [seen, since] = ['', Date.now()];
  await until(async () => {
    const { turns, cursor, run } = await read();
    const now = JSON.stringify([turns, cursor, run]);
    if (now !== seen || run) [seen, since] = [now, Date.now()];
    return Date.now() - since > QUIET_MS;
  }, 'it goes on and on', 120_000);
}

async function picture(browser, url, complaints, { size, viewport, colorScheme }) {
  const page = await openPage(browser, complaints, { viewport, colorScheme, hasTouch: size === 'phone' });
  await page.goto(`${url}/?as=Alice#/session/lounge`);
  await page.getByTestId('strip').waitFor();
  await page.screenshot({ path: `${OUT}folding-${size}-${colorScheme}.png` });
  await page.context().close();
}

const quicken = (url) => save(url, { 'activity.replyCoalesceWindowSeconds': 0, 'activity.minSecondsBetweenMessages': 0 });

async function save(url, changes) {
  const { version } = await (await fetch(`${url}/api/settings`)).json();
  const answer = await fetch(`${url}/api/settings`, { method: 'PUT', headers: { 'content-type': 'application/json', 'if-match': `"${version}"` }, body: JSON.stringify({ changes }) });
  must(answer.ok, `the settings were refused: ${await answer.text()}`);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const url = (process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787').replace(/\/$/, '');
  process.exit((await run(url)) ? 0 : 1);
}
