// What stands in the addresses of a community, and how its place is told. Pure.
import type { CommunityOverview, PlatformStanding } from '../api/contract';

const ID_CHARS_MAX = 40;

/** Lower-case letters, digits and dashes; empty where nothing of a name can stand in an address. */
export function idOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').slice(0, ID_CHARS_MAX).replace(/^-+|-+$/g, '');
}

/** How a connection is, in a word or two. */
export function stateWords(standing: PlatformStanding): string {
  const live = standing.shards.filter(({ connected }) => connected).length;
  return {
    off: 'not set up',
    connecting: 'connecting…',
    connected: 'connected',
    partly: `${live} of ${standing.shards.length} shards connected`,
    refused: 'refused',
  }[standing.state];
}

/** Communities whose name fits, in order. */
export function fitting(communities: readonly CommunityOverview[], words: string): CommunityOverview[] {
  const wanted = words.trim().toLowerCase();
  return communities.filter(({ name, id }) => name.toLowerCase().includes(wanted) || (!isNumbered(id) && id.includes(wanted)));
}

/** Whether an id is made of a number of a platform's, which is nobody's name. */
export const isNumbered = (id: string): boolean => /^discord-/.test(id);

/** How many rooms there are. */
export function roomsWords({ rooms, privateRooms }: CommunityOverview): string {
  const all = rooms === 1 ? '1 room' : `${rooms} rooms`;
  return privateRooms ? `${all}, ${privateRooms} of them private` : all;
}

/** Events that could not be read, of all shards together, the most frequent first. */
export function malformed(standing: PlatformStanding): { name: string; times: number }[] {
  const sums = new Map<string, number>();
  for (const shard of standing.shards) for (const [name, times] of Object.entries(shard.malformed)) sums.set(name, (sums.get(name) ?? 0) + times);
  return [...sums].map(([name, times]) => ({ name, times })).sort((left, right) => right.times - left.times);
}
