import { expect, it } from 'vitest';
import { candidate } from './sample';
import { scoreParts, scoreWords } from './score';

const total = (parts: { share: number }[]) => parts.reduce((sum, { share }) => sum + share, 0);

it('the bar of the best is full, of another as long as its score', () => {
  const even = candidate();
  expect(total(scoreParts(even, 0.5))).toBeCloseTo(1);
  expect(total(scoreParts(even, 1))).toBeCloseTo(0.5);
});
it('its parts are as wide as they weigh', () => {
  const parts = scoreParts(candidate({ source: 1, topic: 1, freshness: 1, popularity: 1, score: 1 }), 1);
  expect(parts.map(({ name, share }) => [name, Number(share.toFixed(2))])).toEqual([['source', 0.3], ['topic', 0.4], ['freshness', 0.2], ['popularity', 0.1]]);
});
it('chance is a part where it added, and shortens the bar where it took', () => {
  expect(scoreParts(candidate({ score: 0.6, chance: 0.1 }), 0.6).at(-1)).toMatchObject({ name: 'chance' });
  const taken = scoreParts(candidate({ score: 0.4, chance: -0.1 }), 0.5);
  expect(taken.some(({ name }) => name === 'chance')).toBe(false);
  expect(total(taken)).toBeCloseTo(0.8);
});
it('what is no number is nothing', () => expect(total(scoreParts(candidate({ topic: Number.NaN, score: Number.NaN }), 0))).toBe(0));
it('says it in words for those who cannot see it', () => expect(scoreWords(candidate({ chance: -0.05 }))).toBe('Score 0.50: how its source did 0.50, fits the community 0.50, how fresh it is 0.50, how noticed it is 0.50, chance −0.05'));
