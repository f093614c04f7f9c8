/** Serves the API's description as a page under `/docs`, which loads nothing from other hosts. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { readyJson } from '../../../kernel/runtime/define-query.ts';
import { addReadyFiles, addReadyRoute, readyFile, readyPage, sendReady } from '../send-ready.ts';

const require = createRequire(import.meta.url);

const PREFIX = '/docs';
/** The page's renderer: of its package only the files for browsers are used. */
const RENDERER = join(dirname(require.resolve('@fastify/swagger-ui')), 'static');
/** The rest of the page, which the build copies beside what it compiles. */
const OWN = fileURLToPath(new URL('browser', import.meta.url));
const ownPart = (name: string) => readFileSync(join(OWN, name), 'utf8');
/** Pages that the build renders from `docs/`. The path is the same from the sources and from what is built. */
const GUIDES = fileURLToPath(new URL('../../../../dist/guides', import.meta.url));
const CODE = /^[A-Z0-9_]+$/;
const CONSOLE_LINK = /^.*<a href="\.\/\.\.\/console\/">.*\n/m;

/** The page runs only its own scripts, and may call the service at its own and at its public address. */
const contentSecurityPolicy = (publicOrigin: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${publicOrigin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

declare module 'fastify' {
  interface FastifyInstance {
    /** The path under which a proxy serves the service; empty at the root. */
    publicPath: string;
  }
}

/** `hasConsole`: whether the pages may lead to `/console/`. */
export async function registerDocsPage(
  server: FastifyInstance,
  publicUrl: () => string,
  hasConsole: boolean,
): Promise<void> {
  const page = (name: string) => (hasConsole ? ownPart(name) : ownPart(name).replace(CONSOLE_LINK, ''));
  await server.register(
    async (docs) => {
      docs.addHook('onSend', async (_request, reply) => {
        reply.header('content-security-policy', contentSecurityPolicy(new URL(publicUrl()).origin));
      });
      addReadyFiles(docs, '/static', [OWN, RENDERER], (file) => readyFile(file, 'revalidated'));
      if (existsSync(GUIDES)) addGuides(docs, page('guide.html'));
      // The addresses that the `type` of a problem names. Browsers scroll to the text.
      docs.get('/errors/*', ({ params }, reply) => {
        const { '*': code } = params as { readonly '*': string };
        return reply.redirect(
          `../guides/reference/error-codes.md${CODE.test(code) ? `#:~:text=${code}` : ''}`,
        );
      });
      const html = readyPage(page('index.html'), 'revalidated');
      docs.get('/', { prefixTrailingSlash: 'slash' }, (request, reply) => sendReady(request, reply, html));
      // Relative, so that it holds under whatever path a proxy serves this.
      docs.get('', (_request, reply) => reply.redirect('./docs/'));
    },
    { prefix: PREFIX },
  );
}

/** Registers the guides with their pictures, and the list of them. `frame` is the HTML around each. */
function addGuides(docs: FastifyInstance, frame: string): void {
  const list = readyJson(readFileSync(join(GUIDES, 'guides.json'), 'utf8'));
  addReadyRoute(docs, '/guides.json', () => list);
  addReadyFiles(docs, '/guides', [GUIDES], (file, path) => {
    if (!path.endsWith('.md')) return readyFile(file, 'revalidated');
    const content = readFileSync(file, 'utf8');
    const title = /<h1[^>]*>(.*?)<\/h1>/.exec(content)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? path;
    const html = frame
      .replaceAll('"./', `"${'../'.repeat(path.split('/').length)}`)
      .replace('<title>Page', () => `<title>${title}`)
      .replace('<!-- content -->', () => content);
    return readyPage(html, 'revalidated');
  });
}

/** The path under which a proxy serves the service. Without PUBLIC_URL the address is not known yet. */
export function publicPathOf(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}
