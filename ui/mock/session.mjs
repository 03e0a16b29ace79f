// The mock's two-layer memory: turns leave the recent window ten at a time and are folded into a summary, by rote.
const RECENT_WINDOW = 50;
const BATCH_SIZE = 10;
const SUMMARY_CHARS_MAX = 1_200;
const FINISHED_MAX = 12;
const FOLD_MS = 2_500;

export function sessionView(world, room) {
  const { noteSeq: _, ...kept } = sessionOf(world, room);
  const turns = said(world, room);
  return {
    enabled: world.knob('context.compaction.textChannels'), ...kept, turns: turns.length,
    verbatim: turns.slice(kept.cursor), recentWindow: RECENT_WINDOW, batchSize: BATCH_SIZE, summaryCharsMax: SUMMARY_CHARS_MAX,
  };
}

export function takeNote(world, room, sharedBy, text) {
  const session = sessionOf(world, room);
  session.pendingNotes.push({ seq: session.noteSeq++, at: Date.now(), sharedBy, text });
}

export function endSession(world, room) {
  const session = sessionOf(world, room);
  const turns = said(world, room).length;
  world.note('voice_context_session_ended', { turns, cursor: session.cursor, offered_chars: session.summary.length }, { room });
  world.sessions.set(room, { ...fresh(), cursor: turns, finished: session.finished });
  return { status: 202 };
}

/** A reply is being prepared: is it time to fold? The reply does not wait for it. */
export function considerFolding(world, room, turn, pace = 1) {
  const session = sessionOf(world, room);
  const waiting = said(world, room).slice(session.cursor);
  if (!world.knob('context.compaction.textChannels') || session.run || waiting.length <= RECENT_WINDOW + BATCH_SIZE) return;
  const batch = waiting.slice(0, BATCH_SIZE);
  const ask = world.nextAsk();
  const status = world.model();
  const began = Date.now();
  const prompt = `The summary so far:\n${session.summary || '(none)'}\n\nNew turns:\n${batch.map(line).join('\n')}`;
  const record = {
    community: 'local', ask, room, turn, startedAt: began, provider: status.provider, model: status.model, url: `${status.baseUrl || 'offline:'}/chat/completions`,
    request: {
      purpose: 'context_compaction', choice: { provider: 'inherit', model: '' }, system: 'Fold the new turns into the summary, in at most 1,200 characters.',
      turns: [{ role: 'user', parts: [{ text: prompt }] }], output: 'text', maxOutputTokens: 400, temperature: 0.2, deadline: 20_000, sections: [],
    },
    rawRequest: JSON.stringify({ model: status.model, messages: [{ role: 'user', content: prompt }] }), rawResponse: '', outcome: null,
    previous: [...world.asks.values()].findLast((other) => other.request.purpose === 'context_compaction')?.ask ?? null,
  };
  world.asks.set(ask, record);
  const notes = [...session.pendingNotes];
  session.run = { ask, cursor: session.cursor, turns: batch.length, notes: notes.length, condensing: false };
  world.note('voice_context_compaction_started', { cursor: session.cursor, batch_size: batch.length, recent_start: waiting.at(-RECENT_WINDOW).seq, pending_note_count: notes.length }, { room });
  world.publish({ type: 'ask', ask, summary: world.summary(record) });
  const finish = () => finishFold(world, room, session, { batch, notes, record, took: pace ? Date.now() - began : 1_800 });
  if (pace === 0) finish();
  else setTimeout(finish, FOLD_MS * pace).unref();
}

function finishFold(world, room, session, { batch, notes, record, took }) {
  const noteLines = notes.map((note) => (note.sharedBy ? `${note.sharedBy} shared: ${note.text}` : note.text));
  const summary = summarised(session.summary, batch, noteLines);
  record.outcome = { answered: { provider: record.provider, model: record.model, text: summary, finish: 'complete', firstText: 400, took, tries: 1, usage: { inputTokens: 900, cachedInputTokens: 0, outputTokens: 240, costMicroDollars: null } } };
  world.publish({ type: 'ask', ask: record.ask, summary: world.summary(record) });
  // A session that ended meanwhile has nothing to do with it any more.
  if (world.sessions.get(room) !== session) return;
  const oldCursor = session.cursor;
  const summariser = `${record.provider} ${record.model}`;
  Object.assign(session, {
    cursor: oldCursor + batch.length, summary, summarisedAt: Date.now(), run: null, pendingNotes: session.pendingNotes.filter((note) => !notes.includes(note)),
    finished: [...session.finished, { at: Date.now(), took, oldCursor, newCursor: oldCursor + batch.length, ask: record.ask, summariser, turns: batch.map(line), notes: noteLines, summary }].slice(-FINISHED_MAX),
  });
  world.note('voice_context_compaction_completed', {
    old_cursor: oldCursor, cursor: session.cursor, covered_through_turn: session.cursor - 1, summary_chars: summary.length, folded_note_count: notes.length, latency_ms: took, summariser,
  }, { room });
}

/** The oldest sentences make room for the new ones. */
function summarised(previous, batch, notes) {
  const speakers = [...new Set(batch.map((turn) => turn.speaker))].join(', ');
  const fresh = [`From turn ${batch[0].seq} on ${speakers} talked, up to “${batch.at(-1).text.slice(0, 60)}”.`, ...notes.map((note) => `${note}.`)];
  const sentences = [...previous.split(/(?<=\.) /).filter(Boolean), ...fresh];
  while (sentences.join(' ').length > SUMMARY_CHARS_MAX) sentences.shift();
  return sentences.join(' ');
}

function said(world, room) {
  return world.messages.filter((message) => message.room === room).map((message, seq) => ({
    seq, speaker: message.author.name, at: message.at, modality: 'typed', text: message.text, message: message.id,
  }));
}

function sessionOf(world, room) {
  if (!world.sessions.has(room)) world.sessions.set(room, fresh());
  return world.sessions.get(room);
}

const line = (turn) => `${turn.speaker}: ${turn.text}`;
const fresh = () => ({ noteSeq: 0, summary: '', summarisedAt: null, cursor: 0, pendingNotes: [], run: null, finished: [] });
