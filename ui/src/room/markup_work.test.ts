// Whatever the text: the work grows with its length, and the tree is the one that plain patterns would find.
import { describe, expect, it } from 'vitest';
import { Names, type Inline } from './inlines';
import { markup, type Block } from './markup';

/** So many characters may be looked at for one that was written. */
const STEPS_PER_CHAR = 60;
const LONGEST = 8_000;
const PEOPLE = ['Bob', 'Ada', 'Ada Lovelace', 'denizen', '李'];

function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

function steps(text: string): number {
  const work = { steps: 0 };
  markup(text, new Names(PEOPLE), work);
  return work.steps;
}

describe('the work of reading a message', () => {
  const openers = ['[', '*', '**', '_', '~~', '`', '@', 'h', 'http://', '](', ')', ']', ' ', '\n', '|', '- ', '> ', '1. ', '```', 'a', '.', '[*', '**a ', '*a', '_a', '[a](http://', '@Ada ', '-|'];
  it.each(openers.flatMap((one) => openers.map((other) => one + other)))('%j again and again', (unit) => {
    const text = unit.repeat(Math.ceil(LONGEST / unit.length)).slice(0, LONGEST);
    expect(steps(text)).toBeLessThan(STEPS_PER_CHAR * LONGEST);
    // Twice the text is twice the work, and not four times.
    expect(steps(text)).toBeLessThan(2.6 * steps(text.slice(0, LONGEST / 2)) + 1_000);
  });

  it('is bounded for texts thrown together of everything that means something', () => {
    const roll = dice(7);
    for (let round = 0; round < 400; round++) {
      const few = Array.from({ length: 1 + roll(4) }, () => openers[roll(openers.length)]!);
      let text = '';
      while (text.length < 4_000) text += few[roll(few.length)]!;
      expect(steps(text), JSON.stringify(few)).toBeLessThan(STEPS_PER_CHAR * text.length);
    }
  });
});

// The same, told by patterns that look through the rest of the text again and again: short to write, and far too slow to use.
const CODE = /`([^`\n]+)`/g;
const LINK = /\[([^\]\n]{1,200})\]\((https?:\/\/[^\s)]{1,1000})\)/g;
const ADDRESS = /https?:\/\/[^\s<>"'`]{1,1000}/g;
const MENTION = /(?<![\p{L}\p{N}_@])@(?:Ada Lovelace|denizen|Bob|Ada|李)(?![\p{L}\p{N}_])/giu;
const BOLD = /\*\*(\S(?:[^\n]*?\S)??)\*\*/g;
const STRIKE = /~~(\S(?:[^\n]*?\S)??)~~/g;
const STAR = /\*(?![\s*])([^*\n]*?[^\s*])\*(?![\p{L}\p{N}*])/gu;
const UNDERSCORE = /(?<![\p{L}\p{N}_])_(?![\s_])([^_\n]*?[^\s_])_(?![\p{L}\p{N}_])/gu;

function byPatterns(source: string, depth = 0): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (;;) {
    let best: { at: number; end: number; part: () => Inline } | undefined;
    const consider = (pattern: RegExp, part: (match: RegExpExecArray) => Inline, trim = false) => {
      pattern.lastIndex = from;
      const match = pattern.exec(source);
      if (!match || (best && match.index >= best.at)) return;
      const length = trim ? match[0].replace(/[.,;:!?)\]]+$/, '').length : match[0].length;
      best = { at: match.index, end: match.index + length, part: () => part(match) };
    };
    consider(CODE, (match) => ({ kind: 'code', text: match[1]! }));
    consider(LINK, (match) => ({ kind: 'link', text: match[1]!, href: match[2]! }));
    consider(ADDRESS, (match) => ({ kind: 'link', text: match[0].replace(/[.,;:!?)\]]+$/, ''), href: match[0].replace(/[.,;:!?)\]]+$/, '') }), true);
    consider(MENTION, (match) => ({ kind: 'mention', text: match[0] }));
    if (depth < 4) {
      for (const [pattern, kind] of [[BOLD, 'bold'], [STRIKE, 'strike'], [STAR, 'italic'], [UNDERSCORE, 'italic']] as const) {
        consider(pattern, (match) => ({ kind, parts: byPatterns(match[1]!, depth + 1) }));
      }
    }
    if (!best) break;
    if (best.at > from) parts.push({ kind: 'text', text: source.slice(from, best.at) });
    parts.push(best.part());
    from = best.end;
  }
  if (from < source.length) parts.push({ kind: 'text', text: source.slice(from) });
  return parts;
}

describe('the tree', () => {
  it('is the one that plain patterns find, for thousands of texts thrown together', () => {
    const roll = dice(11);
    const pieces = ['*', '**', '_', '__', '~~', '~', '`', '[', ']', '(', ')', '](', 'http://a.b', 'https://', '@', '@Bob', '@ada', '@Ada Lovelace', '@李', ' ', ' ', 'a', 'bob', '1', '.', '!', 'é', '𝒳', '😀', '<', '\n'];
    for (let round = 0; round < 6_000; round++) {
      const text = `x${Array.from({ length: 1 + roll(14) }, () => pieces[roll(pieces.length)]!).join('')}`.replace(/\n+/g, '\n').trim();
      const blocks: Block[] = markup(text, new Names(PEOPLE));
      if (blocks.length !== 1 || blocks[0]!.kind !== 'paragraph') continue;
      expect(blocks[0]!.parts, JSON.stringify(text)).toEqual(byPatterns(text));
    }
  });
});
