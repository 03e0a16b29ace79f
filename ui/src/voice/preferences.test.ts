import { expect, it } from 'vitest';
import { DEFAULTS, keep, keepPlace, placeOf, recalled } from './preferences';

function store(): Storage & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return { kept, getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value), removeItem: (key: string) => void kept.delete(key) } as unknown as Storage & { kept: Map<string, string> };
}

it('how somebody likes to talk comes back as it was', () => {
  const kept = store();
  expect(recalled(kept)).toEqual(DEFAULTS);
  const mine = { mode: 'push' as const, key: 'F8', input: 'headset', output: 'desk', volume: 0.4 };
  keep(kept, mine);
  expect(recalled(kept)).toEqual(mine);
});

it.each(['', 'null', '[', '7', '{"mode":"loud","volume":40,"key":"","input":3}'])('what is senseless in %j is as by default', (text) => {
  const kept = store();
  kept.kept.set('denizen.voice', text);
  expect(recalled(kept)).toEqual(DEFAULTS);
});

it('a tab knows where it talked, and that it was muted and not listened to', () => {
  const kept = store();
  expect(placeOf(kept)).toBeNull();
  const place = { room: 'lounge', author: 'Ada', community: '', muted: true, unheard: true, silent: false };
  keepPlace(kept, place);
  expect(placeOf(kept)).toEqual(place);
  keepPlace(kept, null);
  expect(placeOf(kept)).toBeNull();
});
