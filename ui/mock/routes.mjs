// The mock's answers to everything under /api but the live events.
import { ambientRoutes, discoveryRoutes, react, sceneRoute } from './ambient_routes.mjs';
import { hear } from './denizen.mjs';
import { check } from './limits.mjs';
import { capture, memoryRoutes } from './memory.mjs';
import { migrate } from './older.mjs';
import { ApiProblem } from './problem.mjs';
import { endSession, sessionView, takeNote } from './session.mjs';
import { EVENTS, sentence, verdict } from './sentences.mjs';
import { roomWatchRoutes, shareRoutes } from './watch_routes.mjs';

export async function handle(world, request) {
  const path = request.url.pathname.split('/').slice(2).map(decodeURIComponent);
  const parameter = (name) => request.url.searchParams.get(name) ?? undefined;
  const [first, second, third, fourth, fifth] = path;
  const on = `${request.method} ${first}`;
  if (on === 'GET health') {
    return { json: { status: 'ok', version: 'mock', uptimeMs: Date.now() - world.startedAt, community: 'local', denizen: world.denizen, model: world.model(), settingsVersion: world.settingsVersion } };
  }
  if (on === 'GET rooms' && !second) return { json: { rooms: world.rooms } };
  if (first === 'rooms') return inRoom(world, request, second, third, fourth, fifth);
  if (on === 'GET attachments') {
    const found = world.attachments.get(second) ?? missing('unknown_attachment', 'There is no such attachment.');
    return { bytes: found.bytes, headers: { 'content-type': found.mime } };
  }
  if (first === 'ambient') return ambientRoutes(world, request, second);
  if (first === 'discovery') return discoveryRoutes(world, request, second);
  if (on === 'PUT mock' && second === 'thoughts') return sceneRoute(world, request);
  if (first === 'watch') return shareRoutes(world, request, second, third);
  if (first === 'memory') return memoryRoutes(world, request, path.slice(1));
  if (on === 'GET journal') return second === 'events' ? { json: { events: EVENTS } } : journal(world, parameter);
  if (on === 'GET why') return why(world, second);
  if (on === 'GET asks') return second ? ask(world, Number(second)) : { json: { asks: [...world.asks.values()].filter(({ turn }) => !parameter('turn') || turn === Number(parameter('turn'))).reverse().slice(0, Number(parameter('limit') ?? 50)).map((record) => world.summary(record)) } };
  if (on === 'GET settings') return { json: world.settings(), headers: { etag: `"${world.settingsVersion}"` } };
  if (on === 'PUT settings') return save(world, request);
  if (on === 'POST settings' && second === 'migrate') return migrate(world, request);
  if (on === 'GET model') return { json: world.model() };
  if (on === 'POST model') {
    world.publish({ type: 'model', status: world.model() });
    return { json: world.model() };
  }
  if (on === 'GET recording') {
    return { bytes: world.journal.map((entry) => JSON.stringify(entry)).join('\n'), headers: { 'content-type': 'application/x-ndjson', 'content-disposition': 'attachment; filename="denizen-recording.ndjson"' } };
  }
  return missing('unknown_path', `There is nothing at ${request.url.pathname}.`);
}

function inRoom(world, request, room, what, id, part) {
  if (!world.rooms.some((known) => known.id === room)) missing('unknown_room', `There is no room “${room}”. GET /api/rooms lists them.`);
  const watching = roomWatchRoutes(world, request, room, what, id);
  if (watching) return watching;
  const on = `${request.method} ${what}`;
  if (on === 'GET messages') return page(world, room, request.url.searchParams);
  if (on === 'POST messages') return say(world, room, request.body ?? {});
  if (on === 'POST typing') {
    const name = request.body.author.trim();
    world.publish({ type: 'typing', room, person: `local:${name.toLowerCase()}`, name, typing: request.body.typing });
    return { status: 204 };
  }
  if (on === 'GET session') return { json: sessionView(world, room) };
  if (on === 'POST session' && id === 'end') return endSession(world, room);
  if (on === 'POST notes') return note(world, room, request.body ?? {});
  const message = world.messages.find((known) => known.id === id) ?? missing('unknown_message', `There is no message ${id}.`);
  if (part === 'reactions') return react(world, request, room, message);
  const author = request.body?.author ?? request.url.searchParams.get('author') ?? '';
  if (message.author.id !== `local:${author.toLowerCase()}`) throw new ApiProblem(403, 'not_yours', 'Only its author can change a message.');
  if (request.method === 'PATCH') {
    Object.assign(message, { text: request.body.text, editedAt: Date.now() });
    world.publish({ type: 'message_edited', room, id, text: message.text });
    world.note('text_message_edited', { whileWaiting: false, whileAnswering: false }, { room, messages: [id] });
    return { json: { message } };
  }
  world.messages = world.messages.filter((known) => known !== message);
  world.publish({ type: 'message_deleted', room, id });
  world.note('text_message_deleted', { whileWaiting: false, whileAnswering: false }, { room, messages: [id] });
  return { status: 204 };
}

