// Who is sitting at this page, and which Denizen it talks to.
import { type Brought, type Shown, access, isUnknown } from '../access/entry';
import { ApiError, api, problemText } from '../api/client';
import type { Community, Health, LanguageStatus, Role, Room } from '../api/contract';
import { live } from '../api/live.svelte';

const NAME_KEY = 'denizen.name';
export const NAME_CHARS_MAX = 40;

class Session {
  name = $state('');
  health = $state.raw<Health | null>(null);
  rooms = $state.raw<Room[]>([]);
  /** Every community of the process. */
  communities = $state.raw<Community[]>([]);
  model = $state.raw<LanguageStatus | null>(null);
  problem = $state('');
  /** Nothing was shown yet that opens this Denizen. */
  unknown = $state(false);
  role = $state<Role>('reader');
  /** What lets somebody in and waits for their word: it came from elsewhere, or allows less than they have. */
  asking = $state.raw<{ shown: Shown; offered: Role | null } | null>(null);
  /** The address names a community that is not there. */
  astray = $state(false);

  constructor() {
    live.listen((event) => {
      if (event.type === 'model') this.model = event.status;
    });
  }

  /** The name of this tab's person: `?as=` in the address first, then what was given before in this tab. */
  recallName(): void {
    const asked = new URLSearchParams(location.search).get('as') ?? new URLSearchParams(location.hash.split('?')[1]).get('as');
    this.takeName(asked ?? sessionStorage.getItem(NAME_KEY) ?? '');
  }

  takeName(name: string): void {
    this.name = [...name.trim()].slice(0, NAME_CHARS_MAX).join('');
    if (this.name) sessionStorage.setItem(NAME_KEY, this.name);
    else sessionStorage.removeItem(NAME_KEY);
  }

  load = async (): Promise<void> => {
    this.problem = '';
    try {
      const [role, health, rooms, communities] = await Promise.all([access.me(), api.health(), api.rooms(), api.communities()]);
      this.role = role;
      this.health = health;
      this.model = health.model;
      this.rooms = rooms;
      this.communities = communities;
      this.unknown = false;
    } catch (problem) {
      this.unknown = isUnknown(problem);
      this.astray = problem instanceof ApiError && problem.code === 'unknown_community';
      // That nothing was shown yet is no mishap; the page says where a link is to be had.
      this.problem = this.unknown && !this.health ? '' : problemText(problem);
    }
  };

  /** How Denizen is by now; while it cannot be asked, what it said last stands. */
  checkHealth = async (): Promise<void> => {
    try {
      const found = await api.health();
      if (this.health?.community === found.community) this.health = found;
    } catch {
      // The line about the connection says so.
    }
  };

  /** What is wrong with it at the moment, each with what to do. */
  get ailments(): string[] {
    if (!this.health || this.health.status === 'ok') return [];
    return this.health.reasons?.length ? [...new Set(this.health.reasons)] : ['It does not say what. Its log may.'];
  }

  /** Comes in with what the address held, if it held something, and loads. What another site's page brought is asked for first. */
  async begin(brought: Brought | null): Promise<void> {
    if (brought && !brought.elsewhere) return this.enter(brought.shown);
    if (brought) this.asking = { shown: brought.shown, offered: null };
    await this.load();
  }

  /** Comes in; what is wrong with a link or a token is said even if nothing else is. */
  async enter(shown: Shown, instead = false): Promise<void> {
    let refused = '';
    this.asking = null;
    try {
      const { role, offered } = await access.enter(shown, instead);
      if (offered && offered !== role) this.asking = { shown, offered };
    } catch (problem) {
      refused = problemText(problem);
    }
    await this.load();
    if (refused && (this.unknown || !this.health)) this.problem = refused;
  }

  get mayWrite(): boolean {
    return this.role === 'participant' || this.role === 'administrator';
  }

  /** Whether one can write in a room from here: what is on Discord is written there. */
  mayWriteIn = (room: string): boolean => this.mayWrite && !this.platformOf(room);

  /** Where the people of a room are, if that is not here. */
  platformOf = (room: string): string => this.rooms.find(({ id }) => id === room)?.platform ?? '';

  /** What people call a room. Numbers of Discord's are nobody's name. */
  roomName = (room: string): string => this.rooms.find(({ id }) => id === room)?.name ?? (/^\d{15,}$/.test(room) ? 'a room that is gone' : room);

  /** Where the people of this community are, if that is not here. */
  get platform(): string {
    return this.communities.find(({ id }) => id === this.health?.community)?.platform ?? '';
  }

  get mayManage(): boolean {
    return this.role === 'administrator';
  }

  /** What people call this community. */
  get communityName(): string {
    return this.communities.find(({ id }) => id === this.health?.community)?.name ?? this.health?.community ?? '';
  }

  get denizenName(): string {
    return this.health?.denizen.name ?? 'Denizen';
  }

  get denizenId(): string {
    return this.health?.denizen.id ?? '';
  }

  get personId(): string {
    return `${this.health?.community ?? ''}:${this.name.toLowerCase()}`;
  }
}

export const session = new Session();
