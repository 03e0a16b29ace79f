// A person's timeline by day, and which gems replaced which.
import type { Gem, TimelineItem } from '../api/contract';
import { day } from '../shell/format';
import { instant } from './words';

export interface Day {
  label: string;
  items: TimelineItem[];
}

/** In the order given (newest first), one group for each day. */
export function byDay(items: TimelineItem[], now: number): Day[] {
  const days: Day[] = [];
  for (const item of items) {
    const label = day(instant(item.at), now);
    const last = days.at(-1);
    if (last?.label === label) last.items.push(item);
    else days.push({ label, items: [item] });
  }
  return days;
}

/** What each gem replaced, nearest first, as far as it is among these. */
export function chains(gems: Gem[]): Map<string, Gem[]> {
  const replaced = new Map<string, Gem[]>();
  for (const gem of gems) {
    if (!gem.superseded_by || gem.superseded_by === gem.gem_id) continue;
    replaced.set(gem.superseded_by, [...(replaced.get(gem.superseded_by) ?? []), gem]);
  }
  return new Map(gems.filter((gem) => replaced.has(gem.gem_id)).map((gem) => [gem.gem_id, before(gem.gem_id, replaced)]));
}

function before(id: string, replaced: Map<string, Gem[]>): Gem[] {
  const found: Gem[] = [];
  const seen = new Set([id]);
  for (let queue = [id]; queue.length; ) {
    const older = queue.flatMap((each) => replaced.get(each) ?? []).filter((gem) => !seen.has(gem.gem_id));
    for (const gem of older) seen.add(gem.gem_id);
    found.push(...older);
    queue = older.map((gem) => gem.gem_id);
  }
  return found;
}
