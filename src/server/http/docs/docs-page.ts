/** Serves the API's description as a page under `/docs`, which loads nothing from other hosts. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { lazily, type ReadyAnswer, readyJson } from '../../../kernel/runtime/ready-answer.ts';
import { addReadyFiles, addReadyRoute, readyPage } from '../send-ready.ts';
import { docsDescription } from './docs-description.ts';
import { registerErrorPages } from './error-pages.ts';
import { registerGuides } from './guides.ts';

const require = createRequire(import.meta.url);

const PREFIX = '/docs';
/** The page's renderer: of its package only the files for browsers are used. */
const RENDERER = join(dirname(require.resolve('@fastify/swagger-ui')), 'static');
/** The rest of the page, which the build copies beside what it compiles. */
const OWN = fileURLToPath(new URL('browser', import.meta.url));
const ownPart = (name: string) => readFileSync(join(OWN, name), 'utf8');
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

export interface DocsPage {
  /** The OpenAPI document. */
  readonly openApi: () => ReadyAnswer;
  readonly publicUrl: () => string;
}

/** `hasConsole`: whether the pages may lead to `/console/`. */
export async function registerDocsPage(
  server: FastifyInstance,
  options: DocsPage,
  hasConsole: boolean,
): Promise<void> {
  const page = (name: string) => (hasConsole ? ownPart(name) : ownPart(name).replace(CONSOLE_LINK, ''));
  const frame = page('guide.html');
  registerErrorPages(server, frame);
  await server.register(
    async (docs) => {
      docs.addHook('onSend', async (_request, reply) => {
        reply.header('content-security-policy', contentSecurityPolicy(originOf(options)));
      });
      addReadyFiles(docs, '/static/:name', [OWN, RENDERER], 'revalidated');
      registerGuides(docs, frame);
      const html = page('index.html');
      const inFolder = (folder: string) => readyPage(html.replaceAll('"./', `"${folder}/`), 'revalidated');
      const [withSlash, withoutSlash] = [
        lazily(() => inFolder('.')),
        // Without the slash at its end, relative addresses would begin one folder too high.
        lazily(() => inFolder(`${publicPathOf(options)}${PREFIX}`)),
      ];
      addReadyRoute(docs, '/', ({ url }) =>
        url.split('?', 1)[0]?.endsWith('/') ? withSlash() : withoutSlash(),
      );
      const description = lazily(() => {
        const openApi = Buffer.from(options.openApi().bytes).toString();
        return readyJson(docsDescription(openApi, publicPathOf(options)));
      });
      addReadyRoute(docs, '/json', description);
    },
    { prefix: PREFIX },
  );
}

function originOf({ publicUrl }: DocsPage): string {
  return new URL(publicUrl()).origin;
}

/** The path under which a proxy serves the service. Without PUBLIC_URL the address is not known yet. */
export function publicPathOf({ publicUrl }: Pick<DocsPage, 'publicUrl'>): string {
  return publicUrl() === '' ? '' : new URL(publicUrl()).pathname.replace(/\/$/, '');
}
