import { expect, it } from 'vitest';
import { candidate } from './sample';
import { scoreParts, scoreWords } from './score';

const total = (parts: { share: number }[]) => parts.reduce((sum, { share }) => sum + share, 0);

it('the best fills the bar, and every part has its share of it', () => {
  const best = candidate({ score: 0.5 });
  expect(total(scoreParts(best, 0.5))).toBeCloseTo(1);
  expect(scoreParts(best, 0.5).find(({ name }) => name === 'topic')?.share).toBeCloseTo(0.4);
});
it('a bar is as long as its score is high, whatever chance took', () => {
  const unlucky = candidate({ score: 0.3, parts: { source: 0.15, topic: 0.2, freshness: 0.1, popularity: 0.05, chance: -0.2 } });
  expect(total(scoreParts(unlucky, 0.6))).toBeCloseTo(0.5);
  expect(scoreWords(unlucky)).toContain('chance −0.20');
});
