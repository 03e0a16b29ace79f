import { describe, expect, it } from 'vitest';
import type { LiveEvent, StoredMessage } from '../api/contract';
import { rows } from './rows';
import { afterEvents, afterSilence, emptyTimeline, MESSAGES_MAX, merged, TYPING_BELIEVED_MS, type Timeline } from './timeline';

const DENIZEN = 'local:denizen';
function message(seq: number, more: Partial<StoredMessage> = {}): StoredMessage {
  return { seq, id: `m${seq}`, room: 'lounge', author: { id: 'local:alice', name: 'Alice', kind: 'person' }, text: `text ${seq}`, at: seq * 1_000, ...more };
}
function after(events: LiveEvent[], from: Timeline = emptyTimeline('lounge'), now = 1_000): Timeline {
  const together = afterEvents(from, events, now, DENIZEN);
  // Whether they come one by one or at once makes no difference.
  expect(events.reduce((timeline, event) => afterEvents(timeline, [event], now, DENIZEN), from)).toEqual(together);
  return together;
}
const byDenizen = { author: { id: DENIZEN, name: 'Denizen', kind: 'denizen' as const } };

describe('the room', () => {
  it('takes a message once, however often it arrives', () => {
    const timeline = after([{ type: 'message', message: message(1) }, { type: 'message', message: message(1, { text: 'the same, seen again' }) }]);
    expect(timeline.messages.map((one) => one.text)).toEqual(['the same, seen again']);
  });
  it('keeps messages in their places when they arrive out of order', () => {
    const timeline = after([3, 1, 2].map((seq) => ({ type: 'message', message: message(seq) })));
    expect(timeline.messages.map((one) => one.id)).toEqual(['m1', 'm2', 'm3']);
  });
  it('puts a message that does not know its place yet last', () => {
    const { seq: _, ...placeless } = message(9);
    expect(merged([message(4)], [placeless as StoredMessage, message(5)]).map((one) => one.id)).toEqual(['m4', 'm5', 'm9']);
  });
  it('ignores what happens in other rooms, without a new state', () => {
    const before = after([{ type: 'message', message: message(1) }]);
    const elsewhere: LiveEvent[] = [
      { type: 'message', message: message(2, { room: 'kitchen' }) },
      { type: 'message_edited', room: 'kitchen', id: 'm1', text: 'no' },
      { type: 'message_deleted', room: 'kitchen', id: 'm1' },
      { type: 'reactions', room: 'kitchen', id: 'm1', reactions: [] },
      { type: 'typing', room: 'kitchen', person: 'p', name: 'P', typing: true },
      { type: 'draft', room: 'kitchen', turn: 1, text: 'x' },
    ];
    expect(after(elsewhere, before)).toBe(before);
  });
  it('shows reactions as they stand, and forgets those that were taken back', () => {
    const reactions = [{ emoji: '👍', people: ['local:bob'] }];
    const reacted = after([{ type: 'message', message: message(1) }, { type: 'reactions', room: 'lounge', id: 'm1', reactions }]);
    expect(reacted.messages[0]?.reactions).toEqual(reactions);
    expect(after([{ type: 'reactions', room: 'lounge', id: 'm1', reactions: [] }], reacted).messages[0]?.reactions).toEqual([]);
  });
  it('marks an edit and removes a deletion', () => {
    const both = after([{ type: 'message', message: message(1) }, { type: 'message', message: message(2) }]);
    const timeline = after([{ type: 'message_edited', room: 'lounge', id: 'm1', text: 'better' }, { type: 'message_deleted', room: 'lounge', id: 'm2' }], both, 7_000);
    expect(timeline.messages).toEqual([message(1, { text: 'better', editedAt: 7_000 })]);
  });
  it('holds no more than it should', () => {
    const timeline = after(Array.from({ length: MESSAGES_MAX + 5 }, (_, index) => ({ type: 'message', message: message(index + 1) })));
    expect(timeline.messages).toHaveLength(MESSAGES_MAX);
    expect(timeline.messages[0]?.id).toBe('m6');
  });
});

