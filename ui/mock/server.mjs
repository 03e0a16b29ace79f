// A stand-in for Denizen's server while working on the pages: `npm run mock`, then open the address it prints.
// It speaks the same HTTP API and live events, keeps everything in memory, and serves `dist` when there is one.
import { createServer } from 'node:http';
import { Ambient } from './ambient.mjs';
import { pastMessages } from './ambient_past.mjs';
import { pages } from './pages.mjs';
import { livePast } from './past.mjs';
import { ApiProblem } from './problem.mjs';
import { handle } from './routes.mjs';
import { play } from './scene.mjs';
import { shareSocket } from './watch_socket.mjs';
import { World } from './world.mjs';

const BODY_BYTES_MAX = 32 << 20;

/** Starts a mock on a port (0: any) and resolves to its address. */
export async function start({ port = 0, past = true, watched = false, tickMs = 60_000 } = {}) {
  const world = new World();
  world.ambient = new Ambient(world, past);
  world.ambient.hurry(tickMs);
  if (past) {
    await livePast(world);
    pastMessages(world, world.ambient);
  } else world.remembers = false;
  const server = createServer((request, response) => {
    serve(world, request, response).catch((problem) => {
      const known = problem instanceof ApiProblem;
      if (!known) console.error(problem);
      if (response.headersSent) return response.destroy();
      const error = known ? { code: problem.code, message: problem.message, details: problem.details, ...problem.extra } : { code: 'broken', message: String(problem) };
      response.writeHead(known ? problem.status : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error }));
    });
  });
  const sockets = new Set();
  server.on('upgrade', (request, socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    if (request.url === '/api/watch/socket') shareSocket(world, request, socket);
    else socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
  });
  if (watched) play(world);
  // The server does not count a socket among its connections once it is upgraded.
  const drop = () => { server.closeAllConnections(); for (const socket of sockets) socket.destroy(); };
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, world, drop, stop: () => { drop(); server.close(); } };
}

async function serve(world, request, response) {
  const url = new URL(request.url, 'http://mock');
  if (!url.pathname.startsWith('/api/')) return pages(url.pathname, response);
  if (url.pathname === '/api/events') return events(world, url, request, response);
  const body = await read(request);
  const answer = await handle(world, { method: request.method, url, headers: request.headers, body });
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', 'cache-control': 'no-store', ...answer.headers });
  response.end(answer.bytes ?? (answer.json === undefined ? '' : JSON.stringify(answer.json)));
}

function events(world, url, request, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const write = (id, type, data) => response.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  const given = request.headers['last-event-id'] ?? url.searchParams.get('after');
  const { missed, stop } = world.subscribe(given ? Number(given) : null, ({ id, event }) => write(id, event.type, event));
  write(world.nextEvent - 1, 'hello', { version: 'mock', next: world.nextEvent });
  if (missed === null) write(world.nextEvent - 1, 'reset', {});
  else for (const { id, event } of missed) write(id, event.type, event);
  const beat = setInterval(() => response.write(': still here\n\n'), 15_000);
  request.on('close', () => { clearInterval(beat); stop(); });
}

async function read(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new ApiProblem(413, 'too_large', 'The request is larger than this server takes.');
    chunks.push(chunk);
  }
  if (size === 0) return null;
  const body = Buffer.concat(chunks);
  if (/^(image|video)\/|^application\/sdp/.test(request.headers['content-type'] ?? '')) return body;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ApiProblem(400, 'bad_json', 'The body is not JSON.');
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { url } = await start({ port: Number(process.env.PORT ?? 8787), past: process.env.MOCK_EMPTY !== '1', watched: process.env.MOCK_WATCH === '1' });
  console.log(`mock of Denizen at ${url}`);
}
