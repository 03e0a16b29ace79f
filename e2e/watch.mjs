// A real browser shares a real page into a running Denizen, and the pages show what it makes of it. DENIZEN_URL says where it is.
// Needs no model that sees: without one, Denizen's own eye takes the notes. Give it a Denizen in whose room nobody shares.
import { openBrowser, OUT, picks } from './browser.mjs';
import { checkHiddenTab } from './hidden_tab.mjs';
import { checkLinks } from './share_links.mjs';
import { checkTwoScreens } from './share_two.mjs';
import { Sharer } from './sharer.mjs';
import { openStage, STAGE_TITLE } from './stage.mjs';
import { must, Tally, until } from './tally.mjs';
import { Visitor } from './visitor.mjs';
import { WatchApi } from './watch_api.mjs';
import { checkTuning } from './watch_tuning.mjs';

const NOTE_MS = 60_000;

/** Runs every check against a server; true when all passed. */
export async function run(url) {
  const tally = new Tally();
  const complaints = [];
  const api = new WatchApi(url);
  const stage = await openStage();
  const browser = await openBrowser(picks(STAGE_TITLE));
  try {
    const health = await tally.expect('Denizen answers', () => until(async () => (await fetch(`${url}/api/health`).catch(() => null))?.json(), `nothing answers at ${url}`, 60_000));
    if (!health) return tally.close();
    const alice = await Visitor.enter(browser, url, 'Alice', complaints);
    const slide = await alice.page.context().newPage();
    await slide.goto(stage.url);
    const sharer = await checkSharing(tally, { alice, slide, api, complaints });
    if (!sharer) return tally.close();
    const scene = { browser, url, api, alice, slide, sharer, complaints };
    await checkTuning(tally, scene);
    await checkTwoScreens(tally, scene);
    await checkEnds(tally, scene);
    await checkLinks(tally, scene);
    await checkHiddenTab(tally, { url, api, stage });
    await tally.expect('no page complained', async () => must(complaints.length === 0, [...new Set(complaints)].join('\n')));
  } finally {
    await browser.close();
    stage.close();
  }
  return tally.close();
}

