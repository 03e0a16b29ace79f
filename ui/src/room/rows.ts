// How a list of messages is laid out: day separators, and runs by one author that share a heading.
import type { StoredMessage } from '../api/contract';

export type Row =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'unread'; key: string }
  | { kind: 'message'; key: string; message: StoredMessage; heads: boolean };

/** A pause after which the same author gets a new heading. */
const RUN_PAUSE_MS = 5 * 60_000;

/** `unreadAfter`: what stands behind this place has not been read; 0 where all has. */
export function rows(messages: StoredMessage[], unreadAfter = 0): Row[] {
  const laid: Row[] = [];
  let before: StoredMessage | undefined;
  let marked = unreadAfter === 0;
  for (const message of messages) {
    const newDay = !before || dayOf(before.at) !== dayOf(message.at);
    if (newDay) laid.push({ kind: 'day', key: `day ${dayOf(message.at)} ${message.id}`, at: message.at });
    const unread = !marked && message.seq > unreadAfter;
    if (unread) {
      marked = true;
      laid.push({ kind: 'unread', key: 'unread' });
    }
    const heads =
      newDay ||
      unread ||
      !before ||
      before.author.id !== message.author.id ||
      message.at - before.at > RUN_PAUSE_MS ||
      message.replyTo !== undefined;
    laid.push({ kind: 'message', key: message.id, message, heads });
    before = message;
  }
  return laid;
}

/** The local calendar day. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}
