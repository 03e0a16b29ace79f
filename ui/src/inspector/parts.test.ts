import { describe, expect, it } from 'vitest';
import type { PromptAccount, SectionReport } from '../api/contract';
import { capped, partsOf, share } from './parts';

const section = (name: string, more: Partial<SectionReport> = {}): SectionReport => ({ name, text: 'words', fate: 'kept', priority: 4, wantedChars: 9, keptChars: 5, capChars: 100, remark: '', ...more });

describe('the parts of a prompt', () => {
  it('are its sections by characters where nothing is accounted for', () => {
    expect(partsOf([section('people')], null)).toEqual([{ name: 'people', fate: 'kept', kept: 5, wanted: 9, cap: 100, priority: 4, remark: '', text: 'words' }]);
  });
  it('are in tokens with rules, tools and schema among them where it is', () => {
    const account: PromptAccount = {
      parts: [
        { kind: 'section', name: 'people', fate: 'trimmed', tokens: 2, wantedTokens: 3, capTokens: null, remark: 'cut' },
        { kind: 'rules', name: 'rules', fate: null, tokens: 310, wantedTokens: 310, capTokens: null, remark: 'always' },
      ],
      tokens: 312, windowTokens: 8_000, answerTokens: 800,
    };
    expect(partsOf([section('people')], account).map(({ name, fate, kept, cap, text }) => [name, fate, kept, cap, text])).toEqual([
      ['people', 'trimmed', 2, null, 'words'],
      ['rules', 'fixed', 310, undefined, ''],
    ]);
  });
  it('have no cap where it is larger than anything', () => {
    expect(capped(18_446_744_073_709_552_000)).toBe('no cap of its own');
    expect(capped(partsOf([section('x', { capChars: 18_446_744_073_709_551_615 })], null)[0]!.cap!)).toBe('no cap of its own');
    expect(capped(1_200)).toBe('cap 1,200');
  });
});

describe('a share', () => {
  it.each([[0, 10, '0 %'], [1, 1_000, 'under 1 %'], [1, 3, '33 %'], [999, 1_000, '99 %'], [10, 10, '100 %'], [1, 0, '0 %']])('%d of %d is %s', (part, whole, wanted) => expect(share(part, whole)).toBe(wanted));
});
