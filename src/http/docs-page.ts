/** Serves the API's description as a page under `/docs`, to which `/` leads, and which loads nothing from other hosts. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { rejection } from '../streams/rejections.ts';

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

export interface DocsPage {
  /** The OpenAPI document as JSON text. */
  readonly openApi: () => string;
  readonly publicUrl: () => string;
}

export async function registerDocsPage(server: FastifyInstance, options: DocsPage): Promise<void> {
  // Relative, so that it holds under whatever path a proxy serves this.
  server.get('/', (_request, reply) => reply.redirect(`.${PREFIX}/`));
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
      indexPrefix: pathOf(options.publicUrl()),
      theme: { title: 'Levy API' },
      uiConfig: { deepLinking: true, displayRequestDuration: true, layout: 'BaseLayout' },
      transformStaticCSP: () => contentSecurityPolicy(new URL(options.publicUrl()).origin),
      transformSpecificationClone: false,
      transformSpecification: (_document, _request, reply) => {
        reply.type('application/json; charset=utf-8');
        // Ready text, where the library expects an object that it would serialize each time.
        return options.openApi() as unknown as Record<string, never>;
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
function pathOf(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).pathname;
}
