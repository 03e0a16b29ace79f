// Every page and state of the pages, light and dark, laptop and phone, looked over by axe: no violation of any rule is let pass.
// Needs no model, and a Denizen of its own.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LAPTOP, openBrowser, openPage, PHONE, picks } from './browser.mjs';
import { Sharer } from './sharer.mjs';
import { openStage, STAGE_TITLE } from './stage.mjs';
import { must, Tally, until } from './tally.mjs';
import { Visitor } from './visitor.mjs';
import { voiceStates } from './voice_states.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page as it stands, one line a rule. */
export async function violations(page) {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return found.map(({ id, impact, help, nodes }) => `${id} (${impact}): ${help}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.join(' ')} [${failureSummary.split('\n').slice(1, 2).join('').trim()}]`).join(' | ')}${nodes.length > 3 ? ` and ${nodes.length - 3} more` : ''}`);
}

const json = { 'content-type': 'application/json' };

/** Something to look at on every page. */
async function furnish(url) {
  const call = async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, { method, headers: json, body: JSON.stringify(body) });
    must(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
    return answer.json().catch(() => ({}));
  };
  const say = (author, text) => call('POST', '/api/rooms/lounge/messages', { author, text });
  await say('Alice', 'I prefer green tea, and I live in Lisbon.');
  await say('Bob', 'A plan:\n\n| Who | What |\n|---|---|\n| Ana | **ship** it |\n\n```sh\nmake run --and --a --very --long --line --that --does --not --fit --into --its --box --and --has --to --scroll --sideways --for --a --long --way\n```\n> quoted\n\n- one\n- two ~~three~~ https://example.org');
  await say('ליה', 'שלום לכולם');
  const asked = await say('Alice', 'Denizen, what do you know about me?');
  await call('PUT', `/api/rooms/lounge/messages/${asked.message.id}/reactions`, { author: 'Bob', emoji: '👍' });
  await call('POST', '/api/memory/gems', { content: 'Alice prefers green tea.', person: 'Alice', tags: ['preference'], topics: ['tea'] });
  await call('POST', '/api/memory/gems', { content: 'The kettle ships on Thursday.', tags: ['decision'] });
  await call('POST', '/api/communities', { id: 'book-club', name: 'The book club' }).catch(() => undefined);
  const share = await call('POST', '/api/rooms/lounge/shares', { name: 'Alice' });
  await until(async () => (await (await fetch(`${url}/api/rooms/lounge/messages`)).json()).messages.some(({ author }) => author.kind === 'denizen'), 'nobody answered', 60_000);
  const { asks } = await (await fetch(`${url}/api/asks`)).json();
  const { items } = await (await fetch(`${url}/api/memory/gems`)).json();
  return { message: asked.message.id, ask: asks.find(({ state }) => state === 'answered')?.ask ?? asks[0].ask, gem: items[0]?.gem_id, share: share.url };
}

/** Each state: where it is, and what is done there first. */
function states({ message, ask, gem }) {
  const press = (name, role = 'button') => (page) => page.getByRole(role, { name }).first().click();
  const type = (text) => (page) => page.getByRole('textbox', { name: /^Message to/ }).fill(text);
  const testid = (id) => (page) => page.getByTestId(id).first().click();
  /** A message shows its buttons under a mouse, or to a tap where there is none. */
  const toolsOf = async (page, row) => ((await page.evaluate(() => matchMedia('(hover: none)').matches)) ? row.tap({ position: { x: 90, y: 22 } }) : row.hover());
  const as = (role) => (page) => page.route('**/api/me', (route) => route.fulfill({ json: { role } }));
  const unwell = (reasons) => (page) => page.route('**/api/health', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), status: 'degraded', reasons } });
  });
  const failedFates = (page) => page.route(/\/(messages|fates)(\?|$)/, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    if (body.fates) body.fates = body.fates.map((fate) => ({ ...fate, outcome: 'failed' }));
    await route.fulfill({ response: answer, json: body });
  });
  const room = '#/room/lounge';
  return [
    ['room', room],
    ['room, nobody named', room, { as: '' }],
    ['room, unknown', '#/room/attic'],
    ['room, search', room, { first: testid('search-room') }],
    ['room, search with finds', room, { first: async (page) => { await page.getByTestId('search-room').click(); await page.getByRole('searchbox').fill('tea'); await page.getByRole('link', { name: /tea/ }).first().waitFor(); } }],
    ['room, commands', room, { first: type('/') }],
    ['room, names', room, { first: async (page) => { await page.getByRole('textbox', { name: /^Message to/ }).pressSequentially('@'); } }],
    ['room, editing', room, { first: async (page) => { await page.getByRole('textbox', { name: /^Message to/ }).focus(); await page.keyboard.press('ArrowUp'); } }],
    ['room, too long', room, { first: type('x'.repeat(8_200)) }],
    ['room, message chosen', room, { first: (page) => page.locator('[data-message]').last().focus() }],
    ['room, picker', room, { first: async (page) => { await toolsOf(page, page.locator('[data-message]').last()); await page.getByRole('button', { name: 'React', exact: true }).last().click(); } }],
    ['room, deleting', room, { first: async (page) => { await toolsOf(page, page.locator(`[data-message="${message}"]`)); await page.locator(`[data-message="${message}"]`).getByRole('button', { name: 'Delete' }).click(); } }],
    ['room, not answered', room, { before: failedFates, first: (page) => page.getByTestId('unanswered').first().waitFor() }],
    ['room, the model', room, { first: testid('model-badge') }],
    ['room, ways to share', room, { first: async (page) => { const more = page.getByRole('button', { name: /way|more/i }); if (await more.count()) await more.first().click(); } }],
    ['room, cut off', room, { before: (page) => page.route('**/api/events*', (route) => route.abort()), first: (page) => page.getByText(/Connecting to|connection to/).first().waitFor() }],
    ...voiceStates(room),
    ['why', `${room}?why=${encodeURIComponent(message)}`, { first: (page) => page.getByTestId('verdict').waitFor() }],
    ['why, unknown', `${room}?why=nothing`],
    ['session', '#/session/lounge'],
    ['session, ending', '#/session/lounge', { first: press('Start a new session') }],
    ['watch', '#/watch/lounge'],
    ['thoughts', '#/thoughts'],
    ['memory', '#/memory'],
    ['memory, adding', '#/memory', { first: press('Add a gem') }],
    ['memory, a gem', `#/memory/gems/${encodeURIComponent(gem)}`],
    ['memory, a gem, deleting', `#/memory/gems/${encodeURIComponent(gem)}`, { first: press('Delete') }],
    ['memory, a gem, superseding', `#/memory/gems/${encodeURIComponent(gem)}`, { first: press('Supersede') }],
    ['memory, a person, forgetting', '#/memory/people/local%3Aalice', { first: press(/forget/i) }],
    ['memory, a gem, correcting', `#/memory/gems/${encodeURIComponent(gem)}`, { first: press('Edit') }],
    ['memory, unknown gem', '#/memory/gems/nothing'],
    ['memory, search', '#/memory/search/tea'],
    ['memory, search for nothing', '#/memory/search/xyzzy'],
    ['memory, people', '#/memory/people'],
    ['memory, a person', '#/memory/people/local%3Aalice'],
    ['memory, runs', '#/memory/runs'],
    ['inspector', '#/asks'],
    ['inspector, nothing fits', '#/asks', { first: async (page) => { await page.getByTestId('filter-state').selectOption('under_way'); await page.getByText('No call fits').waitFor(); } }],
    ['inspector, trying a message', '#/asks', { first: async (page) => { await page.getByTestId('dry-run').getByRole('button').first().click(); await page.getByLabel('The message').fill('Denizen, hello?'); await page.getByRole('button', { name: 'Try it' }).click(); await page.getByTestId('dry-verdict').or(page.getByRole('alert')).first().waitFor(); } }],
    ...['Sections', 'Conversation', 'Raw request', 'Raw response', 'Answer', 'What changed'].map((tab) => [`call, ${tab}`, `#/asks/${ask}`, { first: press(tab, 'tab') }]),
    ['call, a section open', `#/asks/${ask}`, { first: (page) => page.locator('[data-section] button:not(:disabled)').first().click() }],
    ['call, unknown', '#/asks/999999'],
    ['journal', '#/journal'],
    ['journal, nothing fits', '#/journal/xyzzy'],
    ['settings', '#/settings'],
    ['settings, all', '#/settings', { first: testid('advanced'), after: testid('basic') }],
    ['settings, search', '#/settings/nickname'],
    ['settings, nothing fits', '#/settings/xyzzy'],
    ['settings, edited and refused', '#/settings/newest%20messages', { first: async (page) => { await page.locator('[data-knob="memory.maxRecentMessages"]').getByRole('textbox').fill('987654'); await page.getByTestId('save').click(); await page.getByRole('alert').first().waitFor(); }, after: press('Discard') }],
    ['communities', '#/communities'],
    ['communities, removing', '#/communities', { first: press(/^Remove/) }],
    ['room, rooms', room, { first: testid('rooms') }],
    ['room of another community, nothing said', '#/c/book-club/room/lounge', { first: (page) => page.getByRole('textbox', { name: /^Message to/ }).waitFor() }],
    ['session of another community', '#/c/book-club/session/lounge'],
    ['memory of another community', '#/c/book-club/memory'],
    ['inspector, nothing asked', '#/c/book-club/asks'],
    ['not found', '#/nothing/here'],
    ['no such community', '#/c/nowhere/room/lounge'],
    ['nobody answers', room, { before: (page) => page.route('**/api/**', (route) => route.abort()) }],
    ['come in with a link', room, { before: (page) => page.context().clearCookies(), first: async (page) => { await page.route('**/api/**', (route) => route.fulfill({ status: 401, json: { error: { code: 'unauthorized', message: 'Come in with a link.' } } })); await page.reload(); await page.getByTestId('entry').waitFor(); } }],
    ['a link that opens nothing', room, { before: (page) => page.route('**/api/**', (route) => route.fulfill({ status: 401, json: { error: { code: 'unauthorized', message: 'This link was used already.' } } })), first: async (page) => { await page.getByLabel('Or with a token').fill('nothing'); await page.getByRole('button', { name: 'Enter' }).click(); await page.getByRole('alert').waitFor(); } }],
    ['who may come in', room, { first: async (page) => { await made(page); } }],
    ['something is wrong', room, { before: unwell(['The disk takes nothing: no space left on device. Make room in /srv/denizen.']), first: (page) => page.getByTestId('health').getByText('Make room in').waitFor() }],
    ['two things are wrong', '#/settings', { before: unwell(['The disk takes nothing. Make room.', 'The clock went back by 3 days. Set it right.']), first: (page) => page.getByTestId('health').getByText('Set it right').waitFor() }],
    ['inspector, spent today', '#/asks', { first: async (page) => { const spent = page.getByTestId('spent-today'); await spent.locator('summary').click(); await spent.getByRole('table').waitFor(); } }],
    ...['participant', 'reader'].flatMap((role) => [[`room, as a ${role}`, room, { before: as(role) }], [`settings, as a ${role}`, '#/settings', { before: as(role) }], [`why, as a ${role}`, `${room}?why=${encodeURIComponent(message)}`, { before: as(role) }]]),
    ['reading', room, { before: (page) => page.route('**/api/rooms/*/messages*', () => undefined) }],
  ];
}

