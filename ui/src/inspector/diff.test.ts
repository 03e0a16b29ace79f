import { describe, expect, it } from 'vitest';
import type { SectionReport } from '../api/contract';
import { compared } from './compared';
import { counts, diffLines, folded } from './diff';

const signs = { same: ' ', added: '+', removed: '-' };
const drawn = (before: string, after: string) => diffLines(before, after).map((line) => signs[line.kind] + line.text);

describe('the line diff', () => {
  it('says nothing changed when nothing did', () => {
    expect(drawn('a\nb', 'a\nb')).toEqual([' a', ' b']);
  });
  it('shows a window that moved on as lines lost at the top and gained at the bottom', () => {
    expect(drawn('one\ntwo\nthree', 'two\nthree\nfour')).toEqual(['-one', ' two', ' three', '+four']);
  });
  it('keeps what is common in the middle of a rewrite', () => {
    expect(drawn('head\nold\nkeep\nold too\nend', 'head\nnew\nkeep\nend')).toEqual([' head', '-old', '+new', ' keep', '-old too', ' end']);
  });
  it('treats an empty text as no lines rather than one empty line', () => {
    expect(drawn('', 'a')).toEqual(['+a']);
    expect(drawn('a', '')).toEqual(['-a']);
    expect(drawn('', '')).toEqual([]);
  });
  it('turns the one text into the other when the removed and added lines are applied, whatever the texts', () => {
    let seed = 1;
    const roll = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 300; round++) {
      const text = () => Array.from({ length: roll(9) }, () => 'abcd'[roll(4)]).join('\n');
      const [before, after] = [text(), text()];
      const diff = diffLines(before, after);
      expect(diff.filter((line) => line.kind !== 'added').map((line) => line.text).join('\n')).toBe(before);
      expect(diff.filter((line) => line.kind !== 'removed').map((line) => line.text).join('\n')).toBe(after);
    }
  });
  it('gives up comparing texts that are too large, and still tells the truth', () => {
    const many = (name: string) => Array.from({ length: 2_500 }, (_, index) => `${name} ${index}`).join('\n');
    expect(counts(diffLines(many('old'), many('new')))).toEqual({ added: 2_500, removed: 2_500 });
  });
});

describe('folding', () => {
  it('keeps context around a change and counts the lines it hides', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    const after = lines.with(6, 'changed').join('\n');
    const shown = folded(diffLines(lines.join('\n'), after), 1);
    expect(shown.map((line) => (line.kind === 'gap' ? `…${line.lines}` : signs[line.kind] + line.text))).toEqual(['…5', ' line 5', '-line 6', '+changed', ' line 7', '…4']);
  });
  it('shows a lone equal line instead of saying that one line is hidden', () => {
    const shown = folded(diffLines('a\nb\nc', 'A\nb\nC'), 0);
    expect(shown.map((line) => line.kind)).toEqual(['removed', 'added', 'same', 'removed', 'added']);
  });
});

describe('comparing two calls', () => {
  const section = (name: string, text: string, fate: SectionReport['fate'] = 'kept'): SectionReport => ({ name, text, fate, priority: 1, wantedChars: text.length, keptChars: text.length, capChars: 100, remark: '' });
  it('pairs sections by name and notices those that came and went', () => {
    const result = compared([section('gone', 'x'), section('people', 'a\nb')], [section('people', 'a\nc', 'trimmed'), section('fresh', 'y')]);
    expect(result.map(({ name, added, removed, fateBefore, fateNow }) => [name, added, removed, fateBefore, fateNow])).toEqual([
      ['people', 1, 1, 'kept', 'trimmed'],
      ['fresh', 1, 0, undefined, 'kept'],
      ['gone', 0, 1, 'kept', undefined],
    ]);
  });
});
