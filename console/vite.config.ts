/** Builds the console into `dist/console`; `npm run dev:console` serves it before a running service. */
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { pages } from './src/pages.ts';

const OUTPUT = fileURLToPath(new URL('../dist/console', import.meta.url));
const SERVICE = process.env.LEVY_URL ?? 'http://127.0.0.1:3000';

/** Emits the list of pages; the service returns 404 for all other paths. */
const listPages: Plugin = {
  name: 'list-pages',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) });
  },
};

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // A relative base lets a proxy serve the console below any path.
  base: command === 'build' ? './' : '/console/',
  resolve: { conditions: ['levy-source', 'module', 'browser', 'development|production'] },
  // No inlined scripts or assets: the content security policy forbids them.
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  plugins: command === 'build' ? [listPages] : [],
  server: {
    port: 5173,
    proxy: { '^/(?!console/)': { target: SERVICE, changeOrigin: false } },
  },
}));
