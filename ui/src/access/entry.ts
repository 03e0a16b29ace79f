// Coming in: the code of a link, or a token, becomes a session whose secret no script can read.
import { ApiError, call, json } from '../api/client';
import type { Admitted, Credentials, LinkAnswer, Names, Role } from '../api/contract';

export type Shown = { code: string } | { token: string };

/** Takes `?enter=` and `?token=` out of the page's address, so that they are neither bookmarked nor shown. */
export function takeFromAddress(): Shown | null {
  const address = new URL(location.href);
  const [code, token] = ['enter', 'token'].map((name) => address.searchParams.get(name));
  if (code == null && token == null) return null;
  address.searchParams.delete('enter');
  address.searchParams.delete('token');
  history.replaceState(null, '', address);
  return code != null ? { code } : { token: token ?? '' };
}

export const access = {
  enter: async (shown: Shown) => (await json<Admitted>('POST', '/api/enter', shown)).role,
  me: async () => (await json<Admitted>('GET', '/api/me')).role,
  leave: () => call('POST', '/api/leave'),
  invite: (role: Role, label: string, uses: number, hours: number) =>
    json<LinkAnswer>('POST', '/api/access/links', { role, label, uses, validSeconds: hours * 3_600 }),
  credentials: async () => (await json<Credentials>('GET', '/api/access')).credentials,
  revoke: (id: string) => call('DELETE', `/api/access/${encodeURIComponent(id)}`),
  names: async () => (await json<Names>('GET', '/api/names')).names,
  release: (name: string) => call('DELETE', `/api/names/${encodeURIComponent(name)}`),
};

/** Whether nobody is let in with what was shown, as opposed to a connection that is gone. */
export const isUnknown = (problem: unknown): boolean => problem instanceof ApiError && problem.status === 401;
