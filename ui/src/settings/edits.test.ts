import { describe, expect, it } from 'vitest';
import type { KnobValue, KnobView, SettingsView } from '../api/contract';
import { accepted, changes, groups, origin, rebased, wanted, withEdit } from './edits';

function knob(key: string, value: KnobValue, more: Partial<KnobView> = {}): KnobView {
  return { key, section: key.split('.')[0]!, sectionDoc: 'about it', doc: `what ${key} does`, default: 6, limits: { type: 'whole', min: 0, max: 20 }, unit: 'seconds', former: [], value, source: 'base', setHere: true, inherited: 6, ofTheProcess: false, ...more };
}
const document = (version: number, ...knobs: KnobView[]): SettingsView => ({ version, layer: 'base', knobs });

describe('an edit', () => {
  it('is none when it leads back to what is saved', () => {
    const it6 = knob('a.b', 6);
    expect(withEdit(withEdit({}, it6, 7), it6, 6)).toEqual({});
  });
  it('to the default is sent as a reset, and shown as the default', () => {
    const it9 = knob('a.b', 9);
    const edits = withEdit({}, it9, null);
    expect(changes(edits)).toEqual({ 'a.b': null });
    expect(wanted(it9, edits)).toBe(6);
  });
  it('back to the base shows what the base has, and is none where nothing is set here', () => {
    const own = knob('a.b', 9, { source: 'community', inherited: 8 });
    expect(wanted(own, withEdit({}, own, null))).toBe(8);
    expect(withEdit({}, knob('a.b', 8, { source: 'base', setHere: false, inherited: 8 }), null)).toEqual({});
  });
  it('keeps an explicit 0', () => {
    expect(changes(withEdit({}, knob('a.b', 6), 0))).toEqual({ 'a.b': 0 });
  });
});

describe('a newer document under unsaved edits', () => {
  const edits = withEdit(withEdit({}, knob('a.b', 6), 7), knob('a.c', 1), 2);
  it('leaves edits alone when other knobs changed', () => {
    expect(rebased(edits, document(2, knob('a.b', 6), knob('a.c', 1), knob('a.d', 5)))).toEqual(edits);
  });
  it('marks an edit that somebody else contradicts, and still holds both values', () => {
    const next = rebased(edits, document(2, knob('a.b', 9), knob('a.c', 1)));
    expect(next['a.b']).toEqual({ value: 7, base: 6, contested: true });
    expect(next['a.c']?.contested).toBe(false);
  });
  it('drops an edit that somebody else made true', () => {
    expect(Object.keys(rebased(edits, document(2, knob('a.b', 7), knob('a.c', 1))))).toEqual(['a.c']);
  });
  it('stays marked until the person has looked', () => {
    const newest = document(3, knob('a.b', 9), knob('a.c', 1));
    const twice = rebased(rebased(edits, newest), newest);
    expect(twice['a.b']?.contested).toBe(true);
    expect(accepted(twice, newest)['a.b']).toEqual({ value: 7, base: 9, contested: false });
  });
});

it('the search looks at keys, help and former names, all words at once', () => {
  const all = document(1, knob('activity.window', 1, { doc: 'Messages share one reply' }), knob('llm.model', 'x', { former: ['llmModelName'] }));
  const keys = (search: string) => groups(all, search).flatMap((group) => group.knobs.map((one) => one.key));
  expect(keys('SHARE reply')).toEqual(['activity.window']);
  expect(keys('modelname')).toEqual(['llm.model']);
  expect(keys('share model')).toEqual([]);
  expect(keys('')).toHaveLength(2);
});

it.each([
  ['default', 'community', undefined],
  ['base', 'community', 'from the base'],
  ['community', 'community', 'set here'],
  ['base', 'base', 'set here'],
  ['community', 'base', 'set for this community alone'],
] as const)('a value of the %s is marked on a page of the %s', (source, layer, mark) => {
  expect(origin(knob('a.b', 9, { source }), layer)?.mark).toBe(mark);
});
