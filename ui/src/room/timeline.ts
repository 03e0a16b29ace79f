// The room's state and how each live event changes it: pure, so that it can be tested without a browser.
import type { LiveEvent, StoredMessage } from '../api/contract';

export interface Typist {
  person: string;
  name: string;
  until: number;
}

export interface Timeline {
  room: string;
  /** Oldest first, each id once. */
  messages: StoredMessage[];
  /** What Denizen is writing, by turn. */
  drafts: { turn: number; text: string }[];
  typing: Typist[];
}

/** Somebody who said "typing" and then nothing: for how long that is believed. */
export const TYPING_BELIEVED_MS = 8_000;
/** Denizen may think for long; it always says when it stops. */
export const DENIZEN_TYPING_BELIEVED_MS = 180_000;
/** More than this is not kept in the page; older messages are loaded again when scrolled to. */
export const MESSAGES_MAX = 800;
const DRAFT_CHARS_MAX = 64_000;

export function emptyTimeline(room: string): Timeline {
  return { room, messages: [], drafts: [], typing: [] };
}

/** The room after some live events; the same object when nothing changed. Messages take their places together. */
export function afterEvents(timeline: Timeline, events: readonly LiveEvent[], now: number, denizen: string, most = MESSAGES_MAX): Timeline {
  let next = timeline;
  let fresh: StoredMessage[] = [];
  const land = () => {
    if (fresh.length) next = { ...next, messages: merged(next.messages, fresh).slice(-most) };
    fresh = [];
  };
  for (const event of events) {
    if (event.type === 'message') {
      if (event.message.room !== timeline.room) continue;
      fresh.push(event.message);
      next = afterWriting(next, event.message);
    } else {
      // These may be about a message that has only just come.
      if (event.type === 'message_edited' || event.type === 'message_deleted' || event.type === 'reactions') land();
      next = afterEvent(next, event, now, denizen);
    }
  }
  land();
  return next;
}

function afterEvent(timeline: Timeline, event: LiveEvent, now: number, denizen: string): Timeline {
  switch (event.type) {
    case 'message_edited':
      return changed(timeline, event.room, event.id, (message) => ({ ...message, text: event.text, editedAt: now }));
    case 'message_deleted':
      return changed(timeline, event.room, event.id, () => null);
    case 'reactions':
      return changed(timeline, event.room, event.id, (message) => ({ ...message, reactions: event.reactions }));
    case 'typing':
      return event.room === timeline.room ? afterTyping(timeline, event, now, denizen) : timeline;
    case 'draft':
      if (event.room !== timeline.room) return timeline;
      return {
        ...timeline,
        drafts: [...withoutTurn(timeline, event.turn), { turn: event.turn, text: event.text.slice(0, DRAFT_CHARS_MAX) }],
      };
    case 'draft_dropped':
      return event.room === timeline.room ? { ...timeline, drafts: withoutTurn(timeline, event.turn) } : timeline;
    default:
      return timeline;
  }
}

/** Whoever has written no longer writes. */
function afterWriting(timeline: Timeline, message: StoredMessage): Timeline {
  if (timeline.typing.length === 0 && timeline.drafts.length === 0) return timeline;
  return {
    ...timeline,
    // The message takes the place of the draft in the same breath, so that nothing flickers.
    drafts: message.turn === undefined ? timeline.drafts : withoutTurn(timeline, message.turn),
    typing: timeline.typing.filter((typist) => typist.person !== message.author.id),
  };
}

function afterTyping(
  timeline: Timeline,
  event: { person: string; name: string; typing: boolean },
  now: number,
  denizen: string,
): Timeline {
  const others = timeline.typing.filter((typist) => typist.person !== event.person);
  if (!event.typing) return others.length === timeline.typing.length ? timeline : { ...timeline, typing: others };
  const believed = event.person === denizen ? DENIZEN_TYPING_BELIEVED_MS : TYPING_BELIEVED_MS;
  return { ...timeline, typing: [...others, { person: event.person, name: event.name, until: now + believed }] };
}

/** Forgets typists who have not been heard of for too long. */
export function afterSilence(timeline: Timeline, now: number): Timeline {
  const typing = timeline.typing.filter((typist) => typist.until > now);
  return typing.length === timeline.typing.length ? timeline : { ...timeline, typing };
}

function withoutTurn(timeline: Timeline, turn: number): Timeline['drafts'] {
  return timeline.drafts.filter((draft) => draft.turn !== turn);
}

function changed(
  timeline: Timeline,
  room: string,
  id: string,
  change: (message: StoredMessage) => StoredMessage | null,
): Timeline {
  if (room !== timeline.room || !timeline.messages.some((message) => message.id === id)) return timeline;
  const messages = timeline.messages.flatMap((message) => {
    if (message.id !== id) return [message];
    const next = change(message);
    return next ? [next] : [];
  });
  return { ...timeline, messages };
}

/** Messages of both lists, each id once (the later list wins), by their place in the room. */
export function merged(kept: StoredMessage[], fresh: StoredMessage[]): StoredMessage[] {
  // Nearly always: one that is newer than all the others.
  const newest = kept.at(-1);
  if (fresh.length === 1 && newest?.seq !== undefined && fresh[0]!.seq > newest.seq) return [...kept, fresh[0]!];
  const byId = new Map(kept.map((message) => [message.id, message]));
  for (const message of fresh) byId.set(message.id, message);
  return [...byId.values()].sort((left, right) => place(left) - place(right) || left.at - right.at);
}

/** A message that was just accepted may not know its place yet: then it is the newest. */
function place(message: StoredMessage): number {
  return message.seq ?? Number.MAX_SAFE_INTEGER;
}
