import { describe, expect, it } from 'vitest';
import { found, gem, turn } from './sample';
import { listed, whyFound } from './why_found';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('why it was found', () => {
  it('names the words, the strongest reason first', () => {
    const it_ = found({ gem: gem('a') }, { lexical: 0.4, dense: 0.9, confidence: 0.62 }, { matched: ['tea', 'sugar'] });
    expect(plain(whyFound(it_, 0.35, [it_]))).toBe('It means much the same and it has the words “tea” and “sugar”. 62 % sure, and 35 % is enough to bring it up.');
  });
  it('is modest about a meaning that others are nearer to', () => {
    const [near, far] = [found({ gem: gem('a') }, { dense: 0.9 }), found({ gem: gem('b') }, { dense: 0.3, confidence: 0.2 })];
    expect(plain(whyFound(far, 0.35, [near, far]))).toBe('It means something similar. Only 20 % sure: below 35 % it is not brought up by itself.');
  });
  it('tells of the gems that led to a turn', () => {
    const it_ = found({ turn: turn('t') }, { keys: 0.7 }, { through: ['a'] });
    expect(whyFound(it_, 0, [it_])).toContain('1 gem that fits leads to it.');
    expect(whyFound({ ...it_, through: ['a', 'b'] }, 0, [it_])).toContain('2 gems that fit lead to it.');
  });
  it('tells what age and importance made of it', () => {
    const it_ = found({ gem: gem('a') }, { lexical: 1, recency: 0.93, importance: 1.2 }, { matched: ['tea'] });
    expect(plain(whyFound(it_, 0.35, [it_]))).toContain('Age took 7 % off and its importance added 20 %.');
  });
  it('says of what is pinned or standing that it does not age', () => {
    expect(whyFound(found({ gem: gem('a', { pinned: true }) }, { lexical: 1 }), 0, [])).toContain('It does not age (it is pinned).');
    expect(whyFound(found({ gem: gem('a', { standing: true }) }, { lexical: 1 }), 0, [])).toContain('It does not age (it is a standing preference).');
  });
  it('does not make up a reason', () => expect(whyFound(found({ gem: gem('a') }), 0, [])).toContain('merely the nearest'));
  it('leaves out what hardly counted', () => expect(whyFound(found({ gem: gem('a') }, { lexical: 1, surroundings: 0.05 }, { matched: ['tea'] }), 0, [])).not.toContain('near something'));
});

it.each([[[], ''], [['a'], 'a'], [['a', 'b'], 'a and b'], [['a', 'b', 'c'], 'a, b and c']])('%j is listed as “%s”', (parts, wanted) => expect(listed(parts)).toBe(wanted));