/** Makes a link for one person on the page, and gives it. */
async function made(page) {
  await page.getByRole('button', { name: 'Who may come in' }).click();
  const dialog = page.getByTestId('access');
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  const link = dialog.getByLabel('Link', { exact: true });
  await link.waitFor();
  must((await dialog.getByRole('alert').count()) === 0, `an alert beside the link: ${await dialog.getByRole('alert').allTextContents()}`);
  return link.inputValue();
}

/** A link that an administrator made lets one browser that knows nothing in, as a participant, and no second one. */
async function invited(browser, url) {
  const host = await openPage(browser, []);
  await host.goto(`${url}/?as=Alice#/room/lounge`);
  const link = await made(host);
  must(link.startsWith(`${url}/`), `the link is ${link}`);
  const opened = async () => {
    const page = await (await browser.newContext({ viewport: LAPTOP })).newPage();
    await page.goto(link);
    return page;
  };
  const guest = await opened();
  await guest.getByLabel('Your name').fill('Greta');
  await guest.getByRole('button', { name: 'Enter the room' }).click();
  await guest.getByRole('textbox', { name: /^Message to/ }).fill('I came by a link.');
  await guest.keyboard.press('Enter');
  await host.getByText('I came by a link.', { exact: true }).waitFor();
  must(!(await guest.getByRole('link', { name: 'Settings' }).count()), 'a participant is offered the settings');
  must(!guest.url().includes('enter='), `the code is still in the address: ${guest.url()}`);
  const late = await opened();
  await late.getByTestId('entry').getByRole('alert').waitFor();
  await Promise.all([host, guest, late].map((page) => page.context().close()));
}

