import { describe, expect, it } from 'vitest';
import { bars, clamped, sureEnough } from './bars';
import { pieces } from './highlight';
import { found, gem, scores } from './sample';

const share = (key: string, drawn: ReturnType<typeof bars>) => drawn.find((bar) => bar.key === key)?.share;

describe('score bars', () => {
  const [first, second] = [found({ gem: gem('a') }, { lexical: 4, dense: 2, recency: 0.5, importance: 1.5 }), found({ gem: gem('b') }, { dense: 1, importance: 0.75 })];
  it('are measured against the strongest signal of the whole search', () => {
    expect(share('lexical', bars(first.scores, [first, second]))).toBe(1);
    expect(share('dense', bars(first.scores, [first, second]))).toBe(0.5);
    expect(share('dense', bars(second.scores, [first, second]))).toBe(0.25);
  });
  it('show factors as factors', () => {
    const drawn = bars(first.scores, [first, second]);
    expect(share('recency', drawn)).toBe(0.5);
    expect(share('importance', bars(second.scores, [first, second]))).toBe(0.5);
    expect(drawn.filter((bar) => bar.factor).map((bar) => bar.shown)).toEqual(['×0.50', '×1.50']);
  });
  it('are all there, in order, even where everything is nothing', () => {
    const drawn = bars(scores({ recency: 0, importance: 0 }), []);
    expect(drawn.map((bar) => bar.key)).toEqual(['lexical', 'dense', 'surroundings', 'keys', 'recency', 'importance']);
    expect(drawn.every((bar) => bar.share === 0)).toBe(true);
  });
  it('never leave their track', () => expect([clamped(-1), clamped(7), clamped(Number.NaN)]).toEqual([0, 1, 0]));
  it('know what is sure enough: the threshold itself is', () => {
    expect([0.34, 0.35].map((confidence) => sureEnough(found({ gem: gem('a') }, { confidence }), 0.35))).toEqual([false, true]);
  });
});

describe('matched words', () => {
  const marked = (text: string, words: string[]) => pieces(text, words).filter((piece) => piece.matched).map((piece) => piece.text);
  it('are found whatever their case and accents', () => expect(marked('Le CAFÉ noir', ['cafe'])).toEqual(['CAFÉ']));
  it('are found by their stem', () => expect(marked('two releases, one release', ['releas'])).toEqual(['releases', 'release']));
  it('are not found inside others', () => expect(marked('a cat in a cathedral', ['cat'])).toEqual(['cat']));
  it('leave the text as it is', () => expect(pieces('<b>Tea</b> & milk', ['tea']).map((piece) => piece.text).join('')).toBe('<b>Tea</b> & milk'));
  it('are none where nothing matched', () => expect(pieces('plain text', [])).toEqual([{ text: 'plain text', matched: false }]));
});
