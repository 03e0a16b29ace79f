import { describe, expect, it } from 'vitest';
import { asReaction, givenBy, isMine, withReaction } from './reactions';

const given = [{ emoji: '👍', people: ['local:bob', 'local:alice'] }];

describe('reactions', () => {
  it('are given once, however often they are given', () => expect(withReaction(withReaction(given, '👍', 'local:mira', true), '👍', 'local:mira', true)).toEqual([{ emoji: '👍', people: ['local:bob', 'local:alice', 'local:mira'] }]));
  it('of a new kind come last', () => expect(withReaction(given, '🎉', 'local:bob', true).map(({ emoji }) => emoji)).toEqual(['👍', '🎉']));
  it('nobody gives any more are gone', () => expect(withReaction(withReaction(given, '👍', 'local:bob', false), '👍', 'local:alice', false)).toEqual([]));
  it('that were not given cannot be taken back', () => expect(withReaction(given, '🎉', 'local:bob', false)).toEqual(given));
  it('are one’s own or not', () => expect([isMine(given, '👍', 'local:bob'), isMine(given, '👍', 'local:mira'), isMine(undefined, '👍', 'local:bob')]).toEqual([true, false, false]));
  it('say who gave them', () => {
    expect(givenBy(given[0]!, new Map([['local:bob', 'Bob']]), 'local:alice')).toBe('Bob and you reacted with 👍');
    expect(givenBy({ emoji: '👍', people: Array.from({ length: 9 }, (_, index) => `local:p${index}`) }, new Map(), '')).toContain('and 4 others');
  });
  it.each([[' 🦊 ', '🦊'], ['yes', 'yes'], ['👩‍👩‍👧', '👩‍👩‍👧']])('%j is one', (typed, emoji) => expect(asReaction(typed)).toEqual({ emoji }));
  it.each([[''], ['two words'], ['x'.repeat(33)], ['a\u0007b']])('%j is none', (typed) => expect(asReaction(typed)).toHaveProperty('problem'));
});
