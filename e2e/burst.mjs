// Five hundred messages at once: the page draws few of them, and its work does not grow with their square; and what people find their way
// with in a full room: search, an unread mark, commands, arrow keys. No model is needed.
import { openBrowser } from './browser.mjs';
import { must, Tally, until } from './tally.mjs';
import { Visitor } from './visitor.mjs';

const MANY = 500;
/** Rows that may stand in the page at once, and elements made for each message that came. */
const ROWS_MAX = 160;
const MADE_PER_MESSAGE_MAX = 60;

async function sendAll(url, mark, count) {
  for (let sent = 0; sent < count; sent += 10) {
    await Promise.all(Array.from({ length: Math.min(10, count - sent) }, async (_, index) => {
      const text = `${mark} ${sent + index} with *some* markup, a \`word\` nr${sent + index}x of code and https://example.org/${sent + index}`;
      const answer = await fetch(`${url}/api/rooms/lounge/messages`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ author: 'Bob', text }) });
      must(answer.ok, `${answer.status} ${await answer.text()}`);
    }));
  }
}

/** Counts the elements that are made and the rows that stand, from now on. */
const watch = (page) => page.evaluate(() => {
  globalThis.work = { made: 0, rows: 0, busy: 0 };
  const seen = new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) if (node.nodeType === 1) globalThis.work.made += 1 + node.querySelectorAll('*').length;
    globalThis.work.rows = Math.max(globalThis.work.rows, document.querySelectorAll('[data-message]').length);
  });
  seen.observe(document.body, { subtree: true, childList: true });
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (globalThis.work.busy += entry.duration))).observe({ type: 'longtask' });
});

export async function run(url) {
  const tally = new Tally();
  const complaints = [];
  const browser = await openBrowser();
  try {
    const alice = await Visitor.enter(browser, url, 'Alice', complaints);
    const page = alice.page;
    await tally.expect(`${MANY} messages at once are drawn as a stretch of the newest, with little made for each`, async () => {
      await watch(page);
      await sendAll(url, 'burst', MANY);
      await page.locator('[data-message]').filter({ hasText: /burst \d+/ }).last().waitFor();
      await until(async () => (await page.locator('[data-message]').last().innerText()).includes('burst'), 'the newest message is not at the end');
      await until(() => page.evaluate(() => { const list = document.querySelector('.scroller'); return list.scrollHeight - list.scrollTop - list.clientHeight < 90; }), 'the page does not follow the newest');
      const work = await page.evaluate(() => globalThis.work);
      console.log(`        ${work.rows} rows at most, ${work.made} elements made, long tasks of ${Math.round(work.busy)} ms together`);
      must(work.rows <= ROWS_MAX, `${work.rows} rows stood in the page at once`);
      must(work.made <= MANY * MADE_PER_MESSAGE_MAX, `${work.made} elements were made`);
    });
    await tally.expect('scrolling up brings the older ones, down to the first, and what one reads stays where it is', async () => {
      for (let step = 0; step < 400 && !(await page.getByText('burst 0 with').count()); step++) await page.mouse.move(600, 400).then(() => page.mouse.wheel(0, -2_500)).then(() => page.waitForTimeout(40));
      await page.getByText('burst 0 with').waitFor();
      const rows = await page.locator('[data-message]').count();
      must(rows <= ROWS_MAX, `${rows} rows stand in the page`);
      const row = page.locator('[data-message]').nth(20);
      const top = () => row.evaluate((element) => element.getBoundingClientRect().top);
      await page.waitForTimeout(300);
      const [text, before] = [await row.innerText(), await top()];
      await sendAll(url, 'meanwhile', 30);
      await page.waitForTimeout(600);
      must((await row.innerText()) === text && Math.abs((await top()) - before) < 2, `what was read moved by ${(await top()) - before} pixels`);
    });
    await tally.expect('one press brings the newest back', async () => {
      await page.getByRole('button', { name: /new message|newest/ }).click();
      await page.getByText('meanwhile 29').or(page.getByText('meanwhile 28')).first().waitFor();
    });
    await tally.expect('few stops of the Tab key come before the composer, and it has the focus to begin with', async () => {
      await page.reload();
      await page.locator('[data-message]').first().waitFor();
      must(await page.evaluate(() => document.activeElement?.tagName === 'TEXTAREA'), 'the composer has not the focus');
      await page.evaluate(() => document.activeElement.blur());
      let stops = 0;
      for (; stops < 60; stops++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(() => document.activeElement?.tagName === 'TEXTAREA')) break;
      }
      must(stops < 30, `${stops} stops`);
      console.log(`        ${stops} stops`);
    });
    await tally.expect('what was said long ago is found by its words, and one press leads there', async () => {
      await page.getByTestId('search-room').click();
      await page.getByRole('searchbox').fill('nr77x');
      const first = page.getByTestId('room-search').getByRole('link').first();
      await first.waitFor();
      must((await first.innerText()).includes('burst 77 '), `the best is: ${await first.innerText()}`);
      await first.click();
      await page.locator('[data-message]').filter({ hasText: 'burst 77 with' }).waitFor();
      must(await page.locator('[data-message]').filter({ hasText: 'burst 77 with' }).evaluate((row) => { const box = row.getBoundingClientRect(); return box.top > 0 && box.bottom < innerHeight; }), 'it is not in sight');
    });
    await tally.expect('arrow keys go from message to message', async () => {
      const row = page.locator('[data-message]').filter({ hasText: 'burst 77 with' });
      await row.focus();
      await page.keyboard.press('ArrowDown');
      const next = await page.evaluate(() => document.activeElement?.getAttribute('data-message'));
      must(next && next !== (await row.getAttribute('data-message')), 'the focus did not move');
    });
    await tally.expect('↑ takes up one’s last message, and a slash offers the commands', async () => {
      await alice.room();
      await alice.say('a word with a mistke');
      await alice.said('a word with a mistke').waitFor();
      await alice.field.press('ArrowUp');
      await until(async () => (await alice.field.inputValue()) === 'a word with a mistke', 'it is not in the field');
      await alice.field.fill('a word without one');
      await alice.field.press('Enter');
      await alice.said('a word without one').waitFor();
      await alice.type('/for');
      await page.getByRole('option', { name: /forget me/ }).waitFor();
      must((await page.getByRole('option').count()) === 2, 'others are offered');
      await alice.field.press('Enter');
      await until(async () => (await alice.field.inputValue()) === '/forget that', 'the command is not in the field');
      await alice.field.fill('');
    });
    await tally.expect('what came while one was elsewhere is marked', async () => {
      await page.evaluate(() => (location.hash = '#/settings'));
      await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
      await sendAll(url, 'while away', 3);
      await page.waitForTimeout(600);
      await page.evaluate(() => (location.hash = '#/room/lounge'));
      await page.getByTestId('unread').waitFor();
      const after = await page.getByTestId('unread').evaluate((mark) => mark.nextElementSibling?.textContent ?? '');
      must(after.includes('while away'), `behind the mark stands: ${after}`);
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
