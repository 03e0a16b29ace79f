// A share whose connection breaks, over a wire that can be cut: it is taken up again with the same key, or ends in plain words.
import { openBrowser, picks } from './browser.mjs';
import { openWire } from './cut_off.mjs';
import { Sharer } from './sharer.mjs';
import { openStage, STAGE_TITLE } from './stage.mjs';
import { must, Tally, until } from './tally.mjs';
import { WatchApi } from './watch_api.mjs';

export async function run(url) {
  const tally = new Tally();
  const complaints = [];
  const wire = await openWire(url);
  const api = new WatchApi(url);
  const stage = await openStage();
  const browser = await openBrowser(picks(STAGE_TITLE));
  const context = await browser.newContext();
  const slide = await context.newPage();
  await slide.goto(stage.url);
  const link = await api.invite('Alice');
  const sharer = await Sharer.open(context, wire.url + link.url, complaints);

  await tally.expect('a broken connection is taken up again as the same share, and pictures go on', async () => {
    await sharer.choose();
    await sharer.becomes('watched');
    await until(async () => (await api.view()).newest, 'no frame came');
    const before = (await api.view()).newest.frame;
    wire.drop();
    await sharer.becomes('watched');
    await slide.evaluate(() => window.show({ other: true }));
    await until(async () => (await api.view()).newest.frame > before, 'no frame came');
    const { shares } = await api.view();
    must(shares.length === 1 && shares[0].share === link.share, JSON.stringify(shares));
  });
  await tally.expect('other limits are kept to as soon as they are told', async () => {
    await api.set({ sharePageMaxWidthPx: 640, maxFramesPerMinute: 30 });
    await slide.evaluate(() => window.show({ move: 2 }));
    await until(async () => (await api.view()).newest.width === 640, 'the pictures are as wide as before');
    const from = (await api.view()).newest.frame;
    await slide.waitForTimeout(6_000);
    const sent = (await api.view()).newest.frame - from;
    must(sent >= 2 && sent <= 4, `${sent} frames in six seconds at 30 a minute`);
  });
  await tally.expect('the same link in another tab takes the share over, and the first tab says so', async () => {
    const other = await Sharer.open(context, wire.url + link.url, complaints);
    await other.choose();
    await other.becomes('watched');
    await sharer.ended('taken_over');
    Object.assign(sharer, { page: other.page });
  });
  await tally.expect('a server that stays away ends the share, and the page says so', async () => {
    wire.stop();
    await sharer.becomes('reconnecting');
    await until(async () => (await sharer.page.getByTestId('end').count()) === 1, async () => `the share page says: ${await sharer.said()}`, 30_000);
    must((await sharer.page.getByTestId('end').getAttribute('data-reason')) === 'lost', await sharer.said());
  });
  await tally.expect('no page complained', async () => must(complaints.length === 0, complaints.join('\n')));
  await browser.close();
  stage.close();
  return tally.close();
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.exit((await run(process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787')) ? 0 : 1);
