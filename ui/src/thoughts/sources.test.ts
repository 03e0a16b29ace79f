import { describe, expect, it } from 'vitest';
import { source } from './sample';
import { reported, reportWords, sourceName, tidied } from './sources';

describe('what is typed or pasted becomes a name', () => {
  it.each([
    ['reddit', 'r/BoardGames', 'BoardGames'], ['reddit', 'https://www.reddit.com/r/boardgames/top', 'boardgames'], ['x', '@example', 'example'], ['x', 'https://x.com/example/status/1', 'example'],
    ['youtube', 'https://www.youtube.com/channel/UCsBjURrPoezykLs9EqgamOA?view=1', 'UCsBjURrPoezykLs9EqgamOA'], ['rss', '  https://a.example/feed ', 'https://a.example/feed'],
  ] as const)('%s %s is %s', (family, typed, name) => expect(tidied(family, typed)).toEqual({ name }));
  it.each([['rss', 'a.example/feed'], ['rss', ''], ['reddit', 'two words'], ['youtube', '@handle'], ['x', 'far_too_long_for_a_handle'], ['rss', `https://a.example/${'x'.repeat(300)}`]] as const)('%s %s is refused with what to do', (family, typed) => expect(tidied(family, typed)).toHaveProperty('problem'));
});

it('a source is named as people name it', () => expect([sourceName({ family: 'reddit', name: 'a' }), sourceName({ family: 'rss', name: 'https://www.a.example/feed/' }), sourceName({ family: 'x', name: 'a' }), sourceName({ family: 'hacker_news', name: 'top' })]).toEqual(['r/a', 'a.example/feed', '@a', 'Hacker News']));

it('what the feeds say of a source beats what the last thought saw', () => {
  const report = (items: number) => ({ source: { family: 'rss' as const, name: 'https://a.example/Feed' }, items, fresh: 0, unchanged: false });
  const sources = [source('https://a.example/feed', { lastReport: report(1) }), source('https://b.example/feed', { lastReport: report(2) })];
  expect(reported(sources, [report(9)]).map(({ lastReport }) => lastReport?.items)).toEqual([9, 2]);
});
it('a report says how many, or why none', () => {
  const report = { source: { family: 'rss' as const, name: 'a' }, items: 1, fresh: 1, unchanged: true };
  expect([reportWords(report), reportWords({ ...report, items: 0 }), reportWords({ ...report, failure: 'It answered 404.' })]).toEqual(['1 item, 1 fresh, as before', 'nothing in it', 'It answered 404.']);
});
