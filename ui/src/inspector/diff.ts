// A small line diff (longest common subsequence) for "what changed since the previous call".

export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** A run of equal lines that is not worth showing. */
export interface DiffGap {
  kind: 'gap';
  lines: number;
}

/** Beyond this many comparisons the middle is shown as replaced whole, rather than making the page wait. */
const COMPARISONS_MAX = 4_000_000;

/** How `before` becomes `after`, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = lines(before);
  const fresh = lines(after);
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < fresh.length - head &&
    old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]
  ) {
    tail++;
  }
  return [
    ...old.slice(0, head).map(same),
    ...middle(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
}

/** Keeps `context` lines around each change and folds the rest into gaps. */
export function folded(diff: DiffLine[], context: number): (DiffLine | DiffGap)[] {
  const near = new Set<number>();
  diff.forEach((line, index) => {
    if (line.kind === 'same') return;
    for (let other = index - context; other <= index + context; other++) near.add(other);
  });
  const shown: (DiffLine | DiffGap)[] = [];
  diff.forEach((line, index) => {
    const last = shown.at(-1);
    if (near.has(index)) shown.push(line);
    else if (last?.kind === 'gap') last.lines++;
    else shown.push({ kind: 'gap', lines: 1 });
  });
  // Folding a single line saves nothing and hides something.
  let at = 0;
  return shown.map((item) => {
    const start = at;
    at += item.kind === 'gap' ? item.lines : 1;
    return item.kind === 'gap' && item.lines === 1 ? diff[start]! : item;
  });
}

export function counts(diff: DiffLine[]): { added: number; removed: number } {
  return {
    added: diff.filter((line) => line.kind === 'added').length,
    removed: diff.filter((line) => line.kind === 'removed').length,
  };
}

function middle(old: string[], fresh: string[]): DiffLine[] {
  if (old.length === 0 || fresh.length === 0 || old.length * fresh.length > COMPARISONS_MAX) {
    return [...old.map(removed), ...fresh.map(added)];
  }
  const width = fresh.length + 1;
  // common[i * width + j]: longest common subsequence of old[i..] and fresh[j..].
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      common[i * width + j] =
        old[i] === fresh[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const result: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      result.push(same(old[i]!));
      i++;
      j++;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) result.push(removed(old[i++]!));
    else result.push(added(fresh[j++]!));
  }
  return [...result, ...old.slice(i).map(removed), ...fresh.slice(j).map(added)];
}

function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

const same = (text: string): DiffLine => ({ kind: 'same', text });
const added = (text: string): DiffLine => ({ kind: 'added', text });
const removed = (text: string): DiffLine => ({ kind: 'removed', text });
