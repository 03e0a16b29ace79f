// Watches for the tests.
import type { Mark, Sample, ShareView } from '../api/contract';
import type { WatchView } from './view';

export function sample(at: number, score: number, more: Partial<Sample> = {}): Sample {
  return { at, frame: at, kind: 'jpeg', width: 960, height: 540, score, ema: score, sceneCut: score >= 0.4, ...more };
}

export function share(name: string, more: Partial<ShareView> = {}): ShareView {
  return { share: `share-${name.toLowerCase()}`, person: `local:${name.toLowerCase()}`, name, source: 'share_page', since: 0, watched: false, frames: 0, ...more };
}

export const markAt = (at: number, kind: Mark['kind'], more: Partial<Mark> = {}): Mark => ({ at, kind, frame: null, trigger: null, text: '', ...more });

export function view(more: Partial<WatchView> = {}): WatchView {
  return {
    enabled: true, shares: [], watched: null, generation: 0, newest: null, activity: null, thresholdMode: 'absolute', thresholds: { change: 0.01, staticFloor: 0.005 }, notes: [],
    noteTaker: { asking: null, heldBy: null, dueIn: null, failures: 0, lastFailure: null },
    commentary: { enabled: true, asking: null, saying: false, waiting: null, waitingFor: null, gates: [], dueIn: null },
    calls: { notes: 0, commentary: 0, failed: 0, costMicroDollars: 0, unpriced: 0, callsPerHour: 0, costPerHourMicroDollars: 0 }, marks: [], ...more,
  };
}
