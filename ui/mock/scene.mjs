// A screen that nobody shares: Mira plays a game, so that the pages have something to watch. `MOCK_WATCH=1`, or `play(world)`.
import { crc32, deflateSync } from 'node:zlib';
import { GRID_HEIGHT, GRID_WIDTH } from './jpeg_luma.mjs';
import { watchOf } from './watch.mjs';

const WIDTH = 320;
const HEIGHT = 180;
const FRAME_MS = 500;
/** What happens, for how many frames: how dark it is, how many things move, and how far. */
const ACTS = [
  { frames: 40, ground: 60, things: 3, speed: 1.5 },
  { frames: 30, ground: 64, things: 9, speed: 14 },
  { frames: 50, ground: 62, things: 0, speed: 0 },
  { frames: 24, ground: 228, things: 4, speed: 6 },
  { frames: 60, ground: 226, things: 1, speed: 0.6 },
];

/** Begins to share; the returned function stops it. */
export function play(world, { room = 'lounge', name = 'Mira', frameMs = FRAME_MS } = {}) {
  const watch = watchOf(world, room);
  const link = watch.by(watch.invite({ name }).token);
  watch.begin(link);
  let number = 0;
  const timer = setInterval(() => {
    if (link.ended) return clearInterval(timer);
    link.seenAt = Date.now();
    const pixels = draw(number++);
    watch.frame(link, 'image/png', png(pixels), { width: WIDTH, height: HEIGHT, grid: gridOf(pixels) });
  }, frameMs);
  timer.unref();
  return () => { clearInterval(timer); watch.end(link, 'stopped'); };
}

function draw(number) {
  let at = number % ACTS.reduce((sum, act) => sum + act.frames, 0);
  const act = ACTS.find((each) => (at < each.frames ? true : ((at -= each.frames), false)));
  const pixels = new Uint8Array(WIDTH * HEIGHT).fill(act.ground);
  box(pixels, 0, HEIGHT - 22, WIDTH, 22, act.ground > 128 ? 150 : 110);
  for (let thing = 0; thing < act.things; thing++) {
    const x = (thing * 97 + number * act.speed * (1 + thing / 3)) % (WIDTH - 40);
    const y = 12 + ((thing * 53) % (HEIGHT - 80)) + Math.sin(number / 3 + thing) * act.speed * 0.6;
    box(pixels, x, y, 34, 26, act.ground > 128 ? 40 + thing * 20 : 250 - thing * 14);
  }
  return pixels;
}

function box(pixels, left, top, width, height, value) {
  for (let y = Math.max(0, Math.round(top)); y < Math.min(HEIGHT, Math.round(top + height)); y++) {
    pixels.fill(value, y * WIDTH + Math.max(0, Math.round(left)), y * WIDTH + Math.min(WIDTH, Math.round(left + width)));
  }
}

function gridOf(pixels) {
  const grid = new Float64Array(GRID_WIDTH * GRID_HEIGHT);
  const [across, down] = [WIDTH / GRID_WIDTH, HEIGHT / GRID_HEIGHT];
  for (let y = 0; y < HEIGHT; y++) for (let x = 0; x < WIDTH; x++) grid[Math.floor(y / down) * GRID_WIDTH + Math.floor(x / across)] += pixels[y * WIDTH + x] / (across * down);
  return grid;
}

/** A grey picture as a PNG. */
function png(pixels) {
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) rows.set(pixels.subarray(y * WIDTH, (y + 1) * WIDTH), y * (WIDTH + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 1 })), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, check]);
}
