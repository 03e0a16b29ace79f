// A wire to Denizen that can be cut: pages reach a real server through it, and lose it when a check says so.
import { connect, createServer } from 'node:net';

/** Opens the wire to a server; resolves to its own address. */
export async function openWire(url) {
  const { hostname, port } = new URL(url);
  const ends = new Set();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [end, other] of [[near, far], [far, near]]) {
      ends.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => { ends.delete(end); other.destroy(); });
      end.pipe(other);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = () => { for (const end of ends) end.destroy(); };
  return { url: `http://127.0.0.1:${server.address().port}`, drop, stop: () => { drop(); server.close(); } };
}
