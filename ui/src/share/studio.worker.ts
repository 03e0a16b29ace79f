// A worker that keeps time and makes pictures: neither is slowed down while nobody looks at the tab.
import { difference, GRID_HEIGHT, GRID_WIDTH, lumaGrid, UNCHANGED_BELOW, type Grid } from './luma_grid';
import type { Order, Report } from './studio';

const TICK_MS = 250;
const scope = self as unknown as { onmessage: (event: MessageEvent<Order>) => void; postMessage: (report: Report, transfer?: Transferable[]) => void };
const small = canvas(GRID_WIDTH, GRID_HEIGHT, true);
const large = canvas(1, 1, false);
/** The screen as it was last made a picture of. */
let known: Grid | null = null;

setInterval(() => scope.postMessage({ type: 'tick' }), TICK_MS);

scope.onmessage = ({ data: order }) => void look(order);

async function look({ screen, size, always }: Order): Promise<void> {
  try {
    small.context.drawImage(screen, 0, 0, GRID_WIDTH, GRID_HEIGHT);
    const grid = lumaGrid(small.context.getImageData(0, 0, GRID_WIDTH, GRID_HEIGHT).data);
    const changed = difference(known, grid);
    if (!always && changed < UNCHANGED_BELOW) return scope.postMessage({ type: 'unchanged' });
    const width = Math.min(size.width, screen.width);
    const height = Math.max(1, Math.round((screen.height * width) / screen.width));
    large.element.width = width;
    large.element.height = height;
    large.context.imageSmoothingQuality = 'high';
    large.context.drawImage(screen, 0, 0, width, height);
    const blob = await large.element.convertToBlob({ type: 'image/jpeg', quality: size.quality });
    known = grid;
    const jpeg = await blob.arrayBuffer();
    scope.postMessage({ type: 'picture', jpeg, width, height }, [jpeg]);
  } catch (problem) {
    scope.postMessage({ type: 'failed', problem: problem instanceof Error ? problem.message : String(problem) });
  } finally {
    screen.close();
  }
}

function canvas(width: number, height: number, read: boolean) {
  const element = new OffscreenCanvas(width, height);
  const context = element.getContext('2d', { alpha: false, willReadFrequently: read })!;
  context.imageSmoothingQuality = 'high';
  return { element, context };
}
