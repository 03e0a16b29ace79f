// How bright a JPEG is, place by place, without drawing it: the mean of each block of eight by eight is its first coefficient.
// Baseline files only, which is what browsers make of a canvas.
export const GRID_WIDTH = 64;
export const GRID_HEIGHT = 36;

/** 64 by 36 brightnesses from 0 to 255 and the picture's size; null where it cannot be read. */
export function luma(bytes) {
  try {
    return decoded(bytes);
  } catch {
    return null;
  }
}

function decoded(bytes) {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  const quants = {};
  const tables = {};
  let frame = null;
  let restart = 0;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1];
    const size = bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, at + 2 + size);
    at += 2 + size;
    if (marker === 0xdb) readQuants(body, quants);
    else if (marker === 0xc4) readTables(body, tables);
    else if (marker === 0xc0 || marker === 0xc1) frame = readFrame(body);
    else if (marker === 0xc2) return null;
    else if (marker === 0xdd) restart = body.readUInt16BE(0);
    else if (marker === 0xda) {
      for (let index = 0; index < body[0]; index++) {
        const part = frame.parts.find((each) => each.id === body[1 + index * 2]);
        [part.dc, part.ac] = [tables[body[2 + index * 2] >> 4], tables[16 + (body[2 + index * 2] & 15)]];
      }
      return { width: frame.width, height: frame.height, grid: scan(bytes, at, frame, quants, restart) };
    }
  }
  return null;
}

function readQuants(body, quants) {
  for (let at = 0; at < body.length; ) {
    const wide = body[at] >> 4;
    // Of each table only the first number matters here.
    quants[body[at] & 15] = wide ? body.readUInt16BE(at + 1) : body[at + 1];
    at += 1 + 64 * (wide ? 2 : 1);
  }
}

/** Codes by their length: `first` code, and where its symbols begin. */
function readTables(body, tables) {
  for (let at = 0; at < body.length; ) {
    const name = body[at];
    const counts = body.subarray(at + 1, at + 17);
    const lengths = [];
    let code = 0;
    let from = 0;
    for (let bits = 1; bits <= 16; bits++) {
      lengths[bits] = { first: code, from, count: counts[bits - 1] };
      code = (code + counts[bits - 1]) << 1;
      from += counts[bits - 1];
    }
    tables[name] = { lengths, symbols: body.subarray(at + 17, at + 17 + from) };
    at += 17 + from;
  }
}

function readFrame(body) {
  const parts = [];
  for (let index = 0; index < body[5]; index++) {
    const at = 6 + index * 3;
    parts.push({ id: body[at], across: body[at + 1] >> 4, down: body[at + 1] & 15, quant: body[at + 2] });
  }
  return { height: body.readUInt16BE(1), width: body.readUInt16BE(3), parts };
}

function scan(bytes, start, { width, height, parts }, quants, restart) {
  const across = Math.max(...parts.map((part) => part.across));
  const down = Math.max(...parts.map((part) => part.down));
  const columns = Math.ceil(width / (8 * across));
  const rows = Math.ceil(height / (8 * down));
  const bits = reader(bytes, start);
  const sums = new Float64Array(GRID_WIDTH * GRID_HEIGHT);
  const counts = new Float64Array(GRID_WIDTH * GRID_HEIGHT);
  for (const part of parts) part.last = 0;
  for (let unit = 0; unit < columns * rows; unit++) {
    if (restart && unit && unit % restart === 0) {
      bits.restart();
      for (const part of parts) part.last = 0;
    }
    for (const part of parts) {
      for (let block = 0; block < part.across * part.down; block++) {
        part.last += difference(bits, part.dc);
        skip(bits, part.ac);
        if (part !== parts[0]) continue;
        const x = ((unit % columns) * part.across + (block % part.across)) * 8;
        const y = (Math.floor(unit / columns) * part.down + Math.floor(block / part.across)) * 8;
        if (x >= width || y >= height) continue;
        const cell = Math.min(GRID_HEIGHT - 1, Math.floor((y * GRID_HEIGHT) / height)) * GRID_WIDTH + Math.min(GRID_WIDTH - 1, Math.floor((x * GRID_WIDTH) / width));
        sums[cell] += Math.max(0, Math.min(255, (part.last * quants[part.quant]) / 8 + 128));
        counts[cell] += 1;
      }
    }
  }
  let last = 0;
  // A small picture has fewer blocks than the grid has cells: those between take their neighbour's.
  return Float64Array.from(sums, (sum, cell) => (last = counts[cell] ? sum / counts[cell] : last));
}

function difference(bits, table) {
  const size = bits.symbol(table);
  return size ? bits.signed(size) : 0;
}

function skip(bits, table) {
  for (let index = 1; index < 64; index++) {
    const symbol = bits.symbol(table);
    const size = symbol & 15;
    if (size === 0 && symbol !== 0xf0) return;
    index += symbol >> 4;
    if (size) bits.signed(size);
  }
}

function reader(bytes, at) {
  let held = 0;
  let left = 0;
  const bit = () => {
    if (left === 0) {
      held = bytes[at++];
      if (held === undefined) throw new Error('the picture ends too early');
      // A byte of ones in the data is followed by a nought.
      if (held === 0xff && bytes[at] === 0) at++;
      left = 8;
    }
    return (held >> --left) & 1;
  };
  return {
    symbol({ lengths, symbols }) {
      let code = 0;
      for (let length = 1; length <= 16; length++) {
        code = (code << 1) | bit();
        const { first, from, count } = lengths[length];
        if (code - first < count) return symbols[from + code - first];
      }
      throw new Error('no such code');
    },
    signed(size) {
      let value = 0;
      for (let index = 0; index < size; index++) value = (value << 1) | bit();
      return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
    },
    restart() {
      left = 0;
      while (!(bytes[at] === 0xff && bytes[at + 1] >= 0xd0 && bytes[at + 1] <= 0xd7)) at++;
      at += 2;
    },
  };
}
