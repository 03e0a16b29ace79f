import { describe, expect, it } from 'vitest';
import type { JournalEntry, StoredMessage } from '../api/contract';
import { afterJournal, afterSilence, afterSpeech, LINES_MAX, PARTIAL_BELIEVED_MS, withMessages, type Line, type VoiceEvent } from './transcript';

const iris = { id: 'local:denizen', name: 'Iris' };
const said = (person: string, text: string, id: string, final = true): VoiceEvent => ({ type: 'voice_transcript', room: 'lounge', id, person: `local:${person.toLowerCase()}`, name: person, text, final });
const saying = (delivery: string, text: string, heard?: string): VoiceEvent => ({ type: 'voice_saying', room: 'lounge', delivery, text, ...(heard === undefined ? {} : { heard }) });
const after = (events: VoiceEvent[], lines: readonly Line[] = []) => events.reduce((all, event, at) => afterSpeech(all, event, iris, 1_000 * at), lines);
const shown = (lines: readonly Line[]) => lines.map(({ name, text, state }) => `${name}, ${state}: ${text}`);
const message = (id: string, name: string, text: string, more: Partial<StoredMessage> = {}): StoredMessage => ({ seq: 1, id, room: 'lounge', author: { id: name === 'Iris' ? iris.id : `local:${name.toLowerCase()}`, name, kind: name === 'Iris' ? 'denizen' : 'person' }, text, at: 500, spoken: true, ...more }) as StoredMessage;
const missed = (person: string, reason: string) => ({ seq: 7, name: 'voice_utterance_missed', wall: 9_000, data: { person, reason } }) as unknown as JournalEntry;

describe('what people say', () => {
  it('grows while it is spoken, and becomes what was said', () => {
    const lines = after([said('Ada', 'what', 'p1', false), said('Ada', 'what did Bob', 'p1', false)]);
    expect(shown(lines)).toEqual(['Ada, partial: what did Bob']);
    expect(shown(after([said('Ada', 'What did Bob say?', 'm1')], lines))).toEqual(['Ada, said: What did Bob say?']);
  });
  it('is not lost when the next is begun before it was understood', () => {
    const lines = after([said('Ada', 'one', 'm1', false), said('Ada', 'and', 'm2', false), said('Ada', 'One.', 'm1')]);
    expect(shown(lines)).toEqual(['Ada, said: One.', 'Ada, partial: and']);
    expect(shown(afterJournal(lines, missed('local:ada', 'too_short'), () => 'Ada'))).toEqual(['Ada, said: One.']);
  });
  it('of two at once stays under their own names', () => {
    const lines = after([said('Ada', 'one', 'p1', false), said('Bob', 'two', 'p2', false), said('Ada', 'one more', 'p1', false), said('Bob', 'Two.', 'm2')]);
    expect(shown(lines)).toEqual(['Ada, partial: one more', 'Bob, said: Two.']);
  });
  it('is let go of when nobody finishes it', () => {
    const lines = after([said('Ada', 'uh', 'p1', false), said('Bob', 'Two.', 'm2')]);
    expect(afterSilence(lines, PARTIAL_BELIEVED_MS)).toBe(lines);
    expect(shown(afterSilence(lines, PARTIAL_BELIEVED_MS + 1))).toEqual(['Bob, said: Two.']);
  });
  it('that comes to nothing says why, unless it was mere noise', () => {
    const lines = after([said('Ada', 'uh', 'p1', false)]);
    expect(shown(afterJournal(lines, missed('local:ada', 'no_ears'), () => 'Ada'))).toEqual(['Ada, missed: there are no ears to understand it']);
    expect(shown(afterJournal(lines, missed('local:ada', 'given_up'), () => 'Ada'))).toEqual(['Ada, missed: Denizen left before it was understood']);
    expect(shown(afterJournal(lines, missed('local:ada', 'too_short'), () => 'Ada'))).toEqual([]);
  });
  it('is kept in part only', () => expect(after(Array.from({ length: LINES_MAX + 5 }, (_, at) => said('Ada', `${at}`, `m${at}`))).map(({ text }) => text)).toEqual(Array.from({ length: LINES_MAX }, (_, at) => `${at + 5}`)));
});

describe('what Denizen says', () => {
  it('stands there sentence by sentence as it is spoken', () => {
    const lines = after([saying('d1', 'At nine.'), saying('d1', 'At nine. Or ten.')]);
    expect(shown(lines)).toEqual(['Iris, speaking: At nine. Or ten.']);
    const over = after([saying('d1', 'At nine. Or ten.', 'At nine. Or ten.')], lines);
    expect(over[0]).toMatchObject({ state: 'said', own: true });
    expect(over[0]?.heard).toBeUndefined();
  });
  it('and what was heard of it where somebody spoke over it', () => expect(after([saying('d1', 'At nine. Or ten.', 'At nine.')])[0]).toMatchObject({ state: 'said', text: 'At nine. Or ten.', heard: 'At nine.' }));
});

describe('what was written down', () => {
  it('belongs to the line that it was', () => {
    const lines = after([said('Ada', 'Hi.', 'm1'), saying('d1', 'Hello there.', 'Hello th')]);
    const joined = withMessages(lines, [message('m1', 'Ada', 'Hi.'), message('m2', 'Iris', 'Hello')]);
    expect(joined.map(({ key, message: id }) => [key, id])).toEqual([['m1', 'm1'], ['d1', 'm2']]);
    // A word that was cut was not heard.
    expect(joined[1]?.heard).toBe('Hello');
    expect(withMessages(joined, [message('m2', 'Iris', 'Hello')])).toBe(joined);
  });
  it('is what was said, even where the feed did not say so', () => expect(shown(withMessages(after([said('Ada', 'wha', 'm1', false)]), [message('m1', 'Ada', 'What?')]))).toEqual(['Ada, said: What?']));
  it('earlier comes before, and what was typed is not speech', () => {
    const lines = after([said('Ada', 'Hi.', 'm1')]).map((line) => ({ ...line, at: 900 }));
    expect(shown(withMessages(lines, [message('m0', 'Bob', 'Before.', { at: 100 }), message('m3', 'Bob', 'typed', { spoken: false })]))).toEqual(['Bob, said: Before.', 'Ada, said: Hi.']);
  });
});
