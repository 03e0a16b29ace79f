// What is wrong with Denizen, as those who run it and those who visit it are told.
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { beforeAll, describe, expect, it, vi } from 'vitest';

let shown: (role: string, health: Record<string, unknown>) => string;

beforeAll(async () => {
  vi.stubGlobal('location', { hash: '#/room/lounge', search: '', href: 'http://here/' });
  vi.stubGlobal('addEventListener', () => undefined);
  const { session } = await import('./session.svelte');
  const { default: banner } = (await import('./HealthBanner.svelte')) as { default: Component };
  shown = (role, health) => {
    Object.assign(session, { role, health: { community: 'local', ...health } });
    return render(banner).body;
  };
});

describe('the line about how Denizen is', () => {
  const ill = { status: 'degraded', reasons: ['The disk takes nothing. Make room in data/.'] };
  it('gives administrators the reason', () => expect(shown('administrator', ill)).toContain('The disk takes nothing. Make room in data/.'));
  it('lists several', () => expect(shown('administrator', { status: 'degraded', reasons: ['One.', 'Two.'] })).toMatch(/2 things[^]*<li[^>]*>One\.<\/li>[^]*<li[^>]*>Two\.<\/li>/));
  it('is silent while all is well', () => expect(shown('administrator', { status: 'ok' })).not.toContain('wrong'));
  it('does not trouble those who could do nothing about it', () => expect(shown('participant', ill)).not.toContain('disk'));
  it('says that something is wrong even if nobody says what', () => expect(shown('administrator', { status: 'degraded' })).toContain('Its log may'));
});
