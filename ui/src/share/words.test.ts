import { describe, expect, it } from 'vitest';
import { cannot, inWords } from './capture';
import { ago, farewell, perSecond, stateLine, watching } from './words';

describe('every end', () => {
  const REASONS = ['stopped', 'lost', 'sharer_left', 'ended_by_operator', 'access_ended', 'restarted', 'session_not_found', 'stream_watch_disabled', 'taken_over', 'too_many_links', 'unreachable', 'no_token'];
  it('has a title and a next step of its own', () => {
    const said = REASONS.map((reason) => farewell(reason, 'Iris'));
    expect(new Set(said.map(({ title }) => title)).size).toBe(REASONS.length);
    for (const { text } of said) expect(text.length).toBeGreaterThan(30);
  });
  it('that nobody knows yet is named, with what the other side says', () => {
    expect(farewell('eaten_by_wolf', 'Iris').text).toContain('eaten by wolf');
    expect(farewell('eaten_by_wolf', 'Iris', 'It was hungry.').text).toBe('It was hungry.');
  });
  it('is calm only where somebody wanted it', () => {
    expect(farewell('stopped', 'Iris').calm).toBe(true);
    expect(farewell('lost', 'Iris').calm).toBe(false);
  });
});

it('whether somebody looks', () => {
  expect(watching({ connected: false, watched: true, refusal: '' })).toBe('reconnecting');
  expect(watching({ connected: true, watched: true, refusal: '' })).toBe('watched');
  expect(watching({ connected: true, watched: false, refusal: 'target_user_mismatch' })).toBe('elsewhere');
  expect(watching({ connected: true, watched: false, refusal: 'watch_not_active' })).toBe('nobody');
  expect(watching({ connected: true, watched: false, refusal: 'stream_watch_disabled' })).toBe('off');
  expect(watching({ connected: true, watched: false, refusal: '' })).toBe('waiting');
  expect(stateLine('watched', 'Iris').says).toBe('Iris is watching');
  expect(stateLine('elsewhere', 'Iris').says).toBe('Somebody else’s screen is watched here');
});

describe('why there is no screen', () => {
  it('a plain http address, a phone, or nothing wrong', () => {
    expect(cannot({ secure: false, capable: false, host: 'house:8787' })?.text).toContain('https://house:8787');
    expect(cannot({ secure: true, capable: false, host: 'x' })?.title).toBe('This browser cannot share a screen');
    expect(cannot({ secure: true, capable: true, host: 'x' })).toBeNull();
  });
  it('a closed picker is no trouble; a system that forbids it is', () => {
    expect(inWords('NotAllowedError', 'Permission denied').harmless).toBe(true);
    expect(inWords('NotAllowedError', 'Permission denied by system').text).toContain('Screen & System Audio Recording');
    expect(inWords('NotAllowedError', 'disallowed by permissions policy').title).toBe('This page may not share screens');
    expect(inWords('NotReadableError', 'Could not start video source').text).toContain('Could not start video source');
    expect(inWords('Strange', '').title).toBe('The screen could not be shared');
  });
});

it('times and rates as people say them', () => {
  expect([0, 1_999, 2_000, 59_999, 61_000, 3_700_000].map(ago)).toEqual(['just now', 'just now', '2 s ago', '59 s ago', '1 min ago', '1 h 1 min ago']);
  expect(ago(-5_000)).toBe('just now');
  expect([2, 1, 0.8, 0.6, 0.2, 0].map(perSecond)).toEqual(['about 2.0 a second', 'about one a second', 'about one a second', 'about one every 2 seconds', 'about one every 5 seconds', 'none just now']);
});
