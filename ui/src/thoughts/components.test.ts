// The page's parts as a server renders them: what they say, for whom, and that nothing a model or a feed wrote becomes markup.
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Gates } from './gates';
import { candidate, gates, receipt, revision, run, source, thought, view } from './sample';

let html: (name: string, props: Record<string, unknown>) => string;

beforeAll(async () => {
  // What the shell asks of a browser as soon as it is loaded.
  vi.stubGlobal('location', { hash: '#/thoughts', search: '', href: 'http://here/' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  const all = import.meta.glob<{ default: Component<Record<string, unknown>> }>('./*.svelte');
  const loaded = new Map(await Promise.all(Object.entries(all).map(async ([path, load]) => [path, (await load()).default] as const)));
  html = (name, props) => render(loaded.get(`./${name}.svelte`)!, { props }).body;
});
const text = (markup: string) => markup.replace(/<!--.*?-->/gs, '').replace(/<[^>]*>/g, '').replace(/&nbsp;/g, ' ').replace(/\s+/g, ' ').trim();
const nothing = () => undefined;

describe('the head', () => {
  const head = (more: Parameters<typeof view>[0], passed = 2_000) => html('Head', { view: view(more), passed, now: 1_000_000 });
  it('says that nothing stops it, the chance, and when it looks next', () => expect(text(head({}))).toBe('Denizen is waiting. Nothing stops it; a 20 % chance each minute that it looks for a thought. May post in #lounge change 40 s next tick'));
  it('says what stops it, when that opens, and leads to the setting', () => {
    const shown = head({ stoppedBy: { gate: 'gap', words: 'It waits 360 minutes (initiative.text.minMinutesBetweenPosts).', opensIn: 3_600_000 } });
    expect(text(shown)).toMatch(/Time between thoughts It waits 360 minutes \(initiative\.text\.minMinutesBetweenPosts\)\. Opens by itself in 59 min 58 s, at /);
    expect(shown).toContain('href="#/settings/initiative.text.minMinutesBetweenPosts"');
    expect(shown).not.toContain('data-testid="stop-setting"');
  });
  it('leads to the setting a gate goes by where its words name none', () => expect(head({ stoppedBy: { gate: 'daily_cap', words: 'Three were posted.', opensIn: null } })).toMatch(/href="#\/settings\/initiative\.text\.maxPostsPerDay"[^>]*data-testid="stop-setting"/));
  it('says which channels cannot be posted to, and why', () => expect(text(head({ channels: [{ room: 'attic', eligible: false, why: 'it is blocked' }] }))).toContain('#attic: it is blocked'));
  it('shows no clock where no tick comes, or while it thinks', () => {
    expect(head({ nextTickIn: null })).not.toContain('role="timer"');
    expect(head({ run: run({ stage: 'thinking', endedAt: null }) })).not.toContain('role="timer"');
  });
});

describe('the held thought', () => {
  const held = thought({ text: 'A <b>bold</b> thought', reason: 'they talk', roomMovedOn: true, media: { kind: 'gif', prompt: 'a cat' }, history: [revision(0, 'A thought', { ask: 4 }), revision(600_000, 'A bold thought', { ask: 5, media: { kind: 'gif', prompt: 'a cat' } })] });
  const shown = () => html('Held', { thought: held, now: 1_200_000, changed: nothing });
  it('says where it would go, with what, why it waits and for how long', () => expect(text(shown())).toMatch(/for #lounge.*with a GIF: a cat.*people have written since.*Why it waits: they talk.*thought of 20 min ago.*let go in 1 h 10 min/));
  it('shows what each look changed, newest first, with what the model saw', () => {
    expect(shown()).toMatch(/<ins[^>]*>bold ?<\/ins>/);
    expect(text(shown())).toMatch(/Looked at 2 times.*Hold it for later.*Goes with it: nothing a GIF: a cat.*Thought of/);
    expect(shown()).toContain('href="#/asks/5"');
  });
  it('is text, whatever the model wrote', () => expect(shown()).not.toContain('<b>bold'));
  it('is dropped only after a question', () => expect(text(html('DropDialog', { thought: held, closed: nothing }))).toMatch(/Drop this thought\?.*will not be posted.*Let it hold on/));
});

describe('a trial', () => {
  const steps = [{ at: 900, kind: 'gathered' as const, words: '22 items.', ask: null }, { at: 1_000, kind: 'asked' as const, words: 'With 4 tools.', ask: 12 }, { at: 5_000, kind: 'decided' as const, words: 'To post it.', ask: 12 }];
  const decision = revision(5_000, 'raw words', { action: 'post_now', reason: 'it fits' });
  it('that is over shows every step, the decision, the message, and that nothing was posted', () => {
    const shown = html('Trial', { view: view({ trial: run({ steps, decision, post: 'ready <i>words</i>', outcome: 'It would have been posted in #lounge.' }) }), now: 10_000, changed: nothing });
    expect(text(shown)).toMatch(/Think again.*The last trial 10 s ago nothing was posted \+900 ms Looked around 22 items\. \+1\.0 s Asked the model With 4 tools\. what the model saw \+5\.0 s Decided To post it\..*Post it now in #lounge because: it fits ready <?.*What would have come of it ?It would have been posted in #lounge\./);
    expect(shown).toContain('href="#/asks/12"');
    expect(shown).not.toContain('<i>words');
    expect(shown).not.toMatch(/data-testid="think-now"[^>]*disabled/);
  });
  it('under way cannot be begun again, and says why', () => {
    const shown = html('Trial', { view: view({ trial: run({ steps: steps.slice(0, 2), stage: 'thinking', endedAt: null }) }), now: 4_000, changed: nothing });
    expect(shown).toMatch(/<button[^>]*disabled[^>]*aria-describedby="why-no-trial"/);
    expect(text(shown)).toMatch(/A trial is under way.*Trial: thinking for 4\.0 s nothing will be posted/);
  });
  it('is not mixed up with a thought of its own', () => expect(text(html('Trial', { view: view({ run: run({ stage: 'posting', endedAt: null }) }), now: 4_000, changed: nothing }))).toMatch(/thinking by itself just now.*A thought of its own, not a trial: posting/));
});

describe('receipts', () => {
  it('are said with their gate, their roll, how many they were, and where to look further', () => {
    const receipts = [receipt({ gate: 'eagerness', words: 'Chance was against it.', roll: 43, below: 20, ticks: 33, firstAt: 0, lastAt: 32 * 60_000 }), receipt({ ran: true, gate: null, action: 'post_now', words: 'Posted.', turn: 9 })];
    const posts = [{ turn: 9, room: 'lounge', messages: ['m1'], text: '', at: 0, links: [], media: null, reactions: 0, replies: 0 }];
    const shown = html('Receipts', { receipts, posts, gates, now: 2_000_000 });
    expect(text(shown)).toMatch(/Chance Chance was against it\. \(rolled 43, needed below 20\) × 33.*Thought: posted Posted\. why ?journal ?calls/);
    expect(shown).toContain('why=m1');
    expect(shown).toContain('href="#/journal/turn%3A9"');
  });
  it('that are not there yet are explained', () => expect(text(html('Receipts', { receipts: [], posts: [], gates, now: 0 }))).toContain('No tick has come yet'));
  it('the strip can be walked with the keyboard and read out', () => expect(html('DayStrip', { gates: new Gates(gates), receipts: [receipt({ lastAt: 86_400_000 * 10 })], now: 86_400_000 * 10 + 1 })).toMatch(/role="slider" tabindex="0"[^>]*aria-valuetext="[^"]*: one tick; time between thoughts"/));
});

describe('budgets', () => {
  it('are meters with their limits; one that is used up says when some comes back', () => {
    const budget = { ...view().budget, tokens: { used: 250_000, limit: 250_000, freesIn: 7_200_000 }, unpricedCalls: 2 };
    const shown = html('Budgets', { view: view({ budget, media: [{ kind: 'image', used: 0, limit: 10, freesIn: null, whyNot: 'initiative.discovery.allowImagePosts is off.' }] }), passed: 0, now: 0 });
    expect(shown).toMatch(/data-meter="Tokens" data-fill="full"/);
    expect(text(shown)).toMatch(/Tokens ?250,000 of 250,000 Used up; some comes back in 2 h/);
    expect(text(shown)).toContain('The price of 2 calls is not known: they are not in the dollars above');
    expect(text(shown)).toContain('initiative.discovery.allowImagePosts is off.');
  });
  it('say what each gate saved, and how that is reckoned', () => {
    const budget = { ...view().budget, saved: [{ gate: 'eagerness', words: 'Chance.', ticks: 150, tokens: 513_000, cost: 627_000 }, { gate: 'gap', words: 'Gap.', ticks: 2, tokens: null, cost: null }], costOfAThought: 4_180, tokensOfAThought: 3_420 };
    expect(text(html('Budgets', { view: view({ budget }), passed: 0, now: 0 }))).toMatch(/Chance Chance\. ?150 ?≈ 513K ?≈ \$0\.63.*Gap\. ?2 ?— ?—.*Together ?152 ?≈ 513K ?≈ \$0\.63 Reckoned as if/);
  });
});

describe('sources', () => {
  const failure = 'It answered 404. Correct initiative.discovery.rssFeeds.';
  const sources = [source('https://a.example/feed', { own: true, reason: 'they <b>like</b> it', shown: 9, shared: 1, reactions: 2, replies: 3 }), source('https://b.example/feed', { lastReport: { source: { family: 'rss', name: 'https://b.example/feed' }, items: 0, fresh: 0, unchanged: false, failure } }), source('top', { source: { family: 'hacker_news', name: 'top' } })];
  const shown = () => html('Sources', { sources, reports: [], now: 0, changed: nothing });
  it('say how they did, whose they are, and what is wrong with them', () => {
    expect(text(shown())).toMatch(/one source cannot be read.*a\.example\/feed its own ?“they &lt;b>like.*9 ?1 ?2 ?3.*b\.example\/feed.*It answered 404/);
    expect(shown()).not.toContain('<b>like');
    expect(shown()).toContain('href="#/settings/initiative.discovery.rssFeeds"');
  });
  it('can be removed, but for the family that is a switch', () => {
    expect(shown().match(/aria-label="Remove /g)).toHaveLength(2);
    expect(shown()).toContain('href="#/settings/initiative.discovery.sources.hackerNews"');
  });
  it('of the feed stand with why', () => expect(html('Preview', { candidates: [candidate()], interests: ['tea'], sources: 1, now: 0, read: nothing })).toMatch(/role="img" aria-label="Score 0\.50: how its source did 0\.15/));
});

it('tools say whether they are offered, and why not', () => {
  const tools = [{ name: 'web_search', origin: 'web', offered: false, whyNot: 'No search service is chosen: tools.searchProvider.' }, { name: 'memory_search', origin: 'denizen', offered: true, whyNot: '' }];
  const status = { tools: [{ name: 'office', ready: true, detail: 'An MCP server.', tools: ['calendar'] }], media: [] };
  expect(text(html('Tools', { tools, status, problem: '', again: nothing }))).toMatch(/memory_search its own ?web_search the web ?No search service is chosen: tools\.searchProvider\..*office ready ?An MCP server\. ?calendar.*Nothing makes media here/);
});

it('the empty pool offers the room with one press', () => expect(text(html('NoChannels', { changed: nothing }))).toMatch(/It has no channel to post in.*Let it post in #lounge/));
