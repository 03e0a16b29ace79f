/// <reference types="vitest/config" />
// Builds the pages into `dist`, the room and the small share page each with an entry of its own: nothing inline, because the server's Content-Security-Policy forbids inline script and data URLs.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const denizen = 'http://127.0.0.1:8787';

/** While developing, `/share` is the share page, as it is on the server. */
function shareAddress(): Plugin {
  return {
    name: 'share-address',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, _, next) => {
        if (request.url === '/share') request.url = '/share.html';
        next();
      });
    },
  };
}

/** Beside each file a smaller form of it, for browsers that can read it; the server embeds them all and chooses. */
function smaller(): Plugin {
  const LEAST_BYTES = 1_024;
  return {
    name: 'smaller',
    apply: 'build',
    writeBundle: async ({ dir = 'dist' }) => {
      for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !/\.(js|css|html|svg|json)$/.test(entry.name)) continue;
        const bytes = await readFile(path);
        if (bytes.length < LEAST_BYTES) continue;
        await writeFile(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
        await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  plugins: [svelte(), shareAddress(), smaller()],
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['index.html', 'share.html'] },
  },
  // A worker is a file of its own, under the same policy as the rest.
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: process.env.DENIZEN_URL ?? denizen, changeOrigin: true, ws: true } } },
  test: { include: ['src/**/*.test.ts'], css: { include: [/app\.css/] } },
});
