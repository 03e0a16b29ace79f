// The mock's long memory: gems made by rote of every fifth message, a search by words, and everything the memory page does.
import { gemOf, rememberedPast, turnOf } from './memory_past.mjs';
import { ApiProblem } from './problem.mjs';
import { found } from './memory_search.mjs';

const BATCH_SIZE = 5;
const EXTRACTION_MS = 900;
const THRESHOLD = 0.35;
const INSTRUCTION = /\b(ignore|disregard|from now on you must)\b/i;

/** What a world remembers; `MOCK_MEMORY` names a trouble to show: off, redis, reembedding, qdrant. */
export function memoryOf(world) {
  world.memory ??= { ...(world.remembers === false ? { turns: [], gems: [], runs: [] } : rememberedPast()), waiting: [], made: 0, trouble: process.env.MOCK_MEMORY ?? '' };
  return world.memory;
}

/** A message was said: it waits, and every fifth makes gems of those before it. */
export function capture(world, message) {
  const memory = memoryOf(world);
  if (!world.knob('memory.enabled') || memory.trouble === 'off') return;
  const turn = turnOf(message.id, message.author.name, { community: 'local', room: message.room, private: false }, message.text, message.at, memory.turns.length + 1);
  memory.turns.push(turn);
  memory.waiting.push(turn);
  if (memory.waiting.length < BATCH_SIZE) return;
  const batch = memory.waiting.splice(0);
  const record = question(world, batch);
  const run = { extraction: memory.runs.length + 1, session: turn.session, room: message.room, reason: 'turn_end', startedAt: Date.now(), turns: batch.length, state: 'under_way', ask: record.ask, by: `${record.provider} ${record.model}`, added: 0, strengthened: 0, superseded: 0, rejected: [], took: null };
  memory.runs.push(run);
  world.note('memory_extraction_started', { extraction: run.extraction, reason: run.reason, turns: run.turns }, { room: run.room });
  setTimeout(() => {
    const gems = batch.filter((each) => each.text.length > 12).map((each) => gemOf(`m${++memory.made}`, each, { content: `${each.speaker.name} said: ${each.text}`, summary: each.text.slice(0, 60), made_by: run.by, claim: INSTRUCTION.test(each.text) }));
    record.outcome = { answered: { provider: record.provider, model: record.model, text: JSON.stringify({ gems: gems.map(({ content }) => ({ content })) }, null, 2), finish: 'complete', firstText: 300, took: EXTRACTION_MS, tries: 1, usage: { inputTokens: 700, cachedInputTokens: 0, outputTokens: 120, costMicroDollars: null } } };
    world.publish({ type: 'ask', ask: record.ask, summary: world.summary(record) });
    memory.gems.push(...gems);
    Object.assign(run, { state: 'stored', added: gems.length, took: EXTRACTION_MS, rejected: [{ reason: 'too_many', count: batch.length - gems.length }] });
    world.note('memory_gems_stored', { extraction: run.extraction, added: gems.map((gem) => gem.gem_id) }, { room: run.room });
  }, EXTRACTION_MS).unref();
}

/** What the model is "asked" for a batch. */
function question(world, batch) {
  const { provider, model, baseUrl } = world.model();
  const prompt = batch.map((turn) => `${turn.speaker.name}: ${turn.text}`).join('\n');
  const system = 'Make gems of what is worth remembering in the new turns.';
  const record = {
    community: 'local', ask: world.nextAsk(), room: batch[0].place.room, turn: 0, startedAt: Date.now(), provider, model, url: `${baseUrl || 'offline:'}/chat/completions`,
    request: { purpose: 'gem_extraction', choice: { provider: 'inherit', model: '' }, system, turns: [{ role: 'user', parts: [{ text: prompt }] }], output: 'json', maxOutputTokens: 800, temperature: 0, deadline: 120_000, sections: [] },
    rawRequest: JSON.stringify({ model, messages: [{ role: 'system', content: system }, { role: 'user', content: prompt }] }), rawResponse: '', outcome: null,
    previous: [...world.asks.values()].findLast((other) => other.request.purpose === 'gem_extraction')?.ask ?? null,
  };
  world.asks.set(record.ask, record);
  world.publish({ type: 'ask', ask: record.ask, summary: world.summary(record) });
  return record;
}

