import { describe, expect, it } from 'vitest';
import type { JournalName } from '../api/contract';
import { fits, gist, joined } from '../journal/lines';
import { bytes, cost, initials, offset, purpose, span, title } from './format';

describe('formatting', () => {
  it.each([[0, '0 ms'], [999, '999 ms'], [1_240, '1.2 s'], [59_949, '59.9 s'], [59_950, '1 min'], [125_000, '2 min 5 s'], [3_600_000, '1 h'], [12_000_000, '3 h 20 min']])('a span of %i ms is %s', (milliseconds, wanted) => expect(span(milliseconds)).toBe(wanted));
  it('an offset has a sign', () => expect([offset(1_500), offset(-20)]).toEqual(['+1.5 s', '−20 ms']));
  it.each([[812, '812 B'], [4_210, '4.2 kB'], [51_000, '51 kB'], [999_600, '1.0 MB']])('%i bytes are %s', (size, wanted) => expect(bytes(size)).toBe(wanted));
  it.each([[null, '—'], [undefined, '—'], [0, '$0'], [12, '$0.000012'], [1_840, '$0.0018'], [2_500_000, '$2.50']])('a cost of %s is %s', (price, wanted) => expect(cost(price)).toBe(wanted));
  it('a title is the end of the key in words, without the unit that stands beside it', () => {
    expect(title('activity.replySettleSeconds', 'seconds')).toBe('Reply settle');
    expect(title('memory.maxRecentMessages', 'messages')).toBe('Max recent messages');
    expect(title('activity.minSecondsBetweenMessages', 'seconds')).toBe('Min seconds between messages');
    expect(title('permissions.replies.allowedChannelIds')).toBe('Allowed channel IDs');
    expect(title('llm.compatibleBaseUrl')).toBe('Compatible base URL');
    expect(title('initiative.discovery.freshnessHours', 'hours')).toBe('Freshness');
    expect([title('initiative.discovery.rssFeeds'), title('initiative.discovery.sources.hackerNews'), title('initiative.discovery.youtubeChannelIds'), title('initiative.discovery.maxGifsPerDay')]).toEqual(['RSS feeds', 'Hacker News', 'YouTube channel IDs', 'Max GIFs per day']);
  });
  it('a call says what it was for', () => expect([purpose('context_compaction'), purpose('ambient_thought'), purpose('text_reply')]).toEqual(['running summary', 'thought of its own', 'text reply']));
  it('initials stand for a name of any script', () => expect([initials('alice'), initials('Ada de Vries'), initials('🦊 Fox')]).toEqual(['A', 'AV', '🦊F']));
});

describe('journal lines', () => {
  const entry = (seq: number, name: JournalName, data: Record<string, unknown> = {}) => ({ seq, moment: 0, wall: 0, community: 'local', room: 'lounge', name, data });
  it('are joined newest first, each once', () => {
    expect(joined([entry(3, 'sent_reply'), entry(1, 'sent_reply')], [entry(2, 'sent_reply'), entry(3, 'sent_reply')]).map((line) => line.seq)).toEqual([3, 2, 1]);
  });
  it('fit when every word is somewhere in them', () => {
    const line = entry(1, 'reply_skipped', { reason: 'hourly_cap' });
    expect(fits(line, { name: '', room: '', text: 'skipped HOURLY' })).toBe(true);
    expect(fits(line, { name: '', room: '', text: 'skipped sent' })).toBe(false);
    expect(fits({ ...line, turn: 12 }, { name: '', room: '', text: 'turn:12 skipped' })).toBe(true);
    expect(fits({ ...line, turn: 120 }, { name: '', room: '', text: 'turn:12' })).toBe(false);
    expect(fits(line, { name: 'sent_reply', room: '', text: '' })).toBe(false);
    expect(fits(line, { name: '', room: 'kitchen', text: '' })).toBe(false);
  });
  it('leave out what is empty and keep a zero and a no', () => {
    expect(gist({ a: 0, b: false, c: null, d: '', e: [], f: ['x', 'y'] })).toEqual([{ key: 'a', value: '0' }, { key: 'b', value: 'false' }, { key: 'f', value: 'x, y' }]);
  });
});