async function visit(browser, url, [name, hash, { as = 'Alice', before, first, after } = {}], options, complaints) {
  const page = await openPage(browser, [], options);
  page.setDefaultTimeout(8_000);
  try {
    await before?.(page);
    await page.goto(`${url}/${as ? `?as=${as}` : ''}${hash}`);
    await page.waitForLoadState('load');
    await page.waitForTimeout(450);
    await first?.(page);
    await page.waitForTimeout(200);
    return (await violations(page)).map((line) => `${name}: ${line}`);
  } catch (problem) {
    complaints.push(`${name}: ${String(problem.message).split('\n')[0]}`);
    return [];
  } finally {
    await after?.(page).catch(() => undefined);
    await page.context().close();
  }
}

export async function run(url, only = '') {
  const tally = new Tally();
  const browser = await openBrowser();
  try {
    const furniture = await tally.expect('there is something to look at', () => furnish(url));
    if (!furniture) return tally.close();
    const pages = states(furniture).filter(([name]) => name.includes(only));
    const looks = (process.env.LOOKS ?? 'laptop light,laptop dark,phone light,phone dark').split(',').map((look) => look.split(' '));
    for (const [size, colorScheme] of looks) {
      const viewport = size === 'phone' ? PHONE : LAPTOP;
      await tally.expect(`${pages.length} pages and states without a violation, ${size}, ${colorScheme}`, async () => {
        const complaints = [];
        const found = [];
        const waiting = [...pages];
        const looker = async () => {
          for (let state = waiting.shift(); state; state = waiting.shift()) found.push(...(await visit(browser, url, state, { viewport, colorScheme, hasTouch: size === 'phone' }, complaints)));
        };
        await Promise.all([looker(), looker(), looker()]);
        if (!only || only.startsWith('share')) found.push(...(await share(browser, url, furniture.share, { viewport, colorScheme })));
        must(complaints.length === 0, `could not be reached:\n${complaints.join('\n')}${found.length ? `\nfound:\n${found.join('\n')}` : ''}`);
        must(found.length === 0, found.join('\n'));
      });
    }
    if (!only || only === 'who may come in') await tally.expect('a link made on the page lets one person in, once', () => invited(browser, url));
    if (!only || only.startsWith('share')) {
      await tally.expect('none while a screen is shared, nor after', async () => {
        const found = await sharing(url);
        must(found.length === 0, found.join('\n'));
      });
    }
  } finally {
    await browser.close();
  }
  return tally.close();
}

