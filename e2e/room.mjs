// Uses a running Denizen through a browser, as two people and as its operator would. DENIZEN_URL says where it is.
// Needs no particular model, and is patient with a slow one; a fresh data folder makes the chatter check sharpest.
import { openBrowser } from './browser.mjs';
import { checkConversation } from './conversation.mjs';
import { checkExplanations } from './explanations.mjs';
import { gallery } from './gallery.mjs';
import { checkSession } from './session.mjs';
import { checkSettings } from './settings.mjs';
import { must, Tally, until } from './tally.mjs';
import { Visitor } from './visitor.mjs';

/** Runs every check against a server; true when all passed. */
export async function run(url) {
  const tally = new Tally();
  const complaints = [];
  const browser = await openBrowser();
  try {
    const health = await tally.expect('Denizen answers', () => until(async () => (await fetch(`${url}/api/health`).catch(() => null))?.json(), `nothing answers at ${url}`, 60_000));
    if (!health) return tally.close();
    const alice = await Visitor.enter(browser, url, 'Alice', complaints);
    const bob = await Visitor.enter(browser, url, 'Bob', complaints);
    const talk = await checkConversation(tally, { alice, bob, health, url });
    await checkExplanations(tally, { alice, health, ...talk });
    await checkSession(tally, { alice, bob, url, ...talk });
    await checkSettings(tally, { browser, url, complaints });
    await tally.expect('every page is pictured in light, dark, laptop and phone, and none is wider than its window', async () => {
      const taken = await gallery(browser, url, complaints, { ask: talk.ask, why: talk.question });
      const wide = taken.filter((picture) => picture.wide > 0);
      must(wide.length === 0, `too wide: ${wide.map((picture) => `${picture.name} ${picture.size} by ${picture.wide} px`).join(', ')}`);
    });
    await tally.expect('no page complained', async () => must(complaints.length === 0, [...new Set(complaints)].join('\n')));
  } finally {
    await browser.close();
  }
  return tally.close();
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const url = (process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787').replace(/\/$/, '');
  process.exit((await run(url)) ? 0 : 1);
}
