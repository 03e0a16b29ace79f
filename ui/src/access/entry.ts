// Coming in: the code of a link, or a token, becomes a session whose secret no script can read.
import { ApiError, call, json } from '../api/client';
import type { Admitted, Credentials, LinkAnswer, Names, OwnedName, Role } from '../api/contract';

export type Shown = { code: string } | { token: string };

/** What came with the address, and whether a page of another site led here with it: then somebody has to want it first. */
export interface Brought {
  shown: Shown;
  elsewhere: boolean;
}

/** Takes `?enter=` and `?token=` out of the page's address, so that they are neither bookmarked nor shown. */
export function takeFromAddress(): Brought | null {
  const address = new URL(location.href);
  const [code, token] = ['enter', 'token'].map((name) => address.searchParams.get(name));
  if (code == null && token == null) return null;
  const elsewhere = address.searchParams.has('from');
  for (const name of ['enter', 'token', 'from']) address.searchParams.delete(name);
  history.replaceState(null, '', address);
  return { shown: code != null ? { code } : { token: token ?? '' }, elsewhere };
}

export const access = {
  /** Comes in. A browser that may do more keeps its session, and is told what it was offered, unless it wants that instead. */
  enter: (shown: Shown, instead = false) => json<Admitted>('POST', instead ? '/api/enter?instead=true' : '/api/enter', shown),
  me: async () => (await json<Admitted>('GET', '/api/me')).role,
  leave: () => call('POST', '/api/leave'),
  invite: (role: Role, label: string, uses: number, hours: number) =>
    json<LinkAnswer>('POST', '/api/access/links', { role, label, uses, validSeconds: hours * 3_600 }),
  credentials: async () => (await json<Credentials>('GET', '/api/access')).credentials,
  revoke: (id: string) => call('DELETE', `/api/access/${encodeURIComponent(id)}`),
  names: async () => (await json<Names>('GET', '/api/names')).names,
  handOver: (name: string, owner: string) => json<OwnedName>('PUT', `/api/names/${encodeURIComponent(name)}`, { owner }),
  release: (name: string) => call('DELETE', `/api/names/${encodeURIComponent(name)}`),
};

/** Whether nobody is let in with what was shown, as opposed to a connection that is gone. */
export const isUnknown = (problem: unknown): boolean => problem instanceof ApiError && problem.status === 401;