/** From the button in the room to the first notes; the page that shares, once it does. */
async function checkSharing(tally, { alice, slide, api, complaints }) {
  const sharer = await tally.expect('“Share my screen” opens the share page in a tab of its own, and the key leaves the address', async () => {
    const made = await Sharer.fromRoom(alice, complaints);
    must(!/#./.test(made.page.url()), `the address is ${made.page.url()}`);
    must(await made.page.evaluate(() => window.opener === null), 'the share page has an opener');
    await made.page.getByText('None is stored').waitFor();
    await made.page.screenshot({ path: `${OUT}share-intro.png` });
    return made;
  });
  if (!sharer) return undefined;
  await tally.expect('a chosen screen is watched, and its frames arrive', async () => {
    await sharer.choose();
    await sharer.becomes('watched');
    await until(async () => (await api.view()).samples.length >= 1, 'no sample came');
    const view = await api.view();
    must(view.shares.length === 1 && view.shares[0].name === 'Alice' && view.shares[0].watched, JSON.stringify(view.shares));
    must(view.newest.width <= (await api.knob('sharePageMaxWidthPx')), `it is ${view.newest.width} wide`);
  });
  await tally.expect('the first picture is noted, and the sharer, the room and its strip see the note', async () => {
    const looked = ({ marks, shares }) => marks.find((mark) => mark.kind.startsWith('note_') && mark.trigger === 'first_frame' && mark.at >= shares[0].since);
    const mark = await until(async () => looked(await api.view()), async () => `nothing was noted: ${JSON.stringify((await api.view()).noteTaker)}`, NOTE_MS);
    const note = (await api.view()).notes.at(-1);
    must(note.text === mark.text && note.sharedBy === 'Alice', JSON.stringify({ note, mark }));
    // What the last note of an earlier share said already is not said again.
    if (mark.kind === 'note_added') await sharer.page.getByTestId('noted').getByText(note.text).waitFor();
    await strip(alice).getByText('watches Alice’s screen').waitFor();
    await strip(alice).getByTestId('newest-note').getByText(note.text).waitFor();
    await strip(alice).locator('[data-testid=screen][data-shown=true]').waitFor();
    await alice.page.screenshot({ path: `${OUT}watch-room.png` });
    await sharer.page.screenshot({ path: `${OUT}share-live.png` });
  });
  await tally.expect('a hard cut is a cut in the samples, is noted as one, and the room shows the new note', async () => {
    const before = await api.view();
    await slide.evaluate(() => window.show({ other: true, title: 'Boss fight', text: 'Duke Fishron, 43,000 HP' }));
    const cut = await until(async () => (await api.view()).samples.find((sample) => sample.sceneCut && sample.frame > before.newest.frame), 'no sample is a cut');
    must(cut.score >= 0.4, `its score is ${cut.score}`);
    const note = await until(async () => (await api.view()).notes.find((each) => each.trigger === 'scene_cut' && each.at >= cut.at), async () => `no note: ${JSON.stringify((await api.view()).noteTaker)}`, NOTE_MS);
    await until(async () => (await strip(alice).getByTestId('newest-note').innerText()) !== before.notes.at(-1).text, 'the room shows the old note');
    must(note.text !== before.notes.at(-1).text, 'the note is the same');
  });
  await tally.expect('a screen on which nothing happens any more is sent rarely, and stays watched', async () => {
    const settled = async () => (await api.view()).newest.ema < 0.001;
    await until(settled, async () => `the smoothed score stays at ${(await api.view()).newest.ema}`, 20_000);
    const from = (await api.view()).newest.frame;
    await slide.waitForTimeout(11_000);
    const sent = (await api.view()).newest.frame - from;
    must(sent >= 1 && sent <= 4, `${sent} frames in eleven quiet seconds`);
    must((await sharer.state()) === 'watched', await sharer.state());
  });
  await tally.expect('movement is sent at about two frames a second, and never more than a minute may hold', async () => {
    await slide.evaluate(() => window.show({ move: 1.4 }));
    const from = (await api.view()).newest.frame;
    await slide.waitForTimeout(8_000);
    const { samples } = await api.view();
    const sent = samples.at(-1).frame - from;
    must(sent >= 8 && sent <= 18, `${sent} frames in eight seconds`);
    const most = await api.knob('maxFramesPerMinute');
    for (const { at } of samples) must(samples.filter((other) => other.at >= at && other.at < at + 60_000).length <= most, 'more than a minute may hold');
  });
  return sharer;
}

/** However a share ends, its page says why, and the room lets go of it. */
async function checkEnds(tally, { alice, slide, sharer, api, complaints }) {
  await tally.expect('somebody in the room can end a share, and the sharer is told', async () => {
    await alice.room();
    const manage = strip(alice).getByRole('button', { name: 'Manage' });
    if ((await manage.getAttribute('aria-expanded')) === 'false') await manage.click();
    await strip(alice).getByRole('button', { name: 'End Alice’s share' }).click();
    await strip(alice).getByRole('button', { name: 'End your share' }).click();
    await sharer.ended('ended_by_operator');
    await sharer.page.screenshot({ path: `${OUT}share-ended.png` });
    await strip(alice).waitFor({ state: 'detached' });
    must((await api.view()).watched === null, 'it is still watched');
  });
  await tally.expect('the link of a share that is over is worth nothing', async () => {
    await sharer.page.goto(sharer.link);
    await sharer.choose();
    await sharer.ended('session_not_found');
    await sharer.page.close();
  });
  await tally.expect('“Stop sharing” ends it at once', async () => {
    const again = await Sharer.fromRoom(alice, complaints);
    await again.choose();
    await again.becomes('watched');
    await again.page.getByTestId('stop').click();
    await again.ended('stopped');
    await until(async () => (await api.view()).shares.length === 0, 'it is still shared');
    await again.page.close();
  });
  await tally.expect('a closed tab ends the watch, and the page and the room say so', async () => {
    const again = await Sharer.fromRoom(alice, complaints);
    await again.choose();
    await again.becomes('watched');
    await strip(alice).waitFor();
    await again.page.close({ runBeforeUnload: false });
    await until(async () => (await api.view()).shares.length === 0, 'it is still shared', 20_000);
    must((await api.view()).watched === null, 'it is still watched');
    await strip(alice).waitFor({ state: 'detached' });
  });
  await tally.expect('what is captured going away ends it as the browser’s own button does', async () => {
    const again = await Sharer.fromRoom(alice, complaints);
    await again.choose();
    await again.becomes('watched');
    await slide.close();
    await again.ended('stopped');
    await again.page.close();
  });
}

const strip = (visitor) => visitor.page.getByTestId('room-watch');

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const url = (process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787').replace(/\/$/, '');
  process.exit((await run(url)) ? 0 : 1);
}
