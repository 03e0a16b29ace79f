// The room over a wire that can be cut: what was missed is picked up, and a server that is gone is announced.
import { openBrowser } from './browser.mjs';
import { openWire } from './cut_off.mjs';
import { must, Tally } from './tally.mjs';
import { Visitor } from './visitor.mjs';

export async function run(url) {
  const tally = new Tally();
  const complaints = [];
  const wire = await openWire(url);
  const browser = await openBrowser();
  const alice = await Visitor.enter(browser, wire.url, 'Alice', complaints);
  const bobSays = async (text) => {
    const response = await fetch(`${url}/api/rooms/lounge/messages`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ author: 'Bob', text }) });
    must(response.status === 201, await response.text());
  };

  await tally.expect('a dropped connection is picked up again, with what was missed', async () => {
    wire.drop();
    await bobSays('said while you were gone');
    await alice.said('said while you were gone').waitFor({ timeout: 20_000 });
  });
  await tally.expect('a server that is gone is announced', async () => {
    wire.stop();
    await alice.page.getByText('The connection to Denizen is lost').waitFor({ timeout: 30_000 });
  });
  await tally.expect('no page complained', async () => must(complaints.length === 0, complaints.join('\n')));
  await browser.close();
  return tally.close();
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.exit((await run(process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787')) ? 0 : 1);
