import { beforeAll, describe, expect, it, vi } from 'vitest';

let route: typeof import('./route.svelte');
beforeAll(async () => {
  vi.stubGlobal('location', { hash: '' });
  vi.stubGlobal('addEventListener', () => undefined);
  route = await import('./route.svelte');
});

describe('addresses', () => {
  it.each([
    ['', { page: 'room', id: '', item: '' }],
    ['#/room/lounge', { page: 'room', id: 'lounge', item: '' }],
    ['#/memory', { page: 'memory', id: '', item: '' }],
    ['#/memory/people/local%3Amira', { page: 'memory', id: 'people', item: 'local:mira' }],
    ['#/memory/search/tea%20%26%20milk?why=m1', { page: 'memory', id: 'search', item: 'tea & milk', why: 'm1' }],
    ['#/thoughts', { page: 'thoughts', id: '', item: '' }],
    ['#/journal/turn%3A12', { page: 'journal', id: 'turn:12', item: '' }],
    ['#/c/club/memory/gems/7', { page: 'memory', id: 'gems', item: '7' }],
    ['#/c/club', { page: 'room', id: '', item: '' }],
    ['#/communities', { page: 'communities', id: '', item: '' }],
    ['#/elsewhere', { page: 'nowhere', id: '', item: '' }],
  ])('%s leads there', (hash, wanted) => expect(route.parseRoute(hash)).toMatchObject(wanted));
  it('of another community have its name before them', () => expect(route.address({ page: 'room', id: 'attic' }, 'club')).toBe('#/c/club/room/attic'));
  it('lead back to where they came from', () => {
    const there = { page: 'memory' as const, id: 'gems', item: 'a/b?c', why: 'm 1', at: '' };
    expect(route.parseRoute(route.address(there))).toEqual(there);
  });
});
