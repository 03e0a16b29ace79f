// Rooms that memory knows of: those of this Denizen, and those that other agents named.
import type { Place } from '../api/contract';

export interface KnownRoom {
  /** For a select; `/` is no part of a community's name. */
  key: string;
  community: string;
  room: string;
  label: string;
}

/** Each once: one's own first, then the others as they came. */
export function knownRooms(own: { id: string; name: string }[], here: string, places: Place[]): KnownRoom[] {
  const rooms = new Map(own.map(({ id, name }) => [keyOf(here, id), known(here, id, name)]));
  for (const { community, room } of places) {
    const key = keyOf(community, room);
    if (!rooms.has(key)) rooms.set(key, known(community, room, community === here ? room : `${room} (${community})`));
  }
  return [...rooms.values()];
}

/** The room of a key; none for the empty one. */
export function roomOf(key: string): { community: string; room: string } | null {
  const slash = key.indexOf('/');
  return slash < 0 ? null : { community: key.slice(0, slash), room: key.slice(slash + 1) };
}

const keyOf = (community: string, room: string): string => `${community}/${room}`;
const known = (community: string, room: string, name: string): KnownRoom => ({ key: keyOf(community, room), community, room, label: `#${name}` });
