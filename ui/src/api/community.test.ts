import { describe, expect, it } from 'vitest';
import { communityIn, within } from './community';

describe('the community of a page', () => {
  it.each([
    ['', ''], ['#/room/lounge', ''], ['#/c/club/room/attic', 'club'], ['#/c/a%20b', 'a b'], ['#/c', ''], ['#/c/club?why=m1', 'club'],
  ])('%j is %j', (hash, wanted) => expect(communityIn(hash)).toBe(wanted));
});

describe('an address of the API', () => {
  it('is that of the default community without a name', () => expect(within('/api/rooms', '')).toBe('/api/rooms'));
  it('stands below the name of another', () => expect(within('/api/rooms/a?x=1', 'a/b')).toBe('/api/communities/a%2Fb/rooms/a?x=1'));
  it('stays where it is for what the process has once', () => {
    expect(within('/api/communities', 'club')).toBe('/api/communities');
    expect(within('/api/communities/other', 'club')).toBe('/api/communities/other');
    for (const path of ['/api/me', '/api/enter', '/api/leave', '/api/access', '/api/access/links', '/api/access/a1']) expect(within(path, 'club')).toBe(path);
    expect(within('/api/memory/gems', 'club')).toBe('/api/communities/club/memory/gems');
  });
});
