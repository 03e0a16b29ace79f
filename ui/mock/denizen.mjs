// A scripted Denizen: decides by name, waits a little, "asks" a model and streams what it says, journaling as the real one does.
import { considerFolding } from './session.mjs';

const ROOM = 'lounge';
const REPLIES = [
  'I would start with the boring part: write down what you *expect* to happen, then look at the first line of the journal that disagrees.\n\nMost of the time it is one of these:\n- the message was never **addressed** to me\n- the room was busy and I had said enough\n- the model took too long\n\nThe `why` mark next to each message tells you which.',
  'Short answer: yes, but slowly. The long answer depends on how many people talk at once.\n\n```sh\ndenizen why 0193c2\n```\n\nThat prints the whole chain, from what I heard to what I said.',
  'I think Bob is right about the tea. I have no opinion about the biscuits, and I would rather say so than invent one.',
  'Happy to. Tell me roughly when, and I will keep it in mind — see https://example.org/tea for what we had last time.',
];
const PERSONA = 'You are a thoughtful, good-humoured member of this room. You listen more than you talk, you say things plainly and briefly, and you never pretend to know what you do not.';
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
let replies = 0;
let queue = Promise.resolve();

/** Takes in a person's message, and answers it in its own time. */
export function hear(world, message, pace = 1) {
  const about = { room: message.room, messages: [message.id] };
  const heard = world.note('text_message_received', {
    author: message.author.id, authorName: message.author.name, characters: message.text.length, images: message.attachments?.length ?? 0,
  }, about, message.at);
  const target = world.messages.find((other) => other.id === message.replyTo);
  const rule = message.mentions?.includes(world.denizen.id) ? 'platform mention'
    : target?.author.kind === 'denizen' ? 'reply to Denizen'
    : /\bdenizen\b/i.test(message.text) ? 'name said' : '';
  const decided = world.note('text_admission_decided', {
    gate: 'before_queueing', allow: rule !== '', reason: rule ? 'forced' : 'not_in_recent_window', address: rule ? 'direct' : 'llm_decides',
    rule: rule || 'no signal', confidence: rule ? 1 : 0, forced: rule !== '', botInRecentWindow: false, eagerness: 25,
  }, { ...about, cause: heard }, message.at + 1);
  if (!rule) {
    world.note('reply_skipped', { reason: 'not_admitted', detail: 'it was not addressed to Denizen' }, { ...about, cause: decided }, message.at + 1);
    return;
  }
  const queued = world.note('text_message_queued', { burstMessages: 1, queueLength: 1, closesIn: 1200 }, { ...about, cause: decided }, message.at + 2);
  queue = queue.then(() => answer(world, message, queued, pace));
}

/** Resolves when everything that was heard is answered. */
export const settled = () => queue;

async function answer(world, message, cause, pace) {
  await sleep(1200 * pace);
  const turn = world.nextTurn();
  const scope = { room: ROOM, turn, messages: [message.id] };
  const began = Date.now();
  let last = world.note('text_turn_opened', { author: message.author.id, triggerMessageIds: [message.id], forced: true, waited: 1200 }, { ...scope, cause });
  typing(world, true);
  last = world.note('recall_started', { words: message.text.slice(0, 40) }, { ...scope, cause: last });
  last = world.note('recall_completed', { messages: 2, took: 14, failure: null }, { ...scope, cause: last });
  considerFolding(world, ROOM, turn, pace);
  const record = question(world, message, turn);
  world.asks.set(record.ask, record);
  last = world.note('ask_started', {
    ask: record.ask, purpose: 'text_reply', provider: record.provider, model: record.model, attempt: 1,
    promptCharacters: record.request.system.length, sectionsTrimmed: ['recent messages'], sectionsDropped: [],
  }, { ...scope, cause: last });
  world.publish({ type: 'ask', ask: record.ask, summary: world.summary(record) });
  if (/\bfail\b/.test(message.text)) return fail(world, message, record, scope, last, began);
  const text = REPLIES[replies++ % REPLIES.length];
  await sleep(900 * pace);
  for (let end = 6; end < text.length; end += 7) {
    world.publish({ type: 'draft', room: ROOM, turn, text: text.slice(0, end) });
    await sleep(45 * pace);
  }
  const took = Date.now() - began;
  record.outcome = { answered: {
    provider: record.provider, model: record.model, text, finish: 'complete', firstText: 900, took, tries: 1,
    usage: { inputTokens: 612 + record.ask * 13, cachedInputTokens: 0, outputTokens: Math.ceil(text.length / 4), costMicroDollars: world.offline ? null : 1840 },
  } };
  record.rawResponse = `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\ndata: [DONE]\n\n`;
  world.publish({ type: 'ask', ask: record.ask, summary: world.summary(record) });
  last = world.note('ask_completed', {
    ask: record.ask, purpose: 'text_reply', provider: record.provider, model: record.model, took, firstText: 900,
    inputTokens: record.outcome.answered.usage.inputTokens, outputTokens: record.outcome.answered.usage.outputTokens, costMicroDollars: 1840,
  }, { ...scope, cause: last });
  last = world.note('text_delivery_started', { delivery: `turn-${turn}-1`, part: 1, parts: 1, characters: text.length }, { ...scope, cause: last });
  const id = `denizen-${turn}`;
  world.add({ id, room: ROOM, author: { ...world.denizen, kind: 'denizen' }, text, at: Date.now(), replyTo: message.id, turn, ask: record.ask });
  typing(world, false);
  last = world.note('sent_reply', { message: id, replyTo: message.id, triggerMessageIds: [message.id], characters: text.length, part: 1, parts: 1 }, { ...scope, messages: [message.id, id], cause: last });
  world.note('text_turn_ended', { outcome: 'sent', took: Date.now() - began }, { ...scope, cause: last });
}

