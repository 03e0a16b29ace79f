// What the badge of the model says once it is opened: of every model in use, what for, what it takes and what it refuses.
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { beforeAll, describe, expect, it, vi } from 'vitest';

let shown: (model: Record<string, unknown>) => string;

beforeAll(async () => {
  vi.stubGlobal('location', { hash: '#/room/lounge', search: '', href: 'http://here/' });
  vi.stubGlobal('addEventListener', () => undefined);
  const { session } = await import('./session.svelte');
  const { default: badge } = (await import('./ModelBadge.svelte')) as { default: Component<{ open?: boolean }> };
  const usual = { provider: 'compatible', model: 'qwen3:4b', baseUrl: 'http://127.0.0.1:11434/v1', offline: false, because: 'a server answers', howToChange: 'Set llm.provider' };
  shown = (model) => {
    Object.assign(session, { role: 'administrator', model: { ...usual, ...model } });
    return render(badge, { props: { open: true } }).body.replace(/<!--.*?-->/g, '');
  };
});

describe('what is known of the models in use', () => {
  const since = '2026-11-17T00:00:00Z';
  const inUse = [
    { provider: 'compatible', model: 'qwen3:4b', usedFor: ['replies', 'what it says aloud'], abilities: ['tools', 'thinking'], readsTokens: 8192, lacks: [{ what: 'it reads 8192 tokens', habit: true, since }] },
    { provider: 'compatible', model: 'gemma3:1b', usedFor: ['summaries'], abilities: [], lacks: [{ what: 'tools', since }, { what: 'pictures', since }] },
  ];
  it('names what each is asked for', () => expect(shown({ inUse })).toMatch(/replies, what it says aloud[^]*qwen3:4b[^]*summaries[^]*gemma3:1b/));
  it('says what it takes and how much it reads', () => expect(shown({ inUse })).toContain('takes tools, thinking; reads 8,192 tokens'));
  it('says of a guess that it is one', () =>
    expect(shown({ inUse: [{ ...inUse[0], readsTokens: 4096, readsGuessed: true }] })).toContain('reads perhaps 4,096 tokens'));
  it('says what it refuses', () => expect(shown({ inUse })).toContain('It does not take, so that it is left out: tools, pictures.'));
  it('says what it was seen to do', () => expect(shown({ inUse })).toContain('It was seen that it reads 8192 tokens.'));
  it('has something to say of one that takes nothing', () => expect(shown({ inUse })).toContain('takes words alone'));
  it('says it of the model of replies where no more is known', () =>
    expect(shown({ lacks: [{ what: 'tools', since }] })).toMatch(/left out<\/dt>\s*<dd[^>]*>tools/));
});
