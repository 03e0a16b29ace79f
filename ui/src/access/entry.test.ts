import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/client';
import { access, isUnknown, takeFromAddress } from './entry';

function at(address: string): string[] {
  const left: string[] = [];
  vi.stubGlobal('location', { href: address });
  vi.stubGlobal('history', { replaceState: (_: unknown, __: string, url: URL) => left.push(String(url)) });
  return left;
}

afterEach(() => vi.unstubAllGlobals());

describe('coming in', () => {
  it('takes the code of a link out of the address and leaves the rest', () => {
    const left = at('http://127.0.0.1:8787/?as=Alice&enter=abc#/room');
    expect(takeFromAddress()).toEqual({ shown: { code: 'abc' }, elsewhere: false });
    expect(left).toEqual(['http://127.0.0.1:8787/?as=Alice#/room']);
  });
  it('takes a token the same way, and nothing where there is nothing', () => {
    const left = at('http://127.0.0.1:8787/?token=t');
    expect(takeFromAddress()).toEqual({ shown: { token: 't' }, elsewhere: false });
    expect(left).toEqual(['http://127.0.0.1:8787/']);
    at('http://127.0.0.1:8787/?as=Bob');
    expect(takeFromAddress()).toBeNull();
  });
  it('knows that a page of another site led here, and asks first', () => {
    const left = at('http://127.0.0.1:8787/?enter=abc&from=elsewhere#/room');
    expect(takeFromAddress()).toEqual({ shown: { code: 'abc' }, elsewhere: true });
    expect(left).toEqual(['http://127.0.0.1:8787/#/room']);
  });
  it('says in the server’s words that a token is not right, which is no lost connection', async () => {
    at('http://127.0.0.1:8787/');
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ error: { code: 'wrong_token', message: 'This token is not right.' } }, { status: 403 })));
    await expect(access.enter({ token: 'x' })).rejects.toMatchObject({ code: 'wrong_token', message: 'This token is not right.' });
  });
  it('tells a missing credential from a missing Denizen', () => {
    expect(isUnknown(new ApiError('This needs a link or a token.', 401, 'unauthorized'))).toBe(true);
    expect(isUnknown(new ApiError('Denizen cannot be reached.', 0, 'unreachable'))).toBe(false);
  });
});
