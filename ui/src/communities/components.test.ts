// The parts of the page of everything as a server renders them: what they say, and that no number of Discord's is shown.
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Community, Health, Role, Room } from '../api/contract';
import { community, shard, standing } from './sample';

let html: (path: string, props: Record<string, unknown>) => string;
let session: { rooms: Room[]; communities: Community[]; health: Health | null; role: Role; roomName: (id: string) => string; mayWriteIn: (id: string) => boolean };
const NUMBER = '175928847299117063';

beforeAll(async () => {
  vi.stubGlobal('location', { hash: '#/communities', search: '', href: 'http://here/' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('setInterval', () => 0);
  const all = import.meta.glob<{ default: Component<Record<string, unknown>> }>(['./*.svelte', '../room/FirstHint.svelte']);
  const loaded = new Map(await Promise.all(Object.entries(all).map(async ([path, load]) => [path, (await load()).default] as const)));
  html = (path, props) => render(loaded.get(path)!, { props }).body;
  ({ session } = (await import('../shell/session.svelte')) as unknown as { session: typeof session });
}, 60_000);
beforeEach(() => {
  session.role = 'administrator';
  session.health = { community: 'local', denizen: { id: 'denizen', name: 'Iris' } } as Health;
  session.communities = [];
  session.rooms = [{ id: NUMBER, name: 'general', kind: 'text', platform: 'Discord' }, { id: 'lounge', name: 'lounge', kind: 'text' }];
});
const text = (markup: string) => markup.replace(/<!--.*?-->/gs, '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('the connection', () => {
  it('says who it is, how its shards are, what was left out and where it talks', () => {
    const shown = text(html('./ConnectionPanel.svelte', { standing: standing({
      servers: 1_200, shards: [shard({ resumes: 3, latencyMs: 42 }), shard({ connected: false, malformed: { MESSAGE_CREATE: 2 } })], state: 'partly',
      calls: [{ community: `discord-${NUMBER}`, server: 'The tea house', room: NUMBER, channel: 'evening', people: 3 }],
      trouble: { at: 1, what: 'Discord cannot be reached; it is tried again' },
    }) }));
    expect(shown).toMatch(/Discord 1 of 2 shards connected.*What is wrong.*cannot be reached.*Bot Iris.*1,200.*1 of 2 connected, heartbeat 42 ms.*3 resumes.*Message Content Intent: on.*MESSAGE_CREATE × 2.*The tea house: evening.*3 people/);
    expect(shown).not.toContain(NUMBER);
  });
  it('a missing intent is told with what to do', () => expect(text(html('./ConnectionPanel.svelte', { standing: standing({ state: 'refused', intents: [{ name: 'Message Content Intent', granted: false }] }) }))).toMatch(/refused.*switch it on in the developer portal/));
  it('where there is no token it says how to begin', () => expect(text(html('./ConnectionPanel.svelte', { standing: standing({ state: 'off' }) }))).toMatch(/not on Discord.*denizen setup discord/));
});

describe('a community', () => {
  const row = (given: Parameters<typeof community>[0]) => html('./CommunityRow.svelte', { community: community(given), remove: () => undefined });
  it('on Discord is told by name, with its pages and what it cost', () => {
    const shown = row({ id: `discord-${NUMBER}`, name: 'The tea house', platform: 'Discord', rooms: 7, privateRooms: 2, callsToday: 1_234, costTodayMicroDollars: 420_000 });
    expect(text(shown)).toMatch(/The tea house.*Discord.*1,234 calls · \$0\.4200 today.*7 rooms, 2 of them private.*Journal.*Memory.*Thoughts.*Spending.*Settings/);
    expect(text(shown)).not.toContain(NUMBER);
    expect(shown).toContain(`#/c/discord-${NUMBER}/journal`);
  });
  it('the default one cannot be removed, and what is wrong is said', () => {
    expect(row({ home: true })).not.toContain('Remove');
    expect(text(row({ ailments: ['the disk is full'], restingModels: 1 }))).toMatch(/a model rests.*the disk is full/);
  });
  it('names are text', () => expect(row({ name: '<b>x</b>' })).not.toContain('<b>x'));
});

describe('rooms on Discord', () => {
  it('are called by name, and by no number even when they are gone', () => {
    expect(session.roomName(NUMBER)).toBe('general');
    expect(session.roomName('999999999999999999')).toBe('a room that is gone');
    expect(session.roomName('attic')).toBe('attic');
  });
  it('are written in there: nothing is offered here, to administrators either', () => {
    expect(session.mayWriteIn(NUMBER)).toBe(false);
    expect(session.mayWriteIn('lounge')).toBe(true);
    const shown = text(html('../room/FirstHint.svelte', { room: { id: NUMBER }, compose: () => undefined }));
    expect(shown).toContain('What is said on Discord appears here');
    expect(shown).not.toContain('Try:');
  });
});
