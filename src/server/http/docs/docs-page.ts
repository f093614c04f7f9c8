/** Serves the API description as a page under `/docs`, which loads nothing from other hosts. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { readyJson } from '../../../kernel/runtime/define-query.ts';
import {
  addPrebuiltFiles,
  addPrebuiltRoute,
  prebuiltFile,
  prebuiltPage,
  sendPrebuilt,
} from '../prebuilt-responses.ts';

const require = createRequire(import.meta.url);

const PREFIX = '/docs';
/** Browser files of the page's renderer; the rest of that package is not used. */
const RENDERER = join(dirname(require.resolve('@fastify/swagger-ui')), 'static');
/** This service's parts of the page, which the build copies next to the compiled files. */
const OWN = fileURLToPath(new URL('browser', import.meta.url));
const ownPart = (name: string) => readFileSync(join(OWN, name), 'utf8');
/** Pages that the build renders from `docs/`. The relative path is the same from `src/` and from `dist/`. */
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
    /** Path under which a proxy serves the service; empty at the root. */
    publicPath: string;
  }
}

/** `hasConsole`: the pages link to `/console/`. */
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
      addPrebuiltFiles(docs, '/static', [OWN, RENDERER], (file) => prebuiltFile(file, 'revalidated'));
      if (existsSync(GUIDES)) addGuides(docs, page('guide.html'));
      // Addresses in the `type` of a problem. The text fragment makes browsers scroll to the code.
      docs.get('/errors/*', ({ params }, reply) => {
        const { '*': code } = params as { readonly '*': string };
        return reply.redirect(
          `../guides/reference/error-codes.md${CODE.test(code) ? `#:~:text=${code}` : ''}`,
        );
      });
      const html = prebuiltPage(page('index.html'), 'revalidated');
      docs.get('/', { prefixTrailingSlash: 'slash' }, (request, reply) => sendPrebuilt(request, reply, html));
      // Relative, so that it works under any path of a proxy.
      docs.get('', (_request, reply) => reply.redirect('./docs/'));
    },
    { prefix: PREFIX },
  );
}

/** Registers the guides, their pictures, and the list of guides. `frame` is the HTML around each guide. */
function addGuides(docs: FastifyInstance, frame: string): void {
  const list = readyJson(readFileSync(join(GUIDES, 'guides.json'), 'utf8'));
  addPrebuiltRoute(docs, '/guides.json', () => list);
  addPrebuiltFiles(docs, '/guides', [GUIDES], (file, path) => {
    if (!path.endsWith('.md')) return prebuiltFile(file, 'revalidated');
    const content = readFileSync(file, 'utf8');
    const title = /<h1[^>]*>(.*?)<\/h1>/.exec(content)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? path;
    const html = frame
      .replaceAll('"./', `"${'../'.repeat(path.split('/').length)}`)
      .replace('<title>Page', () => `<title>${title}`)
      .replace('<!-- content -->', () => content);
    return prebuiltPage(html, 'revalidated');
  });
}

/** Path under which a proxy serves the service; empty without PUBLIC_URL. */
export function publicPathOf(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}
