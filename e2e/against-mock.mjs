// The same checks against the mock server, for work on the pages, and some that need a server one can cut off: `npm run mock`.
// Needs a built `ui/dist`.
import { start } from '../ui/mock/server.mjs';
import { openBrowser } from './browser.mjs';
import { run as checkFolding } from './folding.mjs';
import { run } from './room.mjs';
import { must, Tally, until } from './tally.mjs';
import { Visitor } from './visitor.mjs';

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

const mock = await start({ past: process.env.MOCK_EMPTY !== '1' });
const passed = [await run(mock.url), await checkFolding(mock.url)];
mock.stop();
passed.push(await checkConnection());
process.exit(passed.every(Boolean) ? 0 : 1);
