// Denizen thinks by itself, and its page shows how and why. DENIZEN_URL says where it is; the model and the feed are brought along.
// Give it a Denizen of its own: the settings are changed. It waits for several ticks, of which there is one a minute.
import { execFileSync } from 'node:child_process';
import { LAPTOP, openBrowser, openPage, OUT, PHONE } from './browser.mjs';
import { must, Tally, until } from './tally.mjs';
import { openThinker, TITLE } from './thinker.mjs';
import { ThoughtsApi } from './thoughts_api.mjs';
import { Visitor } from './visitor.mjs';

const POOL = 'permissions.replies.discoveryChannelIds';

/** Runs every check against a server; true when all passed. `tick`: how far apart its ticks are. */
export async function run(url, { tick = 60_000 } = {}) {
  const tally = new Tally();
  const complaints = [];
  const api = new ThoughtsApi(url);
  const thinker = await openThinker();
  const browser = await openBrowser();
  try {
    const health = await tally.expect('Denizen answers', () => until(async () => (await fetch(`${url}/api/health`).catch(() => null))?.json(), `nothing answers at ${url}`, 60_000));
    if (!health) return tally.close();
    const ready = await tally.expect('its thoughts can be read, and it is set to a model and a feed on this machine', () => setUp(api, thinker));
    if (!ready) return tally.close();
    const alice = await Visitor.enter(browser, url, 'Alice', complaints);
    const bob = await Visitor.enter(browser, url, 'Bob', complaints);
    const page = await openPage(browser, complaints);
    await page.goto(`${url}/?as=Operator#/thoughts`);
    const scene = { browser, url, api, thinker, alice, bob, page, complaints, patience: 2.5 * tick + 20_000 };
    await checkPool(tally, scene);
    await checkSources(tally, scene);
    await checkTrial(tally, scene);
    await checkPost(tally, scene);
    await checkOutcome(tally, scene);
    await checkHeld(tally, scene);
    await checkStops(tally, scene);
    await tally.expect('the page is pictured in light, dark, laptop and phone, and is never wider than its window', () => pictures(scene));
    await tally.expect('no page complained', async () => must(complaints.length === 0, [...new Set(complaints)].join('\n')));
  } finally {
    await browser.close();
    thinker.close();
  }
  return tally.close();
}

/** What names an address that is given keys is never set over HTTP. */
function onTheMachine(key, value) {
  execFileSync(process.env.DENIZEN_BIN, ['settings', 'set', key, value]);
}

async function setUp(api, thinker) {
  onTheMachine('llm.compatibleBaseUrl', thinker.base);
  onTheMachine('tools.allowedPrivateHosts', thinker.host);
  await api.set({
    'llm.provider': 'compatible', 'memory.enabled': false, 'permissions.allowInitiativeReplies': false, [POOL]: null,
    'initiative.text.enabled': true, 'initiative.text.eagerness': 0, 'initiative.text.minMinutesBetweenPosts': 1, 'initiative.text.maxPostsPerDay': 20, 'attention.activeSeconds': 0,
    'initiative.discovery.sources.reddit': false, 'initiative.discovery.sources.hackerNews': false, 'initiative.discovery.sources.youtube': false, 'initiative.discovery.rssFeeds': null,
    'tools.browser': false,
  });
  await api.view();
  return true;
}

const headline = (page) => page.getByTestId('thoughts-headline');
const says = (page, words, timeout) => until(async () => (await headline(page).innerText()).match(words), async () => `it says “${await headline(page).innerText()}”`, timeout);

async function checkPool(tally, { page, api }) {
  await tally.expect('without a channel the page says so, and one press lets it into the room', async () => {
    await says(page, /nowhere to post/);
    must((await page.getByTestId('stopped-by').getAttribute('data-gate')) === 'no_channels', 'another gate is named');
    await page.screenshot({ path: `${OUT}thoughts-no-channel.png` });
    await page.getByTestId('add-channel').click();
    await page.getByTestId('no-channels').waitFor({ state: 'detached' });
    must((await api.knob(POOL)).includes('lounge'), 'the setting is as it was');
    await page.getByTestId('channels').getByText('#lounge').waitFor();
  });
  await tally.expect('it waits for the next tick, and counts down to it', async () => {
    await says(page, /waiting/);
    const shown = () => page.getByTestId('next-tick').innerText();
    const before = await shown();
    await until(async () => (await shown()) !== before, `it stays at ${before}`);
  });
  await tally.expect('with an eagerness of 0 it says what stops it, and leads to the setting', async () => {
    await until(async () => /eagerness/.test(await page.getByTestId('now').innerHTML()), async () => `it says ${await page.getByTestId('now').innerText()}`);
  });
}

