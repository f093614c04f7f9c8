/** Shows the API's description in a browser, under `/docs`, with nothing that comes from elsewhere. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { rejection } from '../streams/rejections.ts';

const PREFIX = '/docs';

/** Only what the page itself brings along runs in it; it may call the service, wherever that is called by its public name. */
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
  /** The text of the API's description. */
  readonly openApi: () => string;
  readonly publicUrl: () => string;
}

export async function registerDocsPage(server: FastifyInstance, options: DocsPage): Promise<void> {
  await server.register(async (docs) => {
    docs.setErrorHandler((error) => {
      // What the library says of paths and ranges that are none, which has no code to be known by.
      const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
      throw status < 500 ? rejection('VALIDATION_FAILED', 'There is no such part of the page.') : error;
    });
    // The page's library asks for it; the text that it shows is put in below.
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
        // Ready to send, where the library expects an object that it would make a text of each time.
        return options.openApi() as unknown as Record<string, never>;
      },
      uiHooks: {
        // To make YAML of it costs much, and nobody has to be signed in here.
        onRequest: async ({ routeOptions: { url } }) => {
          if (url === `${PREFIX}/yaml`) throw rejection('ROUTE_NOT_FOUND', `There is no GET ${url}.`);
        },
      },
    });
  });
}

/** Where a proxy has put the service; the address is not known yet where nothing is before it. */
function pathOf(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).pathname;
}
