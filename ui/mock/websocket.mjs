// The server's side of a WebSocket (RFC 6455), as much of it as a browser needs: text, binary, pings, a close.
import { createHash } from 'node:crypto';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const MESSAGE_BYTES_MAX = 8 << 20;
const [CONTINUED, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];

/** Answers the handshake; null where it is none. `message` is given a string or a Buffer. */
export function accept(request, socket, { message, closed }) {
  const key = request.headers['sec-websocket-key'];
  if (!key || !/websocket/i.test(request.headers.upgrade ?? '')) {
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    return null;
  }
  const proof = createHash('sha1').update(key + MAGIC).digest('base64');
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${proof}\r\n\r\n`);
  socket.setNoDelay(true);
  const parts = [];
  let kind = 0;
  let pending = Buffer.alloc(0);
  let open = true;
  const end = () => {
    if (!open) return;
    open = false;
    closed();
  };
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    if (pending.length > MESSAGE_BYTES_MAX) return socket.destroy();
    for (let frame = take(pending); frame; frame = take(pending)) {
      pending = pending.subarray(frame.length);
      if (frame.opcode === PING) write(PONG, frame.payload);
      else if (frame.opcode === CLOSE) {
        write(CLOSE, frame.payload.subarray(0, 2));
        socket.end();
        end();
      } else if (frame.opcode <= BINARY) {
        if (frame.opcode !== CONTINUED) kind = frame.opcode;
        parts.push(frame.payload);
        if (!frame.final) continue;
        const whole = Buffer.concat(parts.splice(0));
        if (open) message(kind === TEXT ? whole.toString('utf8') : whole);
      }
    }
  });
  socket.on('close', end);
  socket.on('error', end);
  function write(opcode, payload) {
    if (socket.writable) socket.write(Buffer.concat([header(opcode, payload.length), payload]));
  }
  return {
    send: (word) => write(TEXT, Buffer.from(JSON.stringify(word))),
    close: () => {
      write(CLOSE, Buffer.from([3, 232]));
      socket.end();
      end();
    },
  };
}

function take(bytes) {
  if (bytes.length < 2) return null;
  const masked = (bytes[1] & 0x80) !== 0;
  let size = bytes[1] & 0x7f;
  let at = 2;
  if (size === 126) {
    if (bytes.length < 4) return null;
    size = bytes.readUInt16BE(2);
    at = 4;
  } else if (size === 127) {
    if (bytes.length < 10) return null;
    size = Number(bytes.readBigUInt64BE(2));
    at = 10;
  }
  const mask = masked ? bytes.subarray(at, at + 4) : null;
  if (masked) at += 4;
  if (bytes.length < at + size) return null;
  const payload = Buffer.from(bytes.subarray(at, at + size));
  if (mask) for (let index = 0; index < payload.length; index++) payload[index] ^= mask[index & 3];
  return { final: (bytes[0] & 0x80) !== 0, opcode: bytes[0] & 0x0f, payload, length: at + size };
}

function header(opcode, size) {
  if (size < 126) return Buffer.from([0x80 | opcode, size]);
  const long = Buffer.alloc(4);
  long[0] = 0x80 | opcode;
  long[1] = 126;
  long.writeUInt16BE(size, 2);
  return long;
}