async function checkSources(tally, { page, api, thinker }) {
  const said = page.getByTestId('source-said');
  await tally.expect('a feed that is not there is told from one that is', async () => {
    await page.getByTestId('source-name').fill(thinker.gone);
    await page.getByTestId('check-source').click();
    await until(async () => (await said.getAttribute('data-ok')) === 'false', 'it was taken for a feed');
    await page.getByTestId('source-name').fill(thinker.feed);
    await page.getByTestId('check-source').click();
    await until(async () => (await said.count()) && (await said.getAttribute('data-ok')) === 'true', async () => `it says ${await said.innerText()}`);
  });
  await tally.expect('a feed is added to the settings, and listed', async () => {
    await page.getByTestId('add-source').click();
    await page.locator(`[data-source="rss:${thinker.feed}"]`).waitFor();
    must((await api.knob('initiative.discovery.rssFeeds')).includes(thinker.feed), 'the setting is as it was');
  });
  await tally.expect('the feed can be looked at, with why each item stands where it does', async () => {
    const card = page.getByTestId('preview');
    await page.getByTestId('preview-feed').click();
    await card.getByText('What it would be shown now').waitFor({ timeout: 60_000 });
    await card.getByText(TITLE).waitFor();
    must(/Score \d\.\d\d: /.test(await card.getByRole('img').first().getAttribute('aria-label')), 'the score is not explained');
  });
}

async function checkTrial(tally, { page, api, thinker, url }) {
  await tally.expect('“Think now” shows a whole thought step by step, and posts nothing', async () => {
    const before = (await api.said()).length;
    thinker.state.action = 'post_now';
    await page.getByTestId('think-now').click();
    const trial = page.getByTestId('trial');
    await trial.waitFor();
    await until(async () => (await trial.getAttribute('data-stage')) === 'done', async () => `it is at ${await trial.getAttribute('data-stage')}: ${JSON.stringify((await api.view()).trial)}`, 90_000);
    const kinds = await trial.locator('[data-step]').evaluateAll((steps) => steps.map(({ dataset }) => dataset.step));
    must(kinds[0] === 'gathered' && kinds.includes('asked') && kinds.includes('decided'), `its steps are ${kinds.join(', ')}`);
    must((await trial.getByTestId('decision').getAttribute('data-action')) === 'post_now', 'it decided otherwise');
    await trial.getByTestId('would-post').getByText('these six work with exactly three').waitFor();
    await trial.getByTestId('nothing-posted').getByText('nothing was posted').waitFor();
    must(/would have been posted/.test(await trial.getByTestId('outcome').innerText()), `it says ${await trial.getByTestId('outcome').innerText()}`);
    must((await api.said()).length === before, 'something was posted');
    await page.screenshot({ path: `${OUT}thoughts-trial.png`, fullPage: true });
  });
  await tally.expect('each step leads to what the model saw', async () => {
    await page.getByTestId('steps').getByRole('link', { name: 'what the model saw' }).first().click();
    await page.getByText('thought of its own').first().waitFor();
    await page.goto(`${url}/?as=Operator#/thoughts`);
    await page.getByTestId('trial').waitFor();
  });
}

async function checkPost(tally, { page, api, alice, patience }) {
  await tally.expect('once it is eager it posts by itself, and the room says that nobody asked', async () => {
    const before = (await api.said()).length;
    await alice.room();
    await api.set({ 'initiative.text.eagerness': 100 });
    const post = await until(async () => (await api.said())[before], async () => `nothing was posted: ${JSON.stringify((await api.view()).stoppedBy)} ${JSON.stringify((await api.view()).receipts.slice(0, 2))}`, patience);
    // No more than this one, while it is looked at.
    await api.set({ 'initiative.text.eagerness': 0 });
    const message = alice.page.locator(`[data-message="${post.id}"]`);
    await message.getByText('these six work with exactly three').waitFor();
    await message.getByTestId('unasked').waitFor();
    await alice.page.screenshot({ path: `${OUT}thoughts-room.png` });
  });
  await tally.expect('the page lists the post with where its link came from, and the tick in the picture of the day', async () => {
    const post = page.getByTestId('posts').locator('[data-post]').first();
    await post.getByText('these six work with exactly three').waitFor();
    await post.getByText(/from .*feed\.xml/).waitFor();
    await page.getByTestId('day-strip').locator('[data-run="posted"]').first().waitFor({ state: 'attached' });
    await page.getByTestId('receipts').locator('[data-receipt="ran"]').filter({ hasText: 'Thought: posted' }).first().waitFor();
  });
  await tally.expect('it can be asked why', async () => {
    await page.getByTestId('posts').locator('[data-post]').first().getByRole('link', { name: 'why' }).click();
    await page.getByTestId('verdict').waitFor();
    must((await page.getByTestId('verdict').getAttribute('data-outcome')) === 'own_accord', 'it is not of its own accord');
    await page.keyboard.press('Escape');
    await page.getByTestId('why-panel').waitFor({ state: 'detached' });
  });
}

