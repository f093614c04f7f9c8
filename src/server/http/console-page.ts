/** Serves the web console under `/console`: the files that `npm run build` makes of the workspace `console/`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { rejection } from '../../streams/rejections.ts';

/** The same from the sources and from what is built. */
const FOLDER = fileURLToPath(new URL('../../../dist/console', import.meta.url));
const YEAR = '365d';

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

/** Whether the console was built; it is not in a checkout that runs from its sources. */
export function isConsoleBuilt(): boolean {
  return existsSync(join(FOLDER, 'index.html'));
}

export async function registerConsolePage(server: FastifyInstance): Promise<void> {
  const html = readFileSync(join(FOLDER, 'index.html'), 'utf8');
  /** The patterns of the pages' paths, below `/console/`. */
  const pages: readonly string[] = JSON.parse(readFileSync(join(FOLDER, 'pages.json'), 'utf8'));
  const known = pages.map((page) => new RegExp(`^${page.replaceAll(/:\w+/g, '[^/]+')}$`));

  await server.register(
    async (console) => {
      console.setErrorHandler((error) => {
        // The library's errors for unknown paths and ranges have no code.
        const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
        throw status < 500 ? rejection('VALIDATION_FAILED', 'There is no such file under /console.') : error;
      });
      console.addHook('onSend', async (_request, reply) => {
        reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
      });
      await console.register(fastifyStatic, {
        root: join(FOLDER, 'assets'),
        prefix: '/assets',
        index: false,
        // The names of these files follow from what is in them.
        maxAge: YEAR,
        immutable: true,
        preCompressed: true,
      });
      console.get('/*', (request, reply) => {
        const [path = ''] = request.url.split('?');
        const below = path.slice('/console/'.length);
        // Relative, so that the page's files are found under whatever path a proxy serves this.
        const folder = '../'.repeat(below.split('/').length - 1) || './';
        return reply
          .status(known.some((page) => page.test(below)) ? 200 : 404)
          .header('cache-control', 'no-store')
          .type('text/html; charset=utf-8')
          .send(html.replaceAll('"./', `"${folder}`));
      });
      console.get('', (_request, reply) => reply.redirect('./console/'));
    },
    { prefix: '/console' },
  );
}