function page(world, room, parameters) {
  const limit = Number(parameters.get('limit') ?? 50);
  const before = Number(parameters.get('before') ?? Infinity);
  const after = parameters.get('after');
  const all = world.messages.filter((message) => message.room === room && message.seq < before && message.seq > Number(after ?? 0));
  const messages = after === null ? all.slice(-limit) : all.slice(0, limit);
  return { json: { messages, hasMore: all.length > messages.length } };
}

function say(world, room, body) {
  const name = (body.author ?? '').trim();
  const text = body.text ?? '';
  if (name.length < 1 || name.length > 40) throw new ApiProblem(422, 'bad_author', 'A name has 1 to 40 characters.');
  if (name.toLowerCase() === 'denizen') throw new ApiProblem(422, 'bad_author', 'That is Denizen’s own name. Choose another.');
  if (text.length > 8_000) throw new ApiProblem(413, 'text_too_long', `The message has ${text.length} characters; the most is 8,000. Split it.`);
  if (!text.trim() && !body.attachments?.length) throw new ApiProblem(422, 'empty_message', 'Write something, or attach a picture.');
  const known = world.messages.find((message) => message.id === body.id);
  if (known) return { json: { message: known } };
  const attachments = (body.attachments ?? []).map((given, index) => {
    const id = `${body.id}-${index}`;
    const bytes = Buffer.from(given.dataBase64, 'base64');
    world.attachments.set(id, { mime: given.mime, bytes });
    return { id, mime: given.mime, name: given.name, bytes: bytes.length };
  });
  const mentions = [...world.people].filter(([, person]) => text.toLowerCase().includes(`@${person.toLowerCase()}`)).map(([id]) => id);
  const message = world.add({
    id: body.id ?? `m-${Date.now()}-${world.messages.length}`, room, author: { id: `local:${name.toLowerCase()}`, name, kind: 'person' }, text, at: Date.now(),
    ...(body.replyTo ? { replyTo: body.replyTo } : {}), ...(mentions.length ? { mentions } : {}), ...(attachments.length ? { attachments } : {}),
  });
  capture(world, message);
  if (message.replyTo) world.ambient.counted(message.replyTo);
  hear(world, message);
  return { status: 201, json: { message } };
}

function note(world, room, { sharedBy = '', text = '' }) {
  if (!text.trim() || [...text.trim()].length > 400) throw new ApiProblem(422, 'invalid_note', 'A note has 1 to 400 characters. Say it in fewer words.');
  takeNote(world, room, sharedBy.trim(), text.trim());
  return { status: 204 };
}

function journal(world, parameter) {
  const limit = Number(parameter('limit') ?? 200);
  const fitting = world.journal.filter((entry) => entry.seq > Number(parameter('after') ?? 0) && (!parameter('room') || entry.room === parameter('room')) && (!parameter('name') || entry.name === parameter('name')));
  const entries = parameter('newest') === 'true' ? fitting.slice(-limit) : fitting.slice(0, limit);
  return { json: { entries, next: entries.at(-1)?.seq ?? 0 } };
}

function why(world, id) {
  const message = world.messages.find((known) => known.id === id) ?? missing('unknown_message', `There is no message ${id}.`);
  const turns = new Set(world.journal.filter((entry) => entry.messages?.includes(id) && entry.turn).map((entry) => entry.turn));
  const entries = world.journal.filter((entry) => entry.messages?.includes(id) || turns.has(entry.turn));
  const records = [...world.asks.values()].filter((record) => turns.has(record.turn));
  const replies = world.messages.filter((other) => other.author.kind === 'denizen' && turns.has(other.turn) && other.id !== id).map((other) => other.id);
  return { json: { message, verdict: verdict(entries, message), chain: entries.map((entry) => ({ entry, sentence: sentence(entry) })), asks: records.map((record) => world.summary(record)), replies } };
}

function ask(world, id) {
  const record = world.asks.get(id) ?? missing('unknown_ask', `There is no model call ${id}; it may be older than storage.keepAsksDays.`);
  return { json: { ask: record, previous: world.asks.get(record.previous) ?? null } };
}

function save(world, request) {
  const match = /^"(\d+)"$/.exec(request.headers['if-match'] ?? '');
  if (!match) throw new ApiProblem(428, 'version_missing', 'Say which version the change is based on with If-Match.');
  if (Number(match[1]) !== world.settingsVersion) {
    throw new ApiProblem(409, 'stale_settings', `The settings were changed meanwhile: you have version ${match[1]}, the newest is ${world.settingsVersion}. Read them again and repeat the change.`, undefined, { newest: world.settingsVersion });
  }
  const changes = request.body?.changes ?? {};
  const details = Object.entries(changes).flatMap(([key, value]) => check(world.knobs.find((knob) => knob.key === key), key, value));
  if (details.length) throw new ApiProblem(422, 'invalid_settings', 'Some values cannot be used.', details);
  world.save(changes);
  return { json: world.settings(), headers: { etag: `"${world.settingsVersion}"` } };
}

function missing(code, message) {
  throw new ApiProblem(404, code, message);
}
