/** Serves the web console under `/console`: the files that `npm run build` makes of the workspace `console/`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { rejection } from '../../streams/rejections.ts';
import { addReadyFiles, readyFile, readyPage, sendReady } from './send-ready.ts';

/** The same from the sources and from what is built. */
const FOLDER = fileURLToPath(new URL('../../../dist/console', import.meta.url));

/** Nothing inline, nothing from another host. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** False in a checkout that runs from its sources: the console is not built there. */
export function isConsoleBuilt(): boolean {
  return existsSync(join(FOLDER, 'index.html'));
}

export async function registerConsolePage(server: FastifyInstance): Promise<void> {
  const html = readFileSync(join(FOLDER, 'index.html'), 'utf8');
  /** The patterns of the pages' paths, below `/console/`. */
  const pages: readonly string[] = JSON.parse(readFileSync(join(FOLDER, 'pages.json'), 'utf8'));
  const known = pages.map((page) => new RegExp(`^${page.replaceAll(/:\w+/g, '[^/]+')}$`));

  const deepest = Math.max(...pages.map(depthOf));
  /** Indexed by the number of folders between `/console/` and the page. */
  const answers = Array.from({ length: deepest + 1 }, (_each, depth) =>
    // Relative, so that the page's files are found under whatever path a proxy serves this.
    readyPage(html.replaceAll('"./', `"${'../'.repeat(depth) || './'}`), 'revalidated'),
  );

  await server.register(
    async (console) => {
      console.addHook('onSend', async (_request, reply) => {
        reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
      });
      // The names of these files follow from their content.
      addReadyFiles(console, '/assets', [join(FOLDER, 'assets')], (file) => readyFile(file, 'immutable'));
      console.get('/*', (request, reply) => {
        const below = (request.url.split('?', 1)[0] ?? '').slice('/console/'.length);
        const answer = answers[depthOf(below)];
        if (answer === undefined) throw rejection('ROUTE_NOT_FOUND', 'Console page not found.');
        return sendReady(request, reply.status(known.some((page) => page.test(below)) ? 200 : 404), answer);
      });
      console.get('', (_request, reply) => reply.redirect('./console/'));
    },
    { prefix: '/console' },
  );
}

function depthOf(path: string): number {
  return path.split('/').length - 1;
}
