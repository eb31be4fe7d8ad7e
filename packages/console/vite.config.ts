import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server that `npm run dev` talks to. */
const server = 'http://127.0.0.1:8010';
const proxied = ['/v1', '/health', '/ready', '/metrics', '/admin', '/openapi.json', '/docs', '/mcp'];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react()],
  resolve: { conditions: ['memhall-source', 'module', 'browser', 'development|production'] },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, server])) },
  build: {
    // The server serves them from there, and packs them with its own code.
    outDir: fileURLToPath(new URL('../server/dist/console', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    license: { fileName: 'third-party-licenses.md' },
    reportCompressedSize: false,
  },
});