describe('a burst', () => {
  /** How often the place of a message was looked at while so many came at once. */
  function looks(many: number): number {
    let seen = 0;
    const counted = (seq: number) => Object.defineProperty(message(seq), 'seq', { get: () => (seen++, seq), enumerable: true });
    afterEvents(emptyTimeline('lounge'), Array.from({ length: many }, (_, index): LiveEvent => ({ type: 'message', message: counted(index + 1) })), 0, DENIZEN);
    return seen;
  }
  it('takes work that grows with its messages and not with their square', () => {
    expect(looks(500)).toBeLessThan(500 * 20);
    expect(looks(4_000)).toBeLessThan(9 * looks(500));
  });
  it('keeps what is edited, deleted and reacted to in the midst of it', () => {
    const timeline = after([
      { type: 'message', message: message(1) },
      { type: 'message_edited', room: 'lounge', id: 'm1', text: 'better' },
      { type: 'message', message: message(2) },
      { type: 'message_deleted', room: 'lounge', id: 'm2' },
      { type: 'message', message: message(3) },
      { type: 'reactions', room: 'lounge', id: 'm3', reactions: [{ emoji: '👍', people: ['p'] }] },
    ]);
    expect(timeline.messages.map(({ id, text, reactions }) => [id, text, reactions?.length])).toEqual([['m1', 'better', undefined], ['m3', 'text 3', 1]]);
  });
  it('believes whoever types again after writing', () => {
    const typing: LiveEvent = { type: 'typing', room: 'lounge', person: 'local:alice', name: 'Alice', typing: true };
    expect(after([typing, { type: 'message', message: message(1) }, typing]).typing).toHaveLength(1);
  });
});

describe('a draft', () => {
  const drafted = after([{ type: 'draft', room: 'lounge', turn: 5, text: 'He' }, { type: 'draft', room: 'lounge', turn: 5, text: 'Hello' }]);
  it('grows in place', () => {
    expect(drafted.drafts).toEqual([{ turn: 5, text: 'Hello' }]);
  });
  it('gives way to its message in the same step', () => {
    const done = after([{ type: 'message', message: message(2, { ...byDenizen, turn: 5 }) }], drafted);
    expect(done.drafts).toEqual([]);
    expect(done.messages).toHaveLength(1);
  });
  it('stays when somebody else says something meanwhile', () => {
    expect(after([{ type: 'message', message: message(2) }], drafted).drafts).toHaveLength(1);
  });
  it('goes when it is dropped', () => {
    expect(after([{ type: 'draft_dropped', room: 'lounge', turn: 5 }], drafted).drafts).toEqual([]);
  });
});

describe('typing', () => {
  const typing = (person: string, on: boolean): LiveEvent => ({ type: 'typing', room: 'lounge', person, name: person, typing: on });
  it('is forgotten after a while without news, but Denizen may think for long', () => {
    const both = after([typing('local:bob', true), typing(DENIZEN, true)], undefined, 1_000);
    expect(afterSilence(both, 1_000 + TYPING_BELIEVED_MS).typing.map((typist) => typist.person)).toEqual([DENIZEN]);
  });
  it('ends with the message it led to', () => {
    expect(after([typing('local:alice', true), { type: 'message', message: message(1) }]).typing).toEqual([]);
  });
});

describe('the layout', () => {
  it('marks where what has not been read begins, once', () => {
    const places = (after: number) => rows([1, 2, 3].map((seq) => message(seq)), after).map((row) => (row.kind === 'message' ? row.message.id : row.kind));
    expect(places(1)).toEqual(['day', 'm1', 'unread', 'm2', 'm3']);
    expect(places(0)).toEqual(['day', 'm1', 'm2', 'm3']);
    expect(places(3)).toEqual(['day', 'm1', 'm2', 'm3']);
  });
  it('groups a run by one author, and starts anew after a pause, another author, a reply or midnight', () => {
    const noon = new Date(2026, 0, 2, 12).getTime();
    const minute = 60_000;
    const bob = { id: 'local:bob', name: 'Bob', kind: 'person' as const };
    const laid = rows([
      message(1, { at: noon - 13 * 60 * minute }),
      message(2, { at: noon }),
      message(3, { at: noon + minute }),
      message(4, { at: noon + 2 * minute, author: bob }),
      message(5, { at: noon + 9 * minute, author: bob }),
      message(6, { at: noon + 9 * minute, author: bob, replyTo: 'm1' }),
    ]);
    expect(laid.map((row) => (row.kind !== 'message' ? row.kind : `${row.message.id}${row.heads ? ' heads' : ''}`))).toEqual([
      'day', 'm1 heads', 'day', 'm2 heads', 'm3', 'm4 heads', 'm5 heads', 'm6 heads',
    ]);
  });
});
