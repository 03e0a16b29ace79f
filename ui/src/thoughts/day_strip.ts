// The last 24 hours of ticks as a strip of cells, each some minutes wide: which gate was shut, and what came of the runs. Pure.
import type { Receipt } from '../api/contract';
import type { Gates, Tone } from './gates';

export const DAY_MS = 86_400_000;

/** What a run came to; `running` while nobody knows yet. */
export type RunFate = 'posted' | 'held' | 'dropped' | 'failed' | 'running';

export interface Cell {
  from: number;
  until: number;
  ticks: number;
  /** The gate that was shut most often; none where every tick ran, or none came. */
  gate: Tone | null;
  /** What was most worth noticing among its runs. */
  run: RunFate | null;
  /** Everything in it, most ticks first. */
  parts: { label: string; ticks: number }[];
}

const FATES: Record<string, RunFate | undefined> = { post_now: 'posted', hold: 'held', drop: 'dropped', failed: 'failed' };
const WORTH: RunFate[] = ['posted', 'failed', 'held', 'dropped', 'running'];
const RUN_WORDS: Record<RunFate, string> = { posted: 'posted', held: 'held', dropped: 'dropped', failed: 'failed', running: 'thought' };

export const runFate = (receipt: Receipt): RunFate | null => (receipt.ran ? ((receipt.action && FATES[receipt.action]) || 'running') : null);

/** Cells up to `now`, oldest first; the newest is the one that is being filled. */
export function dayStrip(receipts: Receipt[], known: Gates, now: number, minutes: number): Cell[] {
  const width = minutes * 60_000;
  // Cells stand on the clock, so that they do not crawl while one looks at them.
  const until = Math.floor(now / width) * width + width;
  const cells = Array.from({ length: Math.round(DAY_MS / width) }, (_, index) => emptyCell(until - DAY_MS + index * width, width));
  const gates = cells.map(() => new Map<Tone, number>());
  const labels = cells.map(() => new Map<string, number>());
  for (const receipt of receipts) {
    for (const at of momentsOf(receipt)) {
      const index = Math.floor((at - (until - DAY_MS)) / width);
      const cell = cells[index];
      if (!cell) continue;
      cell.ticks += 1;
      const fate = runFate(receipt);
      const label = fate ? RUN_WORDS[fate] : known.name(receipt.gate);
      labels[index]!.set(label, (labels[index]!.get(label) ?? 0) + 1);
      if (fate) cell.run = cell.run === null || WORTH.indexOf(fate) < WORTH.indexOf(cell.run) ? fate : cell.run;
      else gates[index]!.set(known.kind(receipt.gate), (gates[index]!.get(known.kind(receipt.gate)) ?? 0) + 1);
    }
  }
  return cells.map((cell, index) => ({
    ...cell,
    gate: byCount(gates[index]!)[0]?.[0] ?? null,
    parts: byCount(labels[index]!).map(([label, ticks]) => ({ label, ticks })),
  }));
}

/** Ticks that were counted together lie evenly between the first and the last. */
function momentsOf({ firstAt, lastAt, ticks }: Receipt): number[] {
  if (ticks <= 1) return [lastAt];
  const many = Math.min(ticks, DAY_MS / 60_000);
  return Array.from({ length: many }, (_, index) => firstAt + ((lastAt - firstAt) * index) / (many - 1));
}

export interface LegendEntry {
  kind: Tone | RunFate;
  label: string;
  ticks: number;
}

/** What is in the strip, for its legend: first what came of runs, then the gates, most ticks first. */
export function legend(receipts: Receipt[], known: Gates, now: number): { runs: LegendEntry[]; gates: LegendEntry[] } {
  const runs = new Map<RunFate, number>();
  const gates = new Map<Tone, number>();
  for (const receipt of receipts) {
    const ticks = momentsOf(receipt).filter((at) => at > now - DAY_MS).length;
    if (ticks === 0) continue;
    const fate = runFate(receipt);
    if (fate) runs.set(fate, (runs.get(fate) ?? 0) + ticks);
    else gates.set(known.kind(receipt.gate), (gates.get(known.kind(receipt.gate)) ?? 0) + ticks);
  }
  return {
    runs: WORTH.flatMap((kind) => (runs.has(kind) ? [{ kind, label: RUN_WORDS[kind], ticks: runs.get(kind)! }] : [])),
    gates: byCount(gates).map(([kind, ticks]) => ({ kind, label: known.kindName(kind), ticks })),
  };
}

function byCount<K>(map: Map<K, number>): [K, number][] {
  return [...map].sort((left, right) => right[1] - left[1]);
}

function emptyCell(from: number, width: number): Cell {
  return { from, until: from + width, ticks: 0, gate: null, run: null, parts: [] };
}
