// One scripted thought, step by step, as the real one goes: looks around, asks, looks something up, asks again, decides.
import { candidates, ITEMS } from './ambient_past.mjs';

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const HOLD_MS = 90 * 60_000;
let thoughts = 0;

export async function runThought(ambient, { trial, turn, receipt = null }) {
  const { world } = ambient;
  const pace = Math.min(1, ambient.tickMs / 60_000 + (trial ? 0.5 : 0));
  const room = ambient.channels.find(({ eligible }) => eligible)?.room ?? world.rooms[0].id;
  const run = { turn, startedAt: Date.now(), endedAt: null, stage: 'gathering', revisits: ambient.thought !== null && !trial, steps: [], decision: null, post: null, outcome: '' };
  if (trial) ambient.trial = run;
  else ambient.run = run;
  const scope = { room, turn };
  const step = (kind, words, ask = null) => run.steps.push({ at: Date.now(), kind, words, ask });
  ambient.note('ambient_run_started', { trial, revisits: run.revisits }, scope);
  await sleep(900 * pace);
  ambient.candidates = candidates(Date.now());
  step('gathered', `${ambient.candidates.length} items of ${ambient.sources().length} sources, 20 messages of #${room}, 3 memories.`);
  ambient.note('ambient_run_gathered', { items: ambient.candidates.length }, scope);
  const ask = async (words) => {
    run.stage = 'thinking';
    const record = question(world, room, turn);
    world.asks.set(record.ask, record);
    step('asked', words, record.ask);
    world.publish({ type: 'ask', ask: record.ask, summary: world.summary(record) });
    ambient.usage.push({ at: Date.now(), tokens: 1_710, cost: 2_090 });
    await sleep(1_400 * pace);
    return record;
  };
  const answered = (record, text, words) => {
    record.outcome = { answered: { provider: record.provider, model: record.model, text, finish: 'complete', firstText: 300, took: 1_400, tries: 1, usage: { inputTokens: 1_540, cachedInputTokens: 0, outputTokens: 170, costMicroDollars: 2_090 } } };
    world.publish({ type: 'ask', ask: record.ask, summary: world.summary(record) });
    step('answered', words, record.ask);
  };
  let record = await ask('What it is thinking, with 4 tools at hand.');
  answered(record, '', 'It wants to look something up: web_scrape.');
  run.stage = 'using_tools';
  step('tool', `web_scrape ${ITEMS[0].url}: 4,120 characters.`);
  await sleep(1_000 * pace);
  record = await ask('The same again, with what it found.');
  const hold = !trial && !run.revisits && thoughts++ % 2 === 1;
  const text = `If the three of you still look for a game for Thursday: these six work with exactly three. ${ITEMS[0].url}`;
  const decision = { at: Date.now(), ask: record.ask, action: hold ? 'hold' : 'post_now', text, room, media: null, reason: hold ? 'they are about to have lunch' : 'it fits what Mira asked this morning, and nobody is talking just now' };
  answered(record, JSON.stringify({ action: decision.action, text, channel: room, reason: decision.reason }), 'It has a thought.');
  step('decided', `${decision.action}: ${decision.reason}`, record.ask);
  Object.assign(run, { decision, post: hold ? null : text });
  if (trial) run.outcome = ambient.channels.length ? `it would have been posted in ${room}` : 'it named a channel it may not post to: “lounge”';
  else if (hold) {
    run.outcome = 'the thought is held for later';
    ambient.thought = { text, room, media: null, reason: decision.reason, createdAt: run.startedAt, expiresAt: run.startedAt + HOLD_MS, history: [decision], roomMovedOn: false };
    ambient.note('ambient_thought_held', { characters: text.length }, scope);
  } else {
    run.stage = 'posting';
    await sleep(300 * pace);
    const id = `thought-${turn}`;
    world.add({ id, room, author: { ...world.denizen, kind: 'denizen' }, text, at: Date.now(), turn, ask: record.ask });
    ambient.thought = null;
    ambient.posts.unshift({ turn, room, messages: [id], text, at: Date.now(), links: [{ url: ITEMS[0].url, source: ITEMS[0].source }], media: null, reactions: 0, replies: 0 });
    run.outcome = 'it was posted';
    ambient.note('initiative_post', { messages: [id], characters: text.length }, { ...scope, messages: [id] });
  }
  Object.assign(run, { stage: 'done', endedAt: Date.now() });
  if (receipt) Object.assign(receipt, { action: decision.action });
  if (!trial) ambient.run = null;
  ambient.note('ambient_run_ended', { trial, action: decision.action }, scope);
}

function question(world, room, turn) {
  const status = world.model();
  const sections = [['ambient text mode', 'You may bring something up by yourself, or stay quiet.'], ['channels', `#${room}: Mira, Bob and Alice, last words 20 minutes ago`], ['your feed', ITEMS.map(({ title }) => title).join('\n')], ['task', 'What are you thinking right now?']]
    .map(([name, text]) => ({ name, fate: 'kept', priority: 5, wantedChars: text.length, keptChars: text.length, capChars: 4_000, remark: '', text }));
  const system = sections.map(({ text }) => text).join('\n\n');
  return {
    community: 'local', ask: world.nextAsk(), room, turn, startedAt: Date.now(), startedMoment: world.moment(), provider: status.provider, model: status.model, url: `${status.baseUrl || 'offline:'}/chat/completions`,
    request: { purpose: 'ambient_thought', choice: { provider: 'auto', model: '' }, system, turns: [{ role: 'user', parts: [{ text: 'What are you thinking right now?' }] }], output: 'text', maxOutputTokens: 600, temperature: 0.8, deadline: 60_000, sections },
    rawRequest: JSON.stringify({ model: status.model, messages: [{ role: 'system', content: system }] }), rawResponse: '', outcome: null, previous: null,
  };
}
