/// <reference types="vitest/config" />
// Builds the pages into `dist`, the room and the small share page each with an entry of its own: nothing inline, because the server's Content-Security-Policy forbids inline script and data URLs.
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

export default defineConfig({
  plugins: [svelte(), shareAddress()],
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
  test: { include: ['src/**/*.test.ts'] },
});
