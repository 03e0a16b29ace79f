// Where the page is, from the address after the `#`: `#/room/ROOM?why=ID`, `#/session/ROOM`, `#/watch/ROOM`, `#/thoughts`, `#/memory/people/ID`, `#/asks/12`, `#/journal/WORDS`, `#/settings`, `#/communities`.
// Before any of them `#/c/COMMUNITY` may stand, for another community than the default one.
import { community, communityIn } from '../api/community';

export type PageName = 'room' | 'session' | 'watch' | 'thoughts' | 'memory' | 'asks' | 'journal' | 'settings' | 'communities' | 'nowhere';

export interface Route {
  page: PageName;
  /** The room, the ask, the part of memory, or what to look for among the settings or in the journal; empty for the list. */
  id: string;
  /** Within a part of memory: the gem, the person, or the words to look for. */
  item: string;
  /** The message whose fate is being looked at, on any page. */
  why: string;
  /** A message to scroll to. */
  at: string;
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const parts = path.split('/').filter(Boolean).map(decoded);
  const [page = '', id = '', item = ''] = parts[0] === 'c' ? parts.slice(2) : parts;
  const parameters = new URLSearchParams(query);
  const rest = { why: parameters.get('why') ?? '', at: parameters.get('at') ?? '' };
  if (page === '') return { page: 'room', id: '', item: '', ...rest };
  if (page === 'room' || page === 'session' || page === 'watch' || page === 'asks' || page === 'journal' || page === 'settings') return { page, id, item: '', ...rest };
  if (page === 'memory') return { page, id, item, ...rest };
  if (page === 'thoughts' || page === 'communities') return { page, id: '', item: '', ...rest };
  return { page: 'nowhere', id: '', item: '', ...rest };
}

/** The address of a page, in this community or another. */
export function address(route: { page: PageName; id?: string; item?: string; why?: string; at?: string }, named: string = community): string {
  const path = [...(named ? ['c', named] : []), route.page, route.id ?? '', route.item ?? ''].filter(Boolean).map(encodeURIComponent).join('/');
  const parameters = new URLSearchParams();
  if (route.why) parameters.set('why', route.why);
  if (route.at) parameters.set('at', route.at);
  const query = parameters.toString();
  return `#/${path}${query ? `?${query}` : ''}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

class Here {
  route = $state.raw<Route>(parseRoute(location.hash));

  constructor() {
    addEventListener('hashchange', () => {
      if (communityIn(location.hash) === community) this.route = parseRoute(location.hash);
      else location.reload();
    });
  }

  /** The address of this page with the why panel open for a message, or closed. */
  withWhy(message: string): string {
    return address({ ...this.route, at: '', why: message });
  }

  /** The message in the address was shown: it can be asked for again. */
  arrived = (): void => this.#replace({ ...this.route, at: '' });

  /** The address follows what is being typed, without a step in the history. */
  follow = (item: string): void => this.#replace({ ...this.route, item });

  closeWhy = (): void => {
    if (!this.route.why) return;
    this.#replace({ ...this.route, at: '', why: '' });
  };

  #replace(route: Route): void {
    history.replaceState(null, '', address(route));
    this.route = route;
  }
}

export const here = new Here();
