/** Shows the API's description in a browser, under `/docs`, with nothing that comes from elsewhere. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { rejection } from '../../streams/rejections.ts';

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

export async function registerReference(
  server: FastifyInstance,
  options: { readonly openApi: () => string; readonly publicUrl: () => string },
): Promise<void> {
  // The page's library asks for it; the text that it shows is put in below.
  await server.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} } },
  });
  await server.register(swaggerUi, {
    routePrefix: PREFIX,
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
      onRequest: async ({ url }) => {
        if (url.startsWith(`${PREFIX}/yaml`))
          throw rejection('ROUTE_NOT_FOUND', `There is no GET ${PREFIX}/yaml.`);
      },
    },
  });
}
