// A page worth sharing: a slide that can be still, moving, or another one altogether, served from an address of its own.
import { createServer } from 'node:http';

export const STAGE_TITLE = 'The shared slide';

const PAGE = `<!doctype html><html><head><meta charset="utf-8"><title>${STAGE_TITLE}</title><style>
  body { margin: 0; height: 100vh; font: 600 46px system-ui, sans-serif; background: #10243a; color: #e8eef5; overflow: hidden; }
  h1 { margin: 0; padding: 8vh 6vw 2vh; font-size: 72px; } p { padding: 0 6vw; }
  #thing { position: absolute; left: 10vw; top: 62vh; width: 22vw; height: 22vh; background: #f2b23e; }
  body.other { background: #fbf7ee; color: #221c10; } body.other #thing { background: #2b6cb0; }
</style></head><body><h1>Quarterly plan</h1><p>Ship the kettle by Thursday.</p><div id="thing"></div>
<script>
  let moving = 0;
  window.show = ({ other = document.body.className === 'other', title, text, move = 0 }) => {
    document.body.className = other ? 'other' : '';
    if (title) document.querySelector('h1').textContent = title;
    if (text) document.querySelector('p').textContent = text;
    moving = move;
  };
  let at = 0;
  setInterval(() => { if (moving) document.getElementById('thing').style.left = 10 + ((at += moving) % 60) + 'vw'; }, 100);
</script></body></html>`;

/** Serves the slide; `url` is its address. */
export async function openStage() {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => { server.closeAllConnections(); server.close(); } };
}
