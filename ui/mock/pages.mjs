// Serves the built pages under the same strict headers as the real server, so that what they forbid is noticed here.
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Only the share page may ask for a screen. */
const permissions = (file) => `camera=(), display-capture=(${file === '/share.html' ? 'self' : ''}), geolocation=(), microphone=()`;

export async function pages(path, response) {
  const asked = normalize(path).replace(/^(\.\.[/\\])+/, '');
  const file = asked === '/share' ? '/share.html' : asked === '/' || !extname(asked) ? '/index.html' : asked;
  let bytes;
  try {
    bytes = await readFile(join(DIST, file));
  } catch {
    response.writeHead(404, { 'content-type': 'text/plain' });
    response.end(file.endsWith('.html') ? 'No pages yet: run `npm run build` first.' : 'No such file.');
    return;
  }
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'cache-control': file.endsWith('.html') ? 'no-cache' : 'public, max-age=31536000, immutable',
    'content-security-policy': POLICY, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer',
    'permissions-policy': permissions(file), 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin',
  });
  response.end(bytes);
}
