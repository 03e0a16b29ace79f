import { expect, it } from 'vitest';
import { changed, diffWords } from './word_diff';

const marked = (before: string, after: string) => diffWords(before, after).map(({ kind, text }) => (kind === 'added' ? `+[${text}]` : kind === 'removed' ? `-[${text}]` : text)).join('');

it('a word that was changed stands as what went and what came', () => expect(marked('a small list of games', 'a long list of games')).toBe('a -[small]+[long] list of games'));
it('several words in a row are one change', () => expect(marked('look at this now', 'see what came now')).toBe('-[look at this]+[see what came] now'));
it('words at the end are added or taken', () => expect([marked('one', 'one two'), marked('one two', 'one')]).toEqual(['one+[ two]', 'one-[ two]']));
it('lines are kept as lines', () => expect(marked('one\ntwo', 'one\nthree')).toBe('one\n-[two]+[three]'));
it('nothing is changed where nothing is', () => {
  expect(changed(diffWords('the same words', 'the same words'))).toBe(false);
  expect(changed(diffWords('', ''))).toBe(false);
  expect(marked('', 'all of it')).toBe('+[all of it]');
});
it.each([['a b c', 'c b a'], ['x  y', 'x y'], ['one\n\ntwo', 'one two three'], ['', 'a'], ['a', '']])('what stays and what came is the new text, what stays and what went the old: %j, %j', (before, after) => {
  const pieces = diffWords(before, after);
  const without = (kind: string) => pieces.filter((piece) => piece.kind !== kind).map(({ text }) => text).join('');
  expect([without('added'), without('removed')]).toEqual([before, after]);
});