export function memoryRoutes(world, request, [what, id, then]) {
  const memory = memoryOf(world);
  const parameter = (name) => request.url.searchParams.get(name) ?? '';
  switch (`${request.method} ${what} ${id ? 'ID' : ''} ${then ?? ''}`.trimEnd()) {
    case 'GET status': return { json: status(world, memory) };
    case 'GET gems': return { json: paged(newest(memory.gems, (gem) => gem.created_at).filter((gem) => (!parameter('person') || gem.person === parameter('person')) && (!parameter('room') || gem.place.room === parameter('room')) && (parameter('current') === 'false' || !gem.superseded_by)), request) };
    case 'POST gems': return { status: 201, json: { gem: add(world, memory, request.body ?? {}) } };
    case 'GET gems ID': return { json: detail(memory, gemBy(memory, id)) };
    case 'PATCH gems ID': {
      const gem = Object.assign(gemBy(memory, id), request.body);
      return { json: { gem: { ...gem } } };
    }
    case 'DELETE gems ID': return { json: { removed: remove(world, memory, [gemBy(memory, id)]) } };
    case 'POST gems ID supersede': return { json: supersede(world, memory, gemBy(memory, id), request.body ?? {}) };
    case 'GET search': return { json: { found: found(memory, { q: parameter('q'), room: parameter('room'), person: parameter('person'), kinds: parameter('kinds') || 'both', superseded: parameter('superseded') !== 'false', limit: Number(parameter('limit') || 20) }), tookMs: 3.2, threshold: THRESHOLD } };
    case 'GET people': return { json: { people: people(memory) } };
    case 'GET people ID timeline': return { json: paged(timeline(memory, id), request) };
    case 'DELETE people ID': return { json: { removed: remove(world, memory, memory.gems.filter((gem) => gem.person === id), memory.turns.filter((turn) => turn.speaker.id === id)) } };
    case 'GET runs': return { json: { runs: newest(memory.runs, (run) => run.startedAt).slice(0, Number(parameter('limit') || 50)) } };
    case 'GET export': return { bytes: [...memory.gems.map((gem) => ({ gem })), ...memory.turns.map((turn) => ({ turn }))].map((record) => JSON.stringify(record)).join('\n'), headers: { 'content-type': 'application/x-ndjson', 'content-disposition': 'attachment; filename="denizen-memory.ndjson"' } };
    default: throw new ApiProblem(404, 'unknown_path', `There is nothing at ${request.url.pathname}.`);
  }
}

function status(world, { gems, turns, waiting, trouble }) {
  return {
    enabled: world.knob('memory.enabled') && trouble !== 'off', store: trouble === 'qdrant' ? 'Qdrant at http://127.0.0.1:6333, collection neuralstream' : 'embedded, in data/memory',
    buffer: trouble === 'redis' ? 'Redis at redis://127.0.0.1:6379' : 'embedded, in data/memory', embedder: { name: 'builtin:table-1', dimensions: 256 },
    stats: { gems: gems.length, superseded: gems.filter((gem) => gem.superseded_by).length, turns: turns.length, diskBytes: 1_840_000, memoryBytes: 612_000 },
    waiting: { waiting: trouble === 'redis' ? 0 : waiting.length, held: 0, keptBack: trouble === 'redis' ? 12 : 0 },
    reembedding: trouble === 'reembedding' ? { done: 340, total: 1_200 } : null, extractor: 'auto',
    ...(trouble === 'qdrant' ? { trouble: 'Qdrant cannot be reached at http://127.0.0.1:6333: connection refused. Start it, or set memory.store.gems to embedded.' } : {}),
  };
}

