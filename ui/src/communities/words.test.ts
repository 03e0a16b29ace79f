import { describe, expect, it } from 'vitest';
import type { CommunityOverview, PlatformStanding } from '../api/contract';
import { fitting, idOf, malformed, roomsWords, stateWords } from './words';
import { community, shard, standing } from './sample';

it.each([['The book club', 'the-book-club'], ['  Café № 9 ', 'cafe-no-9'], ['---', ''], ['本', ''], ['x'.repeat(60), 'x'.repeat(40)]])('%j stands in addresses as %j', (name, wanted) => expect(idOf(name)).toBe(wanted));

describe('communities are found by what people call them', () => {
  const all: CommunityOverview[] = [community({ id: 'local', name: 'local' }), community({ id: 'discord-175928847299117063', name: 'The tea house', platform: 'Discord' })];
  it('by a part of the name', () => expect(fitting(all, ' TEA ').map(({ name }) => name)).toEqual(['The tea house']));
  it('and not by a number of Discord’s', () => expect(fitting(all, '1759')).toEqual([]));
});

it('rooms are counted, private ones among them', () => {
  expect(roomsWords(community({ rooms: 1 }))).toBe('1 room');
  expect(roomsWords(community({ rooms: 12, privateRooms: 3 }))).toBe('12 rooms, 3 of them private');
});

it.each<[Partial<PlatformStanding>, string]>([
  [{ state: 'off' }, 'not set up'],
  [{ state: 'partly', shards: [shard(), shard({ connected: false })] }, '1 of 2 shards connected'],
  [{ state: 'connected' }, 'connected'],
])('%j is told as %j', (given, wanted) => expect(stateWords(standing(given))).toBe(wanted));

it('what was not understood is counted over all shards, the most frequent first', () => {
  const told = malformed(standing({ shards: [shard({ malformed: { TYPING_START: 1 } }), shard({ malformed: { TYPING_START: 2, MESSAGE_CREATE: 9 } })] }));
  expect(told).toEqual([{ name: 'MESSAGE_CREATE', times: 9 }, { name: 'TYPING_START', times: 3 }]);
});
