import { expect, it } from 'vitest';
import { knownRooms, roomOf } from './places';

const place = (community: string, room: string) => ({ community, room, private: false });

it('one’s own rooms come first, each once, and those of others name their community', () => {
  const rooms = knownRooms([{ id: 'lounge', name: 'Lounge' }], 'local', [place('local', 'lounge'), place('local', 'board'), place('agents', 'lounge'), place('agents', 'lounge')]);
  expect(rooms.map((room) => room.label)).toEqual(['#Lounge', '#board', '#lounge (agents)']);
});
it('a room is read back from its key, whatever it is called', () => {
  expect(roomOf('agents/my/room')).toEqual({ community: 'agents', room: 'my/room' });
  expect(roomOf('')).toBeNull();
});
