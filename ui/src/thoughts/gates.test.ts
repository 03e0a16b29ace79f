import { describe, expect, it } from 'vitest';
import { Gates, pieces, sentence, withoutKeys } from './gates';
import { gates } from './sample';

const known = new Gates(gates);

describe('a gate', () => {
  it('has the kind and the title that the server gives it', () => expect([known.kind('budget_tokens'), known.name('budget_tokens')]).toEqual(['budget', 'Budget: tokens']));
  it('that is gone since goes by its name', () => expect([known.kind('full_moon'), known.name('full_moon')]).toEqual(['other', 'Full moon']));
  it('shares a name with the others of its kind', () => expect([known.kindName('budget'), known.kindName('chance')]).toEqual(['Budget', 'Chance']));
  it('leads to the settings its words name', () => expect(known.settings('gap', 'Wait: `attention.activeSeconds` is 360.').map(({ key }) => key)).toEqual(['attention.activeSeconds']));
  it('leads to those it goes by where its words name none', () => {
    expect(known.settings('eagerness', 'Chance was against it.').map(({ key }) => key)).toEqual(['initiative.text.eagerness']);
    expect(known.settings('full_moon', 'Wait.')).toEqual([]);
  });
});

it.each([['chance was against it (initiative.text.eagerness)', 'Chance was against it (initiative.text.eagerness).'], ['initiative.text.enabled is off', 'initiative.text.enabled is off.'], ['web_scrape https://a.example', 'web_scrape https://a.example.'], ['Done.', 'Done.'], ['', '']])('%j alone is %j', (said, wanted) => expect(sentence(said)).toBe(wanted));

it('where many stand below each other the settings are left out', () => expect(withoutKeys('chance was against it (initiative.text.eagerness)')).toBe('chance was against it'));

it('keys of settings stand apart from the words around them', () => {
  expect(pieces('Set `tools.searchProvider`, then wait.')).toEqual([{ text: 'Set ' }, { key: 'tools.searchProvider' }, { text: ', then wait.' }]);
  expect(pieces('see example.org. Nothing else.')).toEqual([{ text: 'see example.org. Nothing else.' }]);
  expect(pieces('')).toEqual([]);
});
