// Servers of Discord on the pages: a local Discord and a Denizen on it are started here, people talk there, and the pages are looked at,
// wide and narrow, by day and by night: `DENIZEN_BIN=… DOUBLE_BIN=… npm run dashboard`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { comeIn, listened, openBrowser, OUT, picks } from './browser.mjs';
import { Sharer } from './sharer.mjs';
import { must, Tally, until } from './tally.mjs';

const TOKEN = 'correct-horse-battery-staple';
// Where a proxy with TLS would stand before it; a browser on this machine needs none.
const PUBLIC = 'https://talk.example';
const NUMBERS = /\d{15,}/;

const freePort = () => new Promise((resolve) => {
  const door = createServer().listen(0, '127.0.0.1', () => {
    const { port } = door.address();
    door.close(() => resolve(port));
  });
});

const [port, discord] = [await freePort(), await freePort()];
const url = `http://127.0.0.1:${port}`;
const data = mkdtempSync(join(tmpdir(), 'denizen-dashboard-'));
const bearer = (token) => ({ authorization: `Bearer ${token}` });
const get = async (path, token = TOKEN) => (await fetch(`${url}${path}`, { headers: bearer(token) })).json();
const control = async (verb, wish = {}) => (await fetch(`http://127.0.0.1:${discord}/control/${verb}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(wish) })).json();
const answers = async (look) => {
  try {
    return await look();
  } catch {
    return false;
  }
};

const double = spawn(process.env.DOUBLE_BIN, ['--port', String(discord)], { stdio: 'ignore' });
let denizen;
const tally = new Tally();
const complaints = [];
const browser = await openBrowser(picks('A game'));
try {
  await until(() => answers(() => control('state')), 'the local Discord does not answer');
  const bot = (await control('user', { name: 'denizen', bot: true, shown: 'Iris' })).id;
  const house = await control('guild', { name: 'The Tea House', owner: 'alice', open: true, members: ['alice', 'bob', 'denizen'] });
  await control('channel', { guild: 'The Tea House', name: 'staff', type: 0, permission_overwrites: [{ id: house.id, type: 0, allow: '0', deny: '1024' }, { id: bot, type: 1, allow: '68608', deny: '0' }] });
  const env = { PATH: process.env.PATH, HOME: data, DENIZEN_DATA: join(data, 'data'), DENIZEN_TOKEN: TOKEN, DENIZEN_PORT: String(port), DENIZEN_PUBLIC_URL: PUBLIC, DENIZEN_DISCORD_TOKEN: 'bot:denizen', DENIZEN_DISCORD_API: `http://127.0.0.1:${discord}` };
  denizen = spawn(process.env.DENIZEN_BIN, ['run'], { env, stdio: 'ignore' });
  await until(() => answers(async () => (await get('/api/overview')).platforms[0].state === 'connected'), 'the bot is not connected', 60_000);
  const tea = await until(async () => (await get('/api/overview')).communities.find(({ name, rooms }) => name === 'The Tea House' && rooms > 1), 'the server has no rooms');
  await control('post', { as: 'alice', guild: 'The Tea House', channel: 'general', content: `<@${bot}> what can you do here?` });
  const rooms = (await get(`/api/communities/${tea.id}/rooms`)).rooms;
  const room = (name) => rooms.find((known) => known.name === name).id;
  await until(async () => (await get(`/api/communities/${tea.id}/rooms/${room('general')}/messages`)).messages.length > 1, 'it has not answered', 60_000);

  for (const [size, viewport] of [['wide', { width: 1280, height: 850 }], ['narrow', { width: 390, height: 800 }]]) for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
    await comeIn(context, { url, token: TOKEN });
    const page = listened(await context.newPage(), complaints);
    const plain = async (where) => {
      const text = await page.evaluate(() => document.body.innerText);
      must(!NUMBERS.test(text), `${where} shows a number of Discord’s: ${text.match(NUMBERS)?.[0]}`);
      must(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where} is wider than the window`);
    };
    await tally.expect(`${size}, ${colorScheme}: everything is on one page, by name`, async () => {
      await page.goto(`${url}/#/communities`);
      await page.getByTestId('platform').getByText('connected', { exact: true }).waitFor();
      await page.locator(`[data-community="${tea.id}"]`).getByTestId('rooms-of').click();
      await page.getByTestId('room-list').getByText('staff').waitFor();
      must(await page.getByTestId('room-list').getByText('private').isVisible(), 'the private room is not marked');
      await plain('the page of everything');
      await page.screenshot({ path: `${OUT}dashboard-${size}-${colorScheme}.png` });
    });
    await tally.expect(`${size}, ${colorScheme}: a room is read with why, and not written in`, async () => {
      await page.goto('about:blank');
      await page.goto(`${url}/#/c/${tea.id}/room/${room('general')}`);
      await page.getByTestId('elsewhere').waitFor();
      must((await page.getByRole('textbox').count()) === 0, 'there is a field to write into');
      const question = page.locator('[data-message]').filter({ hasText: 'what can you do here' }).first();
      await plain('the room');
      await page.screenshot({ path: `${OUT}dashboard-room-${size}-${colorScheme}.png` });
      await question.locator('a[href*="why="]').first().click();
      await page.getByText('answered it').first().waitFor();
    });
    await tally.expect(`${size}, ${colorScheme}: a private room says so`, async () => {
      await page.goto('about:blank');
      await page.goto(`${url}/#/c/${tea.id}/room/${room('staff')}`);
      await page.getByTestId('private').waitFor();
    });
    await context.close();
  }
  await tally.expect('whoever only reads along is not told of it', async () => {
    const made = await (await fetch(`${url}/api/access`, { method: 'POST', headers: { ...bearer(TOKEN), 'content-type': 'application/json' }, body: JSON.stringify({ role: 'reader', label: 'a test' }) })).json();
    const context = await browser.newContext();
    await comeIn(context, { url, token: made.token });
    const page = listened(await context.newPage(), complaints);
    await page.goto(`${url}/#/c/${tea.id}/room`);
    await page.getByText('There is no such community').waitFor();
    const text = await page.evaluate(() => document.body.innerText);
    must(!/Tea House/.test(text), text);
    await context.close();
  });
  await tally.expect('the link of /denizen watch is opened by somebody who has nothing else, and shows a screen once', async () => {
    const wish = { as: 'bob', application: 'denizen', channel: room('general'), command: 'denizen', options: [{ type: 1, name: 'watch' }] };
    const { token } = await control('use', wish);
    const told = await until(async () => (await control('answer', { token })).messages?.[0]?.content, 'the command is not answered');
    const link = told.match(/<(http[^>]+\/share[^>]+)>/)?.[1];
    must(link?.startsWith(`${PUBLIC}/share`), told);
    const here = link.replace(PUBLIC, url);
    const context = await browser.newContext();
    const game = await context.newPage();
    await game.setContent('<title>A game</title><h1 style="font-size: 8em">Round 1</h1>');
    const bob = await Sharer.open(context, here, complaints);
    await bob.choose();
    await bob.becomes('watched');
    await game.evaluate(() => (document.querySelector('h1').textContent = 'Round 2'));
    const begun = await until(async () => (await get(`/api/communities/${tea.id}/journal?limit=200&name=stream_watch_share_started`)).entries[0], 'no share has begun');
    must(begun.room === room('general') && JSON.stringify(begun).includes('bob'), JSON.stringify(begun));
    must((await bob.said()).includes('#general'), await bob.said());
    must(!NUMBERS.test(await bob.said()), `the page shows a number of Discord’s: ${await bob.said()}`);
    await bob.page.screenshot({ path: `${OUT}discord-watch.png` });
    // Whoever has the link, too, has no second share: the first is over.
    const second = await Sharer.open(context, here, complaints);
    await second.choose();
    await second.becomes('watched');
    await bob.ended('taken_over');
    await bob.page.getByText('go back to Discord').waitFor();
    await context.close();
  });
  await tally.expect('no page complained', async () => must(complaints.length === 0, complaints.join('\n')));
} finally {
  await browser.close();
  for (const process of [denizen, double]) process?.kill('SIGTERM');
  await new Promise((resolve) => (denizen ? denizen.once('exit', resolve) : resolve()));
  rmSync(data, { recursive: true, force: true });
}
process.exit(tally.close() ? 0 : 1);
