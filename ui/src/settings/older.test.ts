import { describe, expect, it } from 'vitest';
import type { MigrationView } from '../api/contract';
import { destination, outcome, readPasted } from './older';

const migration = (more: Partial<MigrationView> = {}): MigrationView => ({ version: 3, saved: false, notes: [], changes: [], problems: [], ...more });
const change = { key: 'a.b', from: 1, to: 2 };
const problem = { key: 'a.c', problem: 'there is no such setting', remedy: 'Leave it out' };

describe('what was pasted', () => {
  it('is taken when it is an object', () => {
    expect(readPasted(' {"voice": {"streamWatch": {"directMaxEntries": 0}}} ')).toEqual({ document: { voice: { streamWatch: { directMaxEntries: 0 } } } });
  });
  it('is refused with what is wrong otherwise', () => {
    for (const [text, said] of [['', 'Paste'], ['{"a": ', 'not JSON'], ['[1]', 'no object'], ['null', 'no object'], ['"x"', 'no object']] as const) {
      expect(readPasted(text)).toEqual({ problem: expect.stringContaining(said) });
    }
  });
});

describe('an old key', () => {
  it('names where it went, or that it is gone', () => {
    expect(destination({ oldKey: 'x', newKeys: ['a', 'b'], remark: '' })).toBe('a, b');
    expect(destination({ oldKey: 'x', newKeys: [], remark: '' })).toBe('dropped');
  });
});

describe('the outcome', () => {
  it('says first what stands in the way', () => {
    expect(outcome(migration({ changes: [change], problems: [problem] }))).toBe('One key cannot be used here.');
    expect(outcome(migration({ problems: [problem, problem] }))).toBe('2 keys cannot be used here.');
  });
  it('tells what would change from what did', () => {
    expect(outcome(migration({ changes: [change] }))).toBe('This would change one value.');
    expect(outcome(migration({ changes: [change, change] }))).toBe('This would change 2 values.');
    expect(outcome(migration({ changes: [change], saved: true }))).toContain('one value changed');
  });
  it('admits that nothing happens', () => {
    expect(outcome(migration())).toBe('Nothing would change.');
    expect(outcome(migration({ notes: [{ oldKey: 'x', newKeys: [], remark: '' }] }))).toContain('as it is already');
    expect(outcome(migration({ saved: true }))).toContain('as it is already');
  });
});
