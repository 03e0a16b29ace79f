import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './client';
import { exportAddress, memory } from './memory';

const calls: { method: string; path: string; body: unknown; signal: AbortSignal | null | undefined }[] = [];
let reply: () => Response = () => Response.json({});

beforeEach(() => {
  calls.length = 0;
  vi.stubGlobal('fetch', async (path: string, { method, body, signal }: RequestInit) => {
    calls.push({ method: method ?? '', path, body: typeof body === 'string' ? JSON.parse(body) : undefined, signal });
    return reply();
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('the memory API', () => {
  it('lists gems by what is asked for, and leaves out what is not', async () => {
    reply = () => Response.json({ items: [], next: '7' });
    expect(await memory.gems({ person: 'local:mira', room: '', current: true, after: 'a b', limit: 50 })).toEqual({ items: [], next: '7' });
    expect(calls[0]?.path).toBe('/api/memory/gems?person=local%3Amira&current=true&after=a+b&limit=50');
  });
  it('searches with everything that narrows it', async () => {
    reply = () => Response.json({ found: [], tookMs: 1, threshold: 0.35 });
    await memory.search({ q: 'tea & milk', room: 'lounge', kinds: 'both', superseded: true, limit: 20 });
    expect(calls[0]?.path).toBe('/api/memory/search?q=tea+%26+milk&room=lounge&kinds=both&superseded=true&limit=20');
  });
  it('stops a search that is not wanted any more', async () => {
    const stop = new AbortController();
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))));
    const asked = memory.search({ q: 'tea' }, stop.signal);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ code: 'stopped', status: 0 });
  });
  it('names gems and people safely in addresses', async () => {
    reply = () => Response.json({ removed: { gems: ['a/b'], turns: [] } });
    expect(await memory.remove('a/b')).toEqual({ gems: ['a/b'], turns: [] });
    await memory.forget('local:ada', 'Ada & Co');
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /api/memory/gems/a%2Fb', 'DELETE /api/memory/people/local%3Aada?name=Ada+%26+Co']);
  });
  it('changes, adds and supersedes with a body', async () => {
    reply = () => Response.json({ gem: { gem_id: 'x' }, superseded: { gem_id: 'y' } });
    expect(await memory.change('x', { pinned: true })).toEqual({ gem_id: 'x' });
    expect(await memory.add({ content: 'The roof leaks.' })).toEqual({ gem_id: 'x' });
    expect((await memory.supersede('y', { content: 'The roof is tight.' })).superseded).toEqual({ gem_id: 'y' });
    expect(calls.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PATCH', '/api/memory/gems/x', { pinned: true }],
      ['POST', '/api/memory/gems', { content: 'The roof leaks.' }],
      ['POST', '/api/memory/gems/y/supersede', { content: 'The roof is tight.' }],
    ]);
  });
  it('unwraps people, runs and timelines', async () => {
    reply = () => Response.json({ people: [1], runs: [2], items: [3] });
    expect([await memory.people(), await memory.runs(50), (await memory.timeline('local:ada', { limit: 50 })).items]).toEqual([[1], [2], [3]]);
    expect(calls.map(({ path }) => path)).toEqual(['/api/memory/people', '/api/memory/runs?limit=50', '/api/memory/people/local%3Aada/timeline?limit=50']);
  });
  it('tells a person what was refused, in the server’s words', async () => {
    reply = () => Response.json({ error: { code: 'unknown_gem', message: 'There is no gem x. It may have been deleted.' } }, { status: 404 });
    const refused = await memory.gem('x').catch((problem: unknown) => problem);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 404, code: 'unknown_gem', message: 'There is no gem x. It may have been deleted.' });
  });
  it('downloads with nothing secret in the address', () => expect(exportAddress()).toBe('/api/memory/export'));
});
