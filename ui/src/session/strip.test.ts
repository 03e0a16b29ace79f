import { describe, expect, it } from 'vitest';
import { run, sample } from './sample';
import { nextFold, sessionStart, strip, type Strip } from './strip';

const drawn = ({ segments }: Strip) => segments.map(({ kind, from, to, count }) => `${kind} ${from}–${to} (${count})`);
const whole = ({ segments }: Strip) => segments.reduce((sum, segment) => sum + segment.share, 0);

describe('the strip of turns', () => {
  it('is empty where nothing was said', () => expect(strip(sample(0, 0), 0)).toEqual({ segments: [], cursorAt: 0, squeezed: false }));
  it('is all protected while it is short', () => {
    const short = strip(sample(0, 12), 0);
    expect(drawn(short)).toEqual(['recent 0–11 (12)']);
    expect(short.cursorAt).toBe(0);
  });
  it('shows what is older than the protected window as next to go', () => {
    expect(drawn(strip(sample(0, 58), 0))).toEqual(['waiting 0–7 (8)', 'recent 8–57 (50)']);
  });
  it('shows the batch that is being folded, and what came since beside it', () => {
    const folding = sample(10, 73, { run: { ask: 4, cursor: 10, turns: 10, notes: 0, condensing: false }, finished: [run(0, 10)] });
    expect(drawn(strip(folding, 0))).toEqual(['folded 0–9 (10)', 'folding 10–19 (10)', 'waiting 20–22 (3)', 'recent 23–72 (50)']);
  });
  it('folds notes alone without marking a turn', () => {
    const notes = sample(0, 5, { run: { ask: 4, cursor: 0, turns: 0, notes: 12, condensing: false } });
    expect(drawn(strip(notes, 0))).toEqual(['recent 0–4 (5)']);
  });
  it('has a brick for each fold that is known, and one for those before', () => {
    const long = sample(40, 90, { finished: [run(20, 30), run(30, 40)] });
    expect(drawn(strip(long, 0))).toEqual(['folded 0–19 (20)', 'folded 20–29 (10)', 'folded 30–39 (10)', 'recent 40–89 (50)']);
  });
  it('begins where the session began, whatever was folded before it', () => {
    const second = sample(90, 150, { finished: [run(0, 10), run(80, 90)] });
    expect(drawn(strip(second, 80))).toEqual(['folded 80–89 (10)', 'waiting 90–99 (10)', 'recent 100–149 (50)']);
  });
  it('does not call folded what was lost', () => {
    expect(drawn(strip(sample(60, 110, { finished: [run(0, 10)] }), 0, [{ from: 10, until: 60 }]))).toEqual(['folded 0–9 (10)', 'lost 10–59 (50)', 'recent 60–109 (50)']);
  });
  it('counts turns that are there, not numbers', () => {
    const gaps = sample(0, 60);
    gaps.verbatim = gaps.verbatim.filter((turn) => turn.seq % 2 === 0);
    expect(drawn(strip(gaps, 0))).toEqual(['recent 0–58 (30)']);
  });
  it('fills its width, and squeezes a long past so that the present can be seen', () => {
    const fair = strip(sample(20, 80), 0);
    expect([whole(fair), fair.cursorAt, fair.squeezed]).toEqual([100, 25, false]);
    const long = strip(sample(5_000, 5_060), 0);
    expect(whole(long)).toBeCloseTo(100);
    expect([long.cursorAt, long.squeezed]).toEqual([42, true]);
    expect(strip(sample(10, 10), 0).cursorAt).toBe(100);
  });
});

describe('where a session began', () => {
  it('is where the one before it ended', () => expect(sessionStart(sample(90, 120), 80)).toBe(80));
  it('is the cursor while nothing of it is folded', () => expect(sessionStart(sample(80, 82, { summarisedAt: null }), null)).toBe(80));
  it('is the very first turn where no other end is known', () => expect(sessionStart(sample(30, 82), null)).toBe(0));
  it('is not the cursor where turns were lost', () => expect(sessionStart(sample(50, 1_050, { summarisedAt: null }), null, [{ from: 0, until: 50 }])).toBe(0));
});

describe('the next fold', () => {
  it.each([[0, 12, 61, 49], [0, 60, 61, 1], [10, 65, 71, 6], [30, 90, 91, 1]])('with the cursor at %i and %i turns it comes at turn %i, %i to go', (cursor, turns, atTurn, toGo) =>
    expect(nextFold(sample(cursor, turns))).toEqual({ when: 'later', atTurn, toGo }),
  );
  it('counts a turn that was taken back as said', () => {
    const view = sample(0, 61);
    view.verbatim = view.verbatim.slice(1);
    expect(nextFold(view)).toEqual({ when: 'due' });
  });
  it('comes later when so many were taken back that no whole batch is left', () => {
    const view = sample(10, 65);
    view.verbatim = view.verbatim.slice(5);
    expect(nextFold(view)).toEqual({ when: 'later', atTurn: 75, toGo: 10 });
  });
  it('is due beyond window and batch, until Denizen is asked', () => expect(nextFold(sample(0, 61))).toEqual({ when: 'due' }));
  it('is now while one is under way', () => {
    const view = sample(0, 61, { run: { ask: 1, cursor: 0, turns: 10, notes: 2, condensing: true } });
    expect(nextFold(view)).toEqual({ when: 'now', turns: 10, notes: 2, condensing: true });
  });
  it('never comes where folding is switched off', () => expect(nextFold(sample(0, 99, { enabled: false }))).toEqual({ when: 'off' }));
});
