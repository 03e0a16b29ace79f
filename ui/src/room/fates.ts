// What became of each message, read from journal lines as they come: answered, passed over, waiting or failed.
import type { JournalEntry, StoredMessage } from '../api/contract';

export type Fate = 'waiting' | 'answered' | 'silent' | 'failed';

export interface Fates {
  byMessage: Map<string, Fate>;
  /** Which messages a turn answers. */
  byTurn: Map<number, string[]>;
  /** Messages of Denizen's own accord. */
  unasked: Set<string>;
  /** The newest journal line read. */
  seq: number;
}

const KEPT_MAX = 4_000;
/** Reasons of `reply_skipped` that mean something went wrong, rather than that silence was right. */
const FAILURES = new Set(['model_failed', 'send_failed', 'queue_full']);

export function noFates(): Fates {
  return { byMessage: new Map(), byTurn: new Map(), unasked: new Set(), seq: 0 };
}

/** The fates after some journal lines, in the order they were written. Lines that were read before change nothing. */
export function afterJournal(fates: Fates, entries: JournalEntry[]): Fates {
  const fresh = entries.filter((entry) => entry.seq > fates.seq);
  if (fresh.length === 0) return fates;
  const next: Fates = { byMessage: new Map(fates.byMessage), byTurn: new Map(fates.byTurn), unasked: new Set(fates.unasked), seq: fates.seq };
  for (const entry of fresh) {
    read(next, entry);
    next.seq = entry.seq;
  }
  forgetOldest(next.byMessage);
  forgetOldest(next.byTurn);
  forgetOldest(next.unasked);
  return next;
}

function read(fates: Fates, entry: JournalEntry): void {
  const set = (fate: Fate, messages: string[]) => {
    // An answer is final: a later part, or a late skip of the same turn, does not take it back.
    for (const id of messages) if (fates.byMessage.get(id) !== 'answered') fates.byMessage.set(id, fate);
  };
  const about = entry.messages ?? [];
  const turn = entry.turn;
  switch (entry.name) {
    case 'text_message_received':
    case 'text_message_queued':
      return set('waiting', about);
    case 'text_message_ignored':
      return set('silent', about);
    case 'text_turn_opened':
    case 'text_turn_extended': {
      const triggers = texts(entry.data['triggerMessageIds']) ?? about;
      if (turn !== undefined) fates.byTurn.set(turn, union(fates.byTurn.get(turn), triggers));
      return set('waiting', triggers);
    }
    case 'reply_skipped':
      return set(FAILURES.has(String(entry.data['reason'])) ? 'failed' : 'silent', concerned(fates, about, turn));
    case 'sent_reply':
    case 'sent_message':
      return set('answered', union(texts(entry.data['triggerMessageIds']), concerned(fates, [], turn)));
    case 'initiative_post':
      for (const id of union(texts(entry.data['messages']), [...about, entry.data['message']].filter((id) => typeof id === 'string'))) fates.unasked.add(id);
      return;
    case 'text_turn_ended': {
      const outcome = entry.data['outcome'];
      const fate = outcome === 'sent' ? 'answered' : outcome === 'failed' ? 'failed' : 'silent';
      return set(fate, concerned(fates, about, turn));
    }
  }
}

function concerned(fates: Fates, about: string[], turn: number | undefined): string[] {
  return union(about, turn === undefined ? [] : fates.byTurn.get(turn));
}

function union(left: string[] | undefined, right: string[] | undefined): string[] {
  return [...new Set([...(left ?? []), ...(right ?? [])])];
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined;
}

function forgetOldest<K>(kept: { size: number; keys(): Iterable<K>; delete(key: K): boolean }): void {
  for (const key of kept.keys()) {
    if (kept.size <= KEPT_MAX) return;
    kept.delete(key);
  }
}

/** Messages that Denizen's own messages thread to; what is known when the journal no longer reaches back. */
export function repliedTo(messages: StoredMessage[]): Set<string> {
  return new Set(messages.flatMap((message) => (message.author.kind === 'denizen' && message.replyTo ? [message.replyTo] : [])));
}