function fail(world, message, record, scope, cause, began) {
  record.outcome = { failed: { kind: 'unreachable', detail: 'http://127.0.0.1:11434 does not answer. Start the model server, or choose another in the settings.' } };
  world.publish({ type: 'ask', ask: record.ask, summary: world.summary(record) });
  typing(world, false);
  const failed = world.note('ask_failed', { ask: record.ask, purpose: 'text_reply', kind: 'unreachable', detail: record.outcome.failed.detail, retryIn: null }, { ...scope, cause });
  const skipped = world.note('reply_skipped', { reason: 'model_failed', detail: 'the model could not be had' }, { ...scope, cause: failed });
  world.note('text_turn_ended', { outcome: 'failed', took: Date.now() - began }, { ...scope, cause: skipped });
}

function typing(world, on) {
  world.publish({ type: 'typing', room: ROOM, person: world.denizen.id, name: world.denizen.name, typing: on });
}

function question(world, message, turn) {
  const recent = world.messages.slice(-12);
  const lines = recent.map((other) => `${other.author.name}: ${other.text}`).join('\n');
  const sections = [
    section('identity', 9, 400, `You are ${world.denizen.name}, one participant among people in the room “lounge”.`, 'who it is'),
    section('persona', 8, 4000, PERSONA, 'identity.persona'),
    section('how to answer', 9, 1200, 'Answer in plain text. If nothing needs to be said, answer with silence.', ''),
    section('people', 4, 600, [...world.people.values()].join(', '), 'who is in the room'),
    { ...section('recent messages', 7, 900, lines, ''), ...trim(lines, 900) },
    section('older messages that fit', 3, 800, 'Bob: the kettle is broken again\nAlice: then we use the small one', '2 found for what is being said'),
    { name: 'pictures', fate: 'empty', priority: 5, wantedChars: 0, keptChars: 0, capChars: 0, remark: 'none in the newest messages', text: '' },
    { name: 'long ago', fate: 'dropped', priority: 1, wantedChars: 2400, keptChars: 0, capChars: 2000, remark: 'no room left, lowest priority', text: '' },
  ];
  const system = sections.map((item) => item.text).filter(Boolean).join('\n\n');
  const turns = recent.slice(-4).map((other) => ({ role: other.author.kind === 'denizen' ? 'assistant' : 'user', parts: [{ text: `${other.author.name}: ${other.text}` }] }));
  const status = world.model();
  const previous = [...world.asks.keys()].at(-1) ?? null;
  return {
    community: 'local', ask: world.nextAsk(), room: ROOM, turn, startedAt: Date.now(), startedMoment: world.moment(),
    provider: status.provider, model: status.model, url: `${status.baseUrl || 'offline:'}/chat/completions`,
    request: {
      purpose: 'text_reply', choice: { provider: 'auto', model: '' }, system, turns, output: 'text',
      maxOutputTokens: 600, temperature: 0.8, deadline: 60_000, sections,
    },
    rawRequest: JSON.stringify({ model: status.model, stream: true, temperature: 0.8, max_tokens: 600, messages: [{ role: 'system', content: system }, ...turns.map((one) => ({ role: one.role, content: one.parts[0].text }))] }),
    rawResponse: '', outcome: null, previous,
  };
}

function section(name, priority, capChars, text, remark) {
  return { name, fate: 'kept', priority, wantedChars: text.length, keptChars: text.length, capChars, remark, text };
}

function trim(text, cap) {
  if (text.length <= cap) return {};
  return { fate: 'trimmed', keptChars: cap, text: text.slice(-cap), remark: 'oldest messages left out' };
}
