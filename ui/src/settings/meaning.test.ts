import { describe, expect, it } from 'vitest';
import { fits } from './meaning';
import { isBasic, knobTitle, namedKeys } from './titles';

/** Every setting with what the manual says of it. */
const [page = ''] = Object.values(import.meta.glob<string>('../../../docs/settings.md', { query: '?raw', import: 'default', eager: true }));
const manual = [...page.matchAll(/^\| `([\w.]+)` \|.*\| ([^|]+) \|$/gm)].map(([, key, doc]) => ({ key: key!, doc: doc! }));
const text = ({ key, doc }: { key: string; doc: string }) => `${knobTitle(key)} ${key} ${doc}`;
const found = (search: string) => manual.filter((knob) => fits(text(knob), search) > 0).map((knob) => knob.key);

describe('looking for a setting', () => {
  it('has the manual to look in', () => expect(manual.length).toBeGreaterThan(150));
  it.each([
    ['nickname', 'identity.aliases'],
    ['personality', 'identity.persona'],
    ['talkative', 'activity.replyLevelNonInitiative'],
    ['spam', 'activity.maxMessagesPerHour'],
    ['money', 'initiative.budget.maxDollarsPerDay'],
    ['ollama', 'llm.compatibleBaseUrl'],
    ['ban', 'permissions.replies.blockedUserIds'],
    ['privacy', 'memory.privateRoomIds'],
    ['internet', 'tools.webInReplies'],
    ['screenshare', 'voice.streamWatch.enabled'],
    ['proactive', 'initiative.text.enabled'],
    ['compress', 'context.compaction.textChannels'],
    ['gdpr', 'storage.keepMessagesDays'],
    ['summaries', 'context.compaction.summariser'],
    ['creative', 'llm.temperature'],
    ['retries', 'activity.maxRetries'],
  ])('%s leads to %s', (search, key) => expect(found(search)).toContain(key));
  it('does not find everything for anything', () => {
    for (const search of ['nickname', 'money', 'screenshare', 'ban', 'retries']) expect(found(search).length, search).toBeLessThan(manual.length / 3);
    expect(found('xyzzy')).toEqual([]);
  });
  it('needs every word, and tells its own words from others', () => {
    expect(found('nickname money')).toEqual([]);
    expect([fits('Its name', 'name'), fits('Its name', 'nickname'), fits('Its name', 'banana')]).toEqual([2, 1, 0]);
  });
});

describe('titles', () => {
  const keys = new Set(manual.map((knob) => knob.key));
  it('are of settings that there are', () => expect(namedKeys().filter((key) => !keys.has(key))).toEqual([]));
  it('are short, and no two of a section are the same', () => {
    const seen = new Map<string, string>();
    for (const { key } of manual) {
      const named = knobTitle(key);
      expect(named.length, key).toBeLessThan(54);
      const section = `${key.split('.').slice(0, -1).join('.')} ${named}`;
      expect(seen.get(section), `${key} is called as ${seen.get(section)}`).toBeUndefined();
      seen.set(section, key);
    }
  });
  it('a setting nobody named is called by its key', () => expect(knobTitle('some.thingMaxSeconds', 'seconds')).toBe('Thing max'));
  it('few are for everybody', () => expect(manual.filter(({ key }) => isBasic(key)).length).toBeLessThan(45));
  it('what a day may cost is one of them', () => expect(['spending.perDay.calls', 'spending.perDay.dollars'].filter((key) => !isBasic(key))).toEqual([]));
});
