// What is said in the voice of a room, as it is said: pure, so that it can be tested without a browser.
import type { JournalEntry, LiveEvent, StoredMessage } from '../api/contract';

/** What the live feed says about the voice of a room. */
export type VoiceEvent = Extract<LiveEvent, { type: `voice_${string}` }>;

/** One thing that was said, or is being said. */
export interface Line {
  key: string;
  /** Denizen said it. */
  own: boolean;
  person: string;
  name: string;
  text: string;
  /** `partial`: still spoken, and perhaps misheard. `missed`: no words came of it; the text says why. */
  state: 'partial' | 'said' | 'speaking' | 'missed';
  /** Of what Denizen said, what was heard, where somebody spoke over it. */
  heard?: string;
  at: number;
  /** The message it became. */
  message?: string;
}

/** More is not kept here; the room has it all. */
export const LINES_MAX = 80;
/** Words that nobody finishes are let go of. */
export const PARTIAL_BELIEVED_MS = 20_000;

/** Why no words came of a sound; others are mere noise, and nothing is said about them. */
const MISSED: Record<string, string> = {
  empty: 'no words could be made out',
  hallucinated: 'no words could be made out',
  timed_out: 'the ears took too long',
  failed: 'the ears failed',
  no_ears: 'there are no ears to understand it',
  given_up: 'Denizen left before it was understood',
};

/** The lines after something was said. */
export function afterSpeech(lines: readonly Line[], event: VoiceEvent, denizen: { id: string; name: string }, now: number): readonly Line[] {
  switch (event.type) {
    case 'voice_transcript': {
      const line: Line = { key: event.id, own: false, person: event.person, name: event.name, text: event.text, state: event.final ? 'said' : 'partial', at: now, ...(event.final ? { message: event.id } : {}) };
      // What was said takes the place of what was heard of it so far, whatever that was called.
      return put(event.final && !has(lines, event.id) ? withoutPartial(lines, event.person) : lines, line);
    }
    case 'voice_saying': {
      const over = event.heard !== undefined;
      const cut = over && event.heard!.length < event.text.length;
      return put(lines, { key: event.delivery, own: true, person: denizen.id, name: denizen.name, text: event.text, state: over ? 'said' : 'speaking', at: now, ...(cut ? { heard: event.heard! } : {}) });
    }
    default:
      return lines;
  }
}

/** The lines after a line of the journal: sounds that came to nothing are told of. */
export function afterJournal(lines: readonly Line[], entry: JournalEntry, nameOf: (person: string) => string): readonly Line[] {
  if (entry.name !== 'voice_utterance_missed') return lines;
  const person = String(entry.data['person'] ?? '');
  const rest = withoutPartial(lines, person);
  const why = MISSED[String(entry.data['reason'] ?? '')];
  if (!why) return rest;
  return put(rest, { key: `missed ${entry.seq}`, own: false, person, name: nameOf(person), text: why, state: 'missed', at: entry.wall });
}

/** The lines with what was written down of them: each is the message that it became, and what was said earlier is there too. */
export function withMessages(lines: readonly Line[], messages: readonly StoredMessage[]): readonly Line[] {
  let next = lines;
  for (const { id, author, text, at, spoken } of messages) {
    if (!spoken) continue;
    const own = author.kind === 'denizen';
    const known = next.find((line) => line.key === id || line.message === id) ?? (own ? next.find((line) => line.own && !line.message && line.state === 'said' && (line.heard ?? line.text).startsWith(text)) : undefined);
    if (known?.message === id) continue;
    next = known
      ? next.map((line) => (line !== known ? line : { ...line, message: id, ...(line.state === 'partial' ? { text, state: 'said' as const } : {}), ...(line.heard === undefined ? {} : { heard: text }) }))
      : inPlace(next, { key: id, own, person: author.id, name: author.name, text, state: 'said', at, message: id });
  }
  return next;
}

/** Words that somebody began and never finished are let go of. */
export function afterSilence(lines: readonly Line[], now: number): readonly Line[] {
  const stale = (line: Line) => line.state === 'partial' && now - line.at > PARTIAL_BELIEVED_MS;
  return lines.some(stale) ? lines.filter((line) => !stale(line)) : lines;
}

const has = (lines: readonly Line[], key: string): boolean => lines.some((line) => line.key === key);

/** Without the first of what somebody is still saying: the next may have begun before that was understood. */
function withoutPartial(lines: readonly Line[], person: string): readonly Line[] {
  const first = lines.find((line) => line.person === person && line.state === 'partial');
  return first ? lines.filter((line) => line !== first) : lines;
}

/** In the place of the line of that key, which keeps its time; else at the end. */
function put(lines: readonly Line[], line: Line): readonly Line[] {
  const at = lines.findIndex(({ key }) => key === line.key);
  if (at < 0) return [...lines, line].slice(-LINES_MAX);
  const before = lines[at]!;
  return lines.with(at, { ...before, ...line, at: before.at });
}

/** Before all that was said later. */
function inPlace(lines: readonly Line[], line: Line): readonly Line[] {
  const at = lines.findIndex((other) => other.at > line.at);
  return (at < 0 ? [...lines, line] : lines.toSpliced(at, 0, line)).slice(-LINES_MAX);
}