async function checkOutcome(tally, { page, api, alice, bob }) {
  const came = page.getByTestId('posts').locator('[data-post]').first().getByTestId('came-back');
  const counts = async (reactions, replies) => (await came.getAttribute('data-reactions')) === String(reactions) && (await came.getAttribute('data-replies')) === String(replies);
  const [newest] = (await api.view()).posts;
  if (!newest) return;
  const under = (visitor) => visitor.page.locator(`[data-message="${newest.messages[0]}"]`);
  await tally.expect('a reaction from the picker is seen by everybody at once, and counted', async () => {
    await bob.room();
    await under(alice).hover();
    await under(alice).getByRole('button', { name: 'React', exact: true }).click();
    await alice.page.getByRole('button', { name: 'React with 🎉' }).click();
    await under(bob).locator('[data-reaction="🎉"]').getByText('1').waitFor();
    await until(() => counts(1, 0), async () => `it counts ${await came.innerText()}`);
  });
  await tally.expect('one’s own is joined and taken back with one press', async () => {
    await under(bob).locator('[data-reaction="🎉"]').click();
    await under(alice).locator('[data-reaction="🎉"]').getByText('2').waitFor();
    await until(() => counts(2, 0), async () => `it counts ${await came.innerText()}`);
    await under(bob).locator('[data-reaction="🎉"]').click();
    await under(alice).locator('[data-reaction="🎉"]').getByText('1').waitFor();
    await until(() => counts(1, 0), async () => `it counts ${await came.innerText()}`);
  });
  await tally.expect('a free one is taken, and one with a space is not', async () => {
    await under(alice).hover();
    await under(alice).getByRole('button', { name: 'React', exact: true }).click();
    const field = alice.page.getByLabel('Another emoji or short word');
    await field.fill('two words');
    await field.press('Enter');
    await under(alice).getByRole('alert').getByText('without spaces').waitFor();
    await field.fill('🫖');
    await field.press('Enter');
    await under(bob).locator('[data-reaction="🫖"]').waitFor();
    await until(() => counts(2, 0), async () => `it counts ${await came.innerText()}`);
  });
  await tally.expect('a reply is counted', async () => {
    await under(bob).hover();
    await under(bob).getByRole('button', { name: 'Reply', exact: true }).click();
    await bob.say('the crew it is, then');
    await until(() => counts(2, 1), async () => `it counts ${await came.innerText()}`);
  });
}

async function checkHeld(tally, { page, api, thinker, patience }) {
  await tally.expect('a thought that is held is shown with how long still, and can be dropped', async () => {
    thinker.state.action = 'hold';
    await api.set({ 'initiative.text.eagerness': 100 });
    await until(async () => (await api.view()).thought, async () => `nothing is held: ${JSON.stringify((await api.view()).receipts.slice(0, 2))}`, patience);
    await api.set({ 'initiative.text.eagerness': 0 });
    const held = page.getByTestId('held');
    await held.waitFor();
    must(/let go in/.test(await held.getByTestId('expiry').innerText()), 'its end is not named');
    await says(page, /holding a thought|looking at its held thought/);
    await page.screenshot({ path: `${OUT}thoughts-held.png` });
    await held.getByTestId('drop-thought').click();
    await page.getByTestId('drop-yes').click();
    await held.waitFor({ state: 'detached' });
    must((await api.view()).thought === null, 'it is held all the same');
  });
}

async function checkStops(tally, { page, api }) {
  const gate = () => page.getByTestId('stopped-by').getAttribute('data-gate');
  await tally.expect('a budget that is used up stops it, and the meter says so', async () => {
    await api.set({ 'initiative.text.eagerness': 20, 'initiative.budget.maxCallsPerDay': 1 });
    await until(async () => (await page.getByTestId('stopped-by').count()) && (await gate()) === 'budget_calls', async () => `it is stopped by ${await gate()}`);
    must((await page.locator('[data-meter="Calls"]').getAttribute('data-fill')) === 'full', 'the meter is not full');
    await api.set({ 'initiative.budget.maxCallsPerDay': null });
  });
  await tally.expect('switched off it says so, from the knob on the page itself', async () => {
    const knob = page.locator('[data-knob="initiative.text.enabled"]').getByRole('switch');
    await knob.click();
    await page.getByTestId('save').click();
    await says(page, /switched off/);
    await knob.click();
    await page.getByTestId('save').click();
    await says(page, /waiting|thinking|looking/);
  });
}

async function pictures({ browser, url, complaints }) {
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, viewport] of Object.entries({ laptop: LAPTOP, phone: PHONE })) {
      const page = await openPage(browser, complaints, { viewport, colorScheme });
      await page.goto(`${url}/?as=Operator#/thoughts`);
      await page.getByTestId('now').waitFor();
      await page.waitForTimeout(500);
      await page.screenshot({ path: `${OUT}thoughts-${size}-${colorScheme}.png` });
      const wide = await page.getByTestId('thoughts').evaluate((element) => element.scrollWidth - element.clientWidth);
      must(wide <= 0, `on the ${size} it is ${wide} px too wide`);
      await page.context().close();
    }
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const url = (process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787').replace(/\/$/, '');
  process.exit((await run(url)) ? 0 : 1);
}
