/** Serves the API's description as a page under `/docs`, to which `/` leads, and which loads nothing from other hosts. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { rejection } from '../../streams/rejections.ts';
import { docsDescription } from './docs-description.ts';
import { DOCS_SIGN_IN } from './docs-sign-in.ts';
import { registerErrorPages } from './error-pages.ts';

const PREFIX = '/docs';

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
  /** The OpenAPI document as JSON text. */
  readonly openApi: () => string;
  readonly publicUrl: () => string;
}

export async function registerDocsPage(server: FastifyInstance, options: DocsPage): Promise<void> {
  // Relative, so that it holds under whatever path a proxy serves this.
  server.get('/', (_request, reply) => reply.redirect(`.${PREFIX}/`));
  let text: string | undefined;
  registerErrorPages(server);
  await server.register(async (docs) => {
    docs.setErrorHandler((error) => {
      // The library's errors for unknown paths and ranges have no code.
      const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
      throw status < 500 ? rejection('VALIDATION_FAILED', 'There is no such file under /docs.') : error;
    });
    // The page's library requires a document; the real one is put in below.
    await docs.register(swagger, {
      mode: 'static',
      specification: { document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} } },
    });
    await docs.register(swaggerUi, {
      routePrefix: PREFIX,
      indexPrefix: publicPathOf(options),
      theme: {
        title: 'Levy API',
        js: [
          { filename: 'references.js', content: DOCS_REFERENCES },
          { filename: 'streams.js', content: DOCS_STREAMS },
          { filename: 'sign-in.js', content: DOCS_SIGN_IN },
        ],
      },
      uiConfig: { deepLinking: true, displayRequestDuration: true, layout: 'BaseLayout' },
      transformStaticCSP: () => contentSecurityPolicy(new URL(options.publicUrl()).origin),
      transformSpecificationClone: false,
      transformSpecification: (_document, _request, reply) => {
        reply.type('application/json; charset=utf-8');
        // Ready text, where the library expects an object that it would serialize each time.
        text ??= docsDescription(options.openApi(), publicPathOf(options));
        return text as unknown as Record<string, never>;
      },
      uiHooks: {
        // Making YAML is expensive, and this page needs no sign-in.
        onRequest: async ({ routeOptions: { url } }) => {
          if (url === `${PREFIX}/yaml`) throw rejection('ROUTE_NOT_FOUND', `There is no GET ${url}.`);
        },
      },
    });
  });
}

/** The path under which a proxy serves the service. Without PUBLIC_URL the address is not known yet. */
export function publicPathOf({ publicUrl }: Pick<DocsPage, 'publicUrl'>): string {
  return publicUrl() === '' ? '' : new URL(publicUrl()).pathname.replace(/\/$/, '');
}

/** Runs before the page is made, because the page keeps its interface to itself. */
const DOCS_REFERENCES = `(() => {
  const make = window.SwaggerUIBundle;
  const at = (document, path) => path.reduce((value, name) => value?.[name], document);
  const pathOf = (reference) => reference.slice(2).split('/').map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));

  function resolved(document, value, behind) {
    if (Array.isArray(value)) return value.map((each) => resolved(document, each, behind));
    if (typeof value !== 'object' || value === null) return value;
    const reference = value.$ref;
    if (typeof reference === 'string' && reference.startsWith('#/')) {
      // What refers to itself is shown once.
      return behind.includes(reference) ? {} : resolved(document, at(document, pathOf(reference)), [...behind, reference]);
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(document, each, behind)]));
  }

  const resolveSubtree = async (document, path) => ({ spec: resolved(document, at(document, path) ?? {}, []), errors: [] });
  const resolving = () => ({ fn: { resolveSubtree } });
  window.SwaggerUIBundle = Object.assign(
    (config) => make({ ...config, plugins: [...(config.plugins ?? []), resolving] }),
    make,
  );
})();
`;

/** Runs before the page is made, because the page keeps its interface to itself. */
const DOCS_STREAMS = `(() => {
  const MILLISECONDS = 2000;
  const CHARACTERS = 100000;
  const make = window.SwaggerUIBundle;

  async function beginningOf(url, request) {
    const response = await fetch(url, request);
    const { status, statusText, headers } = response;
    if (!headers.get('content-type')?.startsWith('text/event-stream')) return response;
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const end = setTimeout(() => reader.cancel(), MILLISECONDS);
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      if (text.length > CHARACTERS) void reader.cancel();
    }
    clearTimeout(end);
    return new Response(text, { status, statusText, headers });
  }

  const requestInterceptor = (request) => Object.assign(request, request.loadSpec ? {} : { userFetch: beginningOf });
  window.SwaggerUIBundle = Object.assign((config) => make({ ...config, requestInterceptor }), make);
})();
`;