function add(world, memory, { content = '', person, scope, ...more }) {
  if (!content.trim()) throw new ApiProblem(422, 'empty_gem', 'There is nothing to remember. Write a sentence.');
  const known = people(memory).find((each) => each.id === person);
  const turn = turnOf(`hand-${++memory.made}`, known?.name ?? '', { community: 'local', room: scope?.room ?? 'lounge', private: false }, '', Date.now());
  const gem = gemOf(`hand${memory.made}`, turn, { summary: content.slice(0, 80), ...more, content, person: person ?? null, person_name: known?.name ?? '', made_by: 'operator', claim: false });
  gem.source.turns = [];
  memory.gems.push(gem);
  return gem;
}

function supersede(world, memory, old, { by, content }) {
  const gem = by ? gemBy(memory, by) : add(world, memory, { content: content ?? '', person: old.person, scope: old.place, tags: old.tags, importance: old.importance });
  Object.assign(old, { superseded_by: gem.gem_id, valid_until: new Date().toISOString() });
  return { gem: { ...gem }, superseded: { ...old } };
}

function remove(world, memory, gems, turns = []) {
  const gone = { gems: new Set(gems.map((gem) => gem.gem_id)), turns: new Set([...turns.map((turn) => turn.id), ...gems.flatMap((gem) => gem.source.turns)]) };
  gone.turns = new Set(memory.turns.filter((turn) => gone.turns.has(turn.id)).map((turn) => turn.id));
  memory.gems = memory.gems.filter((gem) => !gone.gems.has(gem.gem_id));
  memory.turns = memory.turns.filter((turn) => !gone.turns.has(turn.id));
  for (const message of world.messages.filter((each) => gone.turns.has(each.id))) {
    world.messages = world.messages.filter((each) => each !== message);
    world.publish({ type: 'message_deleted', room: message.room, id: message.id });
  }
  world.note('memory_forgotten', { kind: turns.length ? 'person' : 'gems', gems: gone.gems.size, turns: gone.turns.size });
  return { gems: [...gone.gems], turns: [...gone.turns] };
}

function detail(memory, gem) {
  const supersededBy = memory.gems.find((other) => other.gem_id === gem.superseded_by);
  return { gem, turns: memory.turns.filter((turn) => gem.source.turns.includes(turn.id)), supersedes: memory.gems.filter((other) => other.superseded_by === gem.gem_id), ...(supersededBy ? { supersededBy } : {}) };
}

function people(memory) {
  const known = new Map();
  for (const { speaker, at } of memory.turns) {
    const person = known.get(speaker.id) ?? { id: speaker.id, name: speaker.name, gems: 0, turns: 0, firstAt: at, lastAt: at };
    known.set(speaker.id, { ...person, turns: person.turns + 1, firstAt: Math.min(person.firstAt, at), lastAt: Math.max(person.lastAt, at) });
  }
  for (const gem of memory.gems) if (known.has(gem.person)) known.get(gem.person).gems += 1;
  return [...known.values()].sort((left, right) => right.lastAt - left.lastAt);
}

function timeline(memory, person) {
  const items = [...memory.gems.filter((gem) => gem.person === person).map((gem) => ({ at: Date.parse(gem.created_at) + 1, gem })), ...memory.turns.filter((turn) => turn.speaker.id === person).map((turn) => ({ at: turn.at, turn }))];
  return newest(items, (item) => item.at);
}

function paged(all, request) {
  const from = Number(request.url.searchParams.get('after') ?? 0);
  const until = from + Number(request.url.searchParams.get('limit') ?? 50);
  return { items: all.slice(from, until), ...(until < all.length ? { next: String(until) } : {}) };
}

function gemBy(memory, id) {
  const gem = memory.gems.find((each) => each.gem_id === id);
  if (!gem) throw new ApiProblem(404, 'unknown_gem', `There is no gem ${id}. It may have been deleted.`);
  return gem;
}

const newest = (list, at) => [...list].sort((left, right) => +new Date(at(right)) - +new Date(at(left)));
