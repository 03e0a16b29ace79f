import { describe, expect, it } from 'vitest';
import { gateKind, gateName, gateSettings, pieces, sentence, withoutKeys } from './gates';

describe('a gate', () => {
  it.each([
    ['disabled', 'off', 'Switched off'], ['no_channels', 'channels', 'No channel'], ['no_eligible_channel', 'channels', 'No channel'], ['attention_active', 'attention', 'In a conversation'], ['daily_cap', 'posts', 'Posts of the day'],
    ['max_posts_per_day', 'posts', 'Posts of the day'], ['gap', 'gap', 'Time between thoughts'], ['held_too_young', 'held', 'Looked at just now'], ['eagerness', 'chance', 'Chance'], ['budget_calls', 'budget', 'Budget: calls'], ['budget_tokens', 'budget', 'Budget: tokens'],
    ['budget_dollars', 'budget', 'Budget: dollars'], ['budget', 'budget', 'Budget'], ['budget_cost', 'budget', 'Budget: dollars'], ['thinking_already', 'busy', 'Busy thinking'], ['full_moon', 'other', 'Full moon'],
  ])('%s is of the kind %s and is called %s', (gate, kind, name) => expect([gateKind(gate), gateName(gate)]).toEqual([kind, name]));
  it('leads to the settings its words name', () => expect(gateSettings('min_gap', 'Wait: `initiative.text.minMinutesBetweenPosts` is 360.').map(({ key }) => key)).toEqual(['initiative.text.minMinutesBetweenPosts']));
  it('leads to those it is known to go by where its words name none', () => {
    expect(gateSettings('eagerness', 'Chance was against it.').map(({ key }) => key)).toEqual(['initiative.text.eagerness']);
    expect(gateSettings('budget_tokens', 'Used up.').map(({ key }) => key)).toEqual(['initiative.budget.maxTokensPerDay']);
    expect(gateSettings('full_moon', 'Wait.')).toEqual([]);
  });
});

it.each([['chance was against it (initiative.text.eagerness)', 'Chance was against it (initiative.text.eagerness).'], ['initiative.text.enabled is off', 'initiative.text.enabled is off.'], ['web_scrape https://a.example', 'web_scrape https://a.example.'], ['Done.', 'Done.'], ['', '']])('%j alone is %j', (said, wanted) => expect(sentence(said)).toBe(wanted));

it('where many stand below each other the settings are left out', () => expect(withoutKeys('chance was against it (initiative.text.eagerness)')).toBe('chance was against it'));

it('keys of settings stand apart from the words around them', () => {
  expect(pieces('Set `tools.searchProvider`, then wait.')).toEqual([{ text: 'Set ' }, { key: 'tools.searchProvider' }, { text: ', then wait.' }]);
  expect(pieces('see example.org. Nothing else.')).toEqual([{ text: 'see example.org. Nothing else.' }]);
  expect(pieces('')).toEqual([]);
});