/** While a screen is shared: the share page, the room and the watch page, and how it ended. */
async function sharing(url) {
  const stage = await openStage();
  const browser = await openBrowser(picks(STAGE_TITLE));
  const found = [];
  const look = async (name, page) => found.push(...(await violations(page)).map((line) => `${name}: ${line}`));
  try {
    for (const colorScheme of ['light', 'dark']) {
      const alice = await Visitor.enter(browser, url, 'Alice', []);
      await (await alice.page.context().newPage()).goto(stage.url);
      const sharer = await Sharer.fromRoom(alice, []);
      await Promise.all([sharer.page, alice.page].map((page) => page.emulateMedia({ colorScheme })));
      await sharer.choose();
      await sharer.becomes('watched');
      await sharer.page.waitForTimeout(2_500);
      await look(`share, under way, ${colorScheme}`, sharer.page);
      await look(`room, a screen is shared, ${colorScheme}`, alice.page);
      await alice.goto('#/watch/lounge');
      await alice.page.waitForTimeout(1_500);
      await look(`watch, a screen is shared, ${colorScheme}`, alice.page);
      await sharer.page.getByRole('button', { name: /stop|end/i }).first().click();
      await sharer.page.getByTestId('end').waitFor();
      await look(`share, over, ${colorScheme}`, sharer.page);
      await alice.page.context().close();
    }
  } finally {
    await browser.close();
    stage.close();
  }
  return found;
}

/** The share page before it shares, and with a key that opens nothing. */
async function share(browser, url, address, options) {
  const found = [];
  const page = await openPage(browser, [], options);
  const shared = new URL(address, url);
  for (const [name, hash] of [['share', shared.hash], ['share, a key that opens nothing', '#nothing'], ['share, no key', '']]) {
    await page.goto('about:blank');
    await page.goto(`${url}/share${hash}`);
    await page.waitForTimeout(600);
    found.push(...(await violations(page)).map((line) => `${name}: ${line}`));
    const begin = page.getByRole('button', { name: /share/i }).first();
    if (name !== 'share' && (await begin.count())) {
      await begin.click();
      await page.waitForTimeout(900);
      found.push(...(await violations(page)).map((line) => `${name}, tried: ${line}`));
    }
  }
  await page.context().close();
  return found;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const url = (process.env.DENIZEN_URL ?? 'http://127.0.0.1:8787').replace(/\/$/, '');
  process.exit((await run(url, process.env.ONLY ?? '')) ? 0 : 1);
}
