import { expect, it } from 'vitest';
import type { JournalEntry } from '../api/contract';
import { afterJournal, noFates } from './fates';

let seq = 0;
function line(name: string, more: Partial<JournalEntry> = {}): JournalEntry {
  seq += 1;
  return { seq, moment: seq, wall: seq, community: 'local', room: 'lounge', name, data: {}, ...more };
}
const fatesAfter = (entries: JournalEntry[]) => Object.fromEntries(afterJournal(noFates(), entries).byMessage);

it('a message that was heard waits until something is decided', () => {
  expect(fatesAfter([line('text_message_received', { messages: ['a'] })])).toEqual({ a: 'waiting' });
});
it('a message the gate turned away was passed over', () => {
  const entries = [line('text_message_received', { messages: ['a'] }), line('reply_skipped', { messages: ['a'], data: { reason: 'not_admitted' } })];
  expect(fatesAfter(entries)).toEqual({ a: 'silent' });
});
it('a model that could not be had is a failure, not a choice', () => {
  const entries = [line('text_turn_opened', { turn: 1, data: { triggerMessageIds: ['a'] } }), line('reply_skipped', { turn: 1, data: { reason: 'model_failed' } })];
  expect(fatesAfter(entries)).toEqual({ a: 'failed' });
});
it('one reply answers every message of the burst, those that joined late too', () => {
  const entries = [
    line('text_turn_opened', { turn: 1, data: { triggerMessageIds: ['a', 'b'] } }),
    line('text_turn_extended', { turn: 1, data: { triggerMessageIds: ['c'] } }),
    line('sent_message', { turn: 1, data: { triggerMessageIds: ['a', 'b'] } }),
  ];
  expect(fatesAfter(entries)).toEqual({ a: 'answered', b: 'answered', c: 'answered' });
});
it('an answer is not taken back by what follows it', () => {
  const entries = [
    line('sent_reply', { turn: 1, messages: ['a'], data: { triggerMessageIds: ['a'] } }),
    line('text_turn_ended', { turn: 1, messages: ['a'], data: { outcome: 'failed' } }),
  ];
  expect(fatesAfter(entries)).toEqual({ a: 'answered' });
});
it('lines that were read before change nothing', () => {
  const heard = line('text_message_received', { messages: ['a'] });
  const skipped = line('reply_skipped', { messages: ['a'], data: { reason: 'llm_skip' } });
  const once = afterJournal(noFates(), [heard, skipped]);
  expect(afterJournal(once, [heard])).toBe(once);
});
it('a post of its own accord is known by the line about it', () => {
  const fates = afterJournal(noFates(), [line('initiative_post', { messages: ['p1'], data: { messages: ['p1', 'p2'] } }), line('sent_message', { turn: 3, data: { triggerMessageIds: ['a'] } })]);
  expect([...fates.unasked]).toEqual(['p1', 'p2']);
});
