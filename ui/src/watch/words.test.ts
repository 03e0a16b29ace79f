import { describe, expect, it } from 'vitest';
import type { NoteTakerView } from '../api/contract';
import { expiry } from './expiry';
import { markAt, share, view } from './sample';
import { commentary, frameName, gate, headline, hourly, laneOf, mark, noteTaker, remaining, score, times, trigger } from './words';

describe('whose screen is watched', () => {
  const alice = share('Alice');
  const jonas = share('Jonas');
  it('one, none, or nobody’s', () => {
    expect(headline(view({ shares: [alice], watched: 'share-alice' }), 'Iris')).toBe('Iris watches Alice’s screen.');
    expect(headline(view({ shares: [alice, jonas], watched: 'share-jonas' }), 'Iris')).toBe('Iris watches Jonas’ screen.');
    expect(headline(view(), 'Iris')).toBe('Nobody shares a screen here.');
    expect(headline(view({ shares: [alice] }), 'Iris')).toBe('Alice shares a screen, and nobody watches it.');
    expect(headline(view({ enabled: false }), 'Iris')).toBe('Watching screens is switched off.');
  });
  it('of several none is guessed', () => {
    expect(headline(view({ shares: [alice, jonas, share('Mira')] }), 'Iris')).toBe('Alice, Jonas and Mira share their screens; none is watched.');
  });
});

describe('what the note-taker does', () => {
  const idle: NoteTakerView = { asking: null, heldBy: null, dueIn: null, failures: 0, lastFailure: null };
  it('counts on from when it was read', () => {
    expect(noteTaker({ ...idle, heldBy: 'interval', dueIn: 9_400 }, 3_000).says).toBe('Something moves; looks again in 7 s.');
    expect(noteTaker({ ...idle, heldBy: 'interval', dueIn: 2_000 }, 3_000).says).toBe('Something moves; looks again now.');
    expect(noteTaker({ ...idle, asking: { ask: 1, runningFor: 1_000 }, heldBy: 'in_flight' }, 500).says).toBe('Looking, for 1.5 s now.');
  });
  it('has a sentence for every reason, and the name of one it does not know', () => {
    for (const heldBy of ['no_frame', 'frozen', 'cooldown', 'interval', 'idle_interval', 'in_flight', 'hourly_cap']) expect(noteTaker({ ...idle, heldBy }, 0).says).not.toContain('_');
    expect(noteTaker({ ...idle, heldBy: 'full_moon' }, 0).says).toBe('Waits: full moon.');
    expect(noteTaker(idle, 0).says).toBe('Watches nothing.');
  });
  it('says what went wrong', () => {
    expect(noteTaker({ ...idle, failures: 1, lastFailure: 'no such model' }, 0).wrong).toBe('The last note failed: no such model');
    expect(noteTaker({ ...idle, failures: 3 }, 0).wrong).toBe('The last 3 notes failed.');
    expect(noteTaker(idle, 0).wrong).toBe('');
  });
});

describe('commentary', () => {
  const quiet = { enabled: true, asking: null, saying: false, waiting: null, waitingFor: null, gates: [], dueIn: null };
  it('says what it waits for, and how long it has', () => {
    const gates = [{ gate: 'quiet_window', shut: true, heldFor: 0, opensIn: 900 }, { gate: 'spacing', shut: false, heldFor: 0, opensIn: null }];
    expect(commentary({ ...quiet, waiting: 'change_detected', waitingFor: 4_000, gates }, 1_000)).toBe('Has something to consider (much changed) and waits for 5.0 s: somebody spoke or typed a moment ago.');
    expect(commentary({ ...quiet, dueIn: 8_000 }, 1_000)).toBe('Considers a comment in 7 s.');
    expect(commentary({ ...quiet, enabled: false }, 0)).toContain('switched off');
  });
  it('every gate has words for shut and for open', () => {
    for (const name of ['commentary_off', 'quiet_window', 'queued_work', 'playback', 'spacing', 'hourly_cap', 'call_cap', 'channel_not_allowed', 'nothing_new']) {
      expect(gate(name, true).says).not.toBe(gate(name, false).says);
      expect(gate(name, true).name).not.toContain('_');
    }
    expect(gate('locked_door', true)).toEqual({ name: 'locked door', says: 'shut' });
  });
});

describe('what it costs', () => {
  const calls = { notes: 0, commentary: 0, failed: 0, costMicroDollars: 0, unpriced: 0, callsPerHour: 0, costPerHourMicroDollars: 0 };
  it('is not known where no price is', () => {
    expect(hourly({ ...calls, notes: 12, unpriced: 12, callsPerHour: 360 })).toMatchObject({ calls: '360 calls an hour', money: 'price not known' });
  });
  it('is known, or known in part', () => {
    expect(hourly({ ...calls, notes: 10, callsPerHour: 1_200, costPerHourMicroDollars: 120_000 })).toEqual({ calls: '1,200 calls an hour', money: '$0.1200 an hour', more: '' });
    expect(hourly({ ...calls, notes: 10, commentary: 2, unpriced: 2, callsPerHour: 100, costPerHourMicroDollars: 120_000 }).more).toBe('The price of 2 calls is not known and comes on top.');
  });
  it('is nothing before anything was asked', () => expect(hourly(calls)).toEqual({ calls: 'no calls yet', money: '', more: '' }));
});

it('marks stand in their lanes, under their names', () => {
  expect(['note_added', 'commentary_held', 'watch_started'].map((kind) => laneOf(markAt(0, kind as 'note_added')))).toEqual(['notes', 'comments', 'watch']);
  for (const kind of ['note_added', 'note_refreshed', 'note_failed', 'commentary_held', 'commentary_spoken', 'commentary_silent', 'commentary_failed', 'watch_started', 'watch_ended'] as const) expect(mark(kind).says).not.toContain('_');
  expect(trigger('scene_cut')).toBe('the whole screen changed');
  expect(trigger(null)).toBe('');
});

it('small things in words', () => {
  expect([7, 1_794_739_753_024].map(frameName)).toEqual(['frame 7', 'frame …753024']);
  expect([0, 0.00003, 0.0005, 0.0123, 0.4].map(score)).toEqual(['0', '<0.0001', '0.0005', '0.012', '0.4']);
  expect([0, 1, 2, 31].map(times)).toEqual(['0 times', 'once', 'twice', '31 times']);
  expect([-1, 400, 1_200, 65_000].map(remaining)).toEqual(['now', 'now', 'in 2 s', 'in 1 min 5 s']);
  expect([0, 30_000, 60_000, 90_400].map(expiry)).toEqual(['It has expired; make another.', 'Open it within 30 s; a share that is under way goes on.', 'Open it within 1 min; a share that is under way goes on.', 'Open it within 1 min 30 s; a share that is under way goes on.']);
});
