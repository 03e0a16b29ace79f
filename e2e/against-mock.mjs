// The same checks against the mock server, for work on the pages, and some that need a server one can cut off: `npm run mock`.
// Needs a built `ui/dist`.
import { start } from '../ui/mock/server.mjs';
import { openBrowser, openPage } from './browser.mjs';
import { run as checkFolding } from './folding.mjs';
import { run as checkMemory } from './memory.mjs';
import { run } from './room.mjs';
import { checkBrokenShares } from './share_broken.mjs';
import { must, Tally, until } from './tally.mjs';
import { run as checkThoughts } from './thoughts.mjs';
import { Visitor } from './visitor.mjs';
import { run as checkWatch } from './watch.mjs';

const MOCK_TICK_MS = 6_000;

async function checkConnection() {
  const tally = new Tally();
  const complaints = [];
  const mock = await start();
  const browser = await openBrowser();
  const alice = await Visitor.enter(browser, mock.url, 'Alice', complaints);
  const scroller = alice.page.getByRole('region', { name: 'Messages' });

  await tally.expect('older messages are loaded on the way up, and the place one reads stays', async () => {
    await alice.said('right, back to work').waitFor();
    const before = await alice.page.locator('[data-message]').count();
    const first = alice.page.locator('[data-message]').first();
    const id = await first.getAttribute('data-message');
    await scroller.evaluate((element) => (element.scrollTop = 150));
    await until(async () => (await alice.page.locator('[data-message]').count()) > before, 'nothing was loaded');
    const box = await alice.page.locator(`[data-message="${id}"]`).boundingBox();
    must(box && box.y > -300 && box.y < 500, `the message that was in sight is now at ${box?.y}`);
    await alice.said('older talk, line 1 of 60').first().waitFor({ state: 'attached' });
  });
  await tally.expect('a message that comes while one reads further up is counted, and one press away', async () => {
    await scroller.evaluate((element) => (element.scrollTop = 400));
    mock.world.add({ id: 'while-away', room: 'lounge', author: { id: 'local:bob', name: 'Bob', kind: 'person' }, text: 'said while you read', at: Date.now() });
    await alice.page.getByRole('button', { name: '1 new message' }).click();
    await until(async () => (await scroller.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)) < 5, 'not at the end');
  });
  await tally.expect('a dropped connection is picked up again, with what was missed', async () => {
    mock.drop();
    mock.world.add({ id: 'missed', room: 'lounge', author: { id: 'local:bob', name: 'Bob', kind: 'person' }, text: 'said while you were gone', at: Date.now() });
    await alice.said('said while you were gone').waitFor({ timeout: 20_000 });
  });
  let again;
  await tally.expect('a server that is gone is announced, and everything is read anew when it is back', async () => {
    mock.stop();
    await alice.page.getByText('The connection to Denizen is lost').waitFor();
    again = await start({ port: Number(new URL(mock.url).port), past: false });
    again.world.add({ id: 'new-start', room: 'lounge', author: { id: 'local:bob', name: 'Bob', kind: 'person' }, text: 'a new beginning', at: Date.now() });
    await alice.said('a new beginning').waitFor({ timeout: 30_000 });
    must((await alice.said('right, back to work').count()) === 0, 'the old room is still shown');
    await alice.page.getByText('The connection to Denizen is lost').waitFor({ state: 'detached' });
  });
  await tally.expect('no page complained', async () => must(complaints.length === 0, complaints.join('\n')));
  await browser.close();
  again?.stop();
  return tally.close();
}

async function checkMemoryPages() {
  const tally = new Tally();
  const complaints = [];
  const mock = await start();
  const browser = await openBrowser();
  const page = await openPage(browser, complaints);
  const cards = page.getByTestId('gems').locator('[data-gem]');

  await tally.expect('older gems are read on the way down, to the last', async () => {
    await page.goto(`${mock.url}/?as=Alice#/memory`);
    await until(async () => (await cards.count()) >= 50, 'the first page is not there');
    const total = Number(await page.getByTestId('gem-count').innerText());
    await until(async () => { await cards.last().scrollIntoViewIfNeeded(); return (await cards.count()) === total; }, async () => `${await cards.count()} of ${total} are shown`);
  });
  await tally.expect('a private room’s memory is kept from the others, and the page says so', async () => {
    await page.goto(`${mock.url}/?as=Alice#/memory/search/garden%20budget`);
    await page.getByTestId('found').getByText('1,200 euros').first().waitFor();
    await page.getByTestId('see-as').selectOption({ label: '#lounge sees it' });
    await page.getByTestId('hidden').locator('summary').click();
    await page.getByTestId('hidden').getByText('#board, a private room').first().waitFor();
    must((await page.getByTestId('found').getByText('1,200 euros').count()) === 0, 'the room sees it');
  });
  await tally.expect('what is wrong with memory is said, with what to do', async () => {
    for (const [trouble, testid, words] of [['redis', 'kept-back', 'Redis'], ['reembedding', 'reembedding', '340 of 1,200'], ['qdrant', 'trouble', 'cannot be reached'], ['off', 'memory-off', 'switched off']]) {
      mock.world.memory.trouble = trouble;
      await page.goto(`${mock.url}/?as=Alice#/memory`);
      await page.reload();
      await page.getByTestId(testid).getByText(words).first().waitFor();
    }
    await page.getByTestId('memory-off').getByRole('link').click();
    await page.locator('[data-knob="memory.enabled"]').waitFor();
  });
  await tally.expect('a memory that holds nothing says how it fills', async () => {
    Object.assign(mock.world.memory, { trouble: '', gems: [], turns: [], runs: [] });
    for (const [part, words] of [['', 'Nothing is remembered yet'], ['/search', 'Ask memory something'], ['/people', 'Nobody is known yet'], ['/runs', 'No gems were made yet']]) {
      await page.goto(`${mock.url}/?as=Alice#/memory${part}`);
      await page.getByText(words).waitFor();
    }
  });
  await tally.expect('no page complained', async () => must(complaints.length === 0, complaints.join('\n')));
  await browser.close();
  mock.stop();
  return tally.close();
}

const mock = await start({ past: process.env.MOCK_EMPTY !== '1' });
const passed = [await run(mock.url), await checkFolding(mock.url), await checkMemory(mock.url)];
mock.stop();
const screens = await start();
passed.push(await checkWatch(screens.url));
screens.stop();
// The mock's minutes are short.
const thinking = await start({ past: false, tickMs: MOCK_TICK_MS });
passed.push(await checkThoughts(thinking.url, { tick: MOCK_TICK_MS }));
thinking.stop();
passed.push(await checkMemoryPages(), await checkConnection(), await checkBrokenShares());
process.exit(passed.every(Boolean) ? 0 : 1);
