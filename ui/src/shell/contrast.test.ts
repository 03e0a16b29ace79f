// Marks and words can be told from what they stand on: at least 4.5 to 1, in light and in dark.
import { describe, expect, it } from 'vitest';

const raw = import.meta.glob<string>(['../app.css', './Pane.svelte'], { query: '?raw', import: 'default', eager: true });
const css = Object.values(raw).join('\n');

/** Both sides of a colour that is a pair. */
function pair(name: string): [light: string, dark: string] {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`, 'i').exec(css);
  return [found?.[1] ?? '', found?.[2] ?? ''];
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(left: string, right: string): number {
  const [dark, light] = [luminance(left), luminance(right)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

describe('what stands on a page', () => {
  const inks = ['pane', 'ink', 'ink-soft', 'ink-faint', 'accent', 'lamp', 'good', 'bad', 'warn'];
  const grounds = ['surface', 'raised', 'sunken', 'ground'];
  it.each(inks.flatMap((ink) => grounds.map((ground) => [ink, ground])))('%s can be seen on %s', (ink, ground) => {
    for (const side of [0, 1] as const) expect(contrast(pair(ink!)[side], pair(ground!)[side]), side ? 'dark' : 'light').toBeGreaterThanOrEqual(4.5);
  });
  it('is measured as it should be', () => expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5));
});
