/** Serves the web console under `/console`, from the files that `npm run build` builds from the workspace `console/`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { ReadyAnswer } from '../../kernel/runtime/define-query.ts';
import { rejection } from '../../streams/rejections.ts';
import { addPrebuiltFiles, prebuiltFile, prebuiltPage, sendPrebuilt } from './prebuilt-responses.ts';

/** The relative path is the same from `src/` and from `dist/`. */
const FOLDER = fileURLToPath(new URL('../../../dist/console', import.meta.url));

/** Forbids inline code and content from other hosts. */
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

/** False in a checkout that runs from its sources without a build. */
export function isConsoleBuilt(): boolean {
  return existsSync(join(FOLDER, 'index.html'));
}

/** Open Graph fields of a token's page, which other sites show with a link to the page. */
export interface LinkPreview {
  readonly title: string;
  readonly description: string;
  /** Absolute URL. */
  readonly image: string;
}

/** `previewOf`: preview of a token by its mint address; undefined if the token is unknown or hidden. */
export async function registerConsolePage(
  server: FastifyInstance,
  previewOf: (mint: string) => Promise<LinkPreview | undefined>,
): Promise<void> {
  const html = readFileSync(join(FOLDER, 'index.html'), 'utf8');
  /** Path patterns of the pages, below `/console/`. */
  const pages: readonly string[] = JSON.parse(readFileSync(join(FOLDER, 'pages.json'), 'utf8'));
  const known = pages.map((page) => new RegExp(`^${page.replaceAll(/:\w+/g, '[^/]+')}$`));

  const deepest = Math.max(...pages.map(depthOf));
  /** Indexed by the number of folders between `/console/` and the page. */
  const answers = Array.from({ length: deepest + 1 }, (_each, depth) =>
    // Relative, so that the page's files are found under any path of a proxy.
    prebuiltPage(html.replaceAll('"./', `"${'../'.repeat(depth) || './'}`), 'revalidated'),
  );

  await server.register(
    async (console) => {
      console.addHook('onSend', async (_request, reply) => {
        reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
      });
      // The file names contain a hash of the content.
      addPrebuiltFiles(console, '/assets', [join(FOLDER, 'assets')], (file) =>
        prebuiltFile(file, 'immutable'),
      );
      console.get('/*', async (request, reply) => {
        const below = (request.url.split('?', 1)[0] ?? '').slice('/console/'.length);
        const answer = answers[depthOf(below)];
        if (answer === undefined) throw rejection('ROUTE_NOT_FOUND', 'Console page not found.');
        const isKnown = known.some((page) => page.test(below));
        const mint = /^tokens\/([^/]+)$/.exec(below)?.[1];
        // If the preview fails, the page is sent without one.
        const preview = mint === undefined ? undefined : await previewOf(mint).catch(() => undefined);
        return sendPrebuilt(
          request,
          reply.status(isKnown ? 200 : 404),
          preview === undefined ? answer : prebuiltPage(withPreview(answer, preview), 'revalidated'),
        );
      });
      console.get('', (_request, reply) => reply.redirect('./console/'));
    },
    { prefix: '/console' },
  );
}

function withPreview({ bytes }: ReadyAnswer, { title, description, image }: LinkPreview): string {
  const tags = { 'og:title': title, 'og:description': description, 'og:image': image, 'og:type': 'website' };
  const lines = Object.entries(tags).map(
    ([property, content]) => `<meta property="${property}" content="${escaped(content)}">\n`,
  );
  return Buffer.from(bytes)
    .toString()
    .replace('</head>', () => `${lines.join('')}</head>`);
}

const ESCAPES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
}

function depthOf(path: string): number {
  return path.split('/').length - 1;
}
