/// <reference types="vitest/config" />
// Builds the pages into `dist`: nothing inline, because the server's Content-Security-Policy forbids inline script and data URLs.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const denizen = 'http://127.0.0.1:8787';

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': { target: process.env.DENIZEN_URL ?? denizen, changeOrigin: true } } },
  test: { include: ['src/**/*.test.ts'] },
});
