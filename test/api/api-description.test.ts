// OpenAPI document of the running service and the page that shows it: with the requested address, for every reader, without
// resources from other hosts.
import { beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/app/version.ts';
import { configuredLimits } from '../../src/commands/configured-limits.ts';
import { commands } from '../../src/commands/index.ts';
import type { Route } from '../../src/kernel/runtime/define-route.ts';
import { queries } from '../../src/queries/index.ts';
import { createOpenApiDocument } from '../../src/reference/openapi/document.ts';
import { pathOf } from '../../src/reference/openapi/operation.ts';
import { type Client, createClient } from '../support/client.ts';
import { openTestService, type TestService } from '../support/service.ts';

const routes = [...commands, ...queries];
const OUR_HEADERS = ['x-content-type-options', 'x-frame-options', 'referrer-policy', 'x-request-id'];

let service: TestService;
let client: Client;
/** A service below a path of its proxy, without operators and console, with a maximum tax of its own. */
let other: Client;

beforeAll(async () => {
  service = await openTestService({ NONCE_ACCOUNTS_MIN: '0' });
  client = createClient(service.url);
  const { url } = await openTestService({
    OPERATOR_KEYS: '',
    CONSOLE: 'off',
    RATE_LIMITS: 'on',
    MAX_TRANSFER_FEE_PERCENT: '2.5',
    PUBLIC_URL: 'https://levy.example/api',
    NONCE_ACCOUNTS_MIN: '0',
  });
  other = createClient(url);
});

const textOf = async (path: string) => Buffer.from((await client.call('GET', path)).bytes).toString();

describe('GET /openapi.json', () => {
  test('describes the routes that there are, under the address by which the service is called', async () => {
    const document = createOpenApiDocument({
      routes,
      version: VERSION,
      publicUrl: service.url,
      limits: configuredLimits({ maxTransferFeeBasisPoints: 1_000 }),
    });
    expect(JSON.parse(await textOf('/openapi.json'))).toEqual(document);
  });

  test("shows the service's own limits, which are those that it refuses by", async () => {
    const { body } = await other.call<{ components: { schemas: object } }>('GET', '/openapi.json');
    for (const name of ['TokenInput', 'TransferFeeChange'])
      expect(Reflect.get(body.components.schemas, name)).toMatchObject({
        properties: { transferFeePercent: { minimum: 0, maximum: 2.5 } },
      });
  });

  test('is for pages of every origin, and not limited', async () => {
    const from = { headers: { origin: 'https://elsewhere.example' } };
    for (let calls = 0; calls < 101; calls++) {
      const answer = await fetch(`${other.url}/openapi.json`, from);
      const { status, headers } = answer;
      await answer.arrayBuffer();
      expect(status).toBe(200);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('ratelimit')).toBeNull();
    }
  });

  test('leaves out operators’ routes where there are no operators', async () => {
    const { body } = await other.call<{ paths: object }>('GET', '/openapi.json');
    const isOperators = ({ route }: { readonly route: Route }) => route.auth === 'operator';
    const pathsOf = (routes: readonly { readonly route: Route }[]) =>
      [...new Set(routes.map(({ route }) => pathOf(route.url)))].sort();
    expect(Object.keys(body.paths).sort()).toEqual(pathsOf(routes.filter((each) => !isOperators(each))));
    expect(JSON.stringify(body)).not.toMatch(/\/operator\/|operatorKey|x-operator/i);
  });
});

describe('the page under /docs', () => {
  test.each([
    ['a browser', 'text/html,application/xhtml+xml,*/*;q=0.8', 'docs/'],
    ['a program', '*/*', 'openapi.json'],
  ])('without the console, the root leads %s to the API, also behind a proxy that puts the service below a path', async (_who, accept, target) => {
    const { url } = other;
    const answer = await fetch(`${url}/`, { redirect: 'manual', headers: { accept } });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    const location = answer.headers.get('location') ?? '';
    expect(new URL(location, 'https://levy.example/api/').href).toBe(`https://levy.example/api/${target}`);
    expect(answer.headers.get('vary')).toContain('Accept');
    expect((await fetch(`${url}/`, { headers: { accept } })).status).toBe(200);
    expect((await fetch(`${url}/console/`)).status).toBe(404);
    for (const page of ['', 'guides/README.md'])
      expect(await (await fetch(`${url}/docs/${page}`)).text()).not.toContain('/console/"');
  });

  test('needs nothing from elsewhere, and nothing that its policy forbids', async () => {
    const path = '/docs/';
    const { status, headers, bytes } = await client.call('GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = Buffer.from(bytes).toString();
    expect(html).not.toMatch(/(?:https?:)?\/\/\w/);
    expect(html, 'inline styles and handlers').not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
    for (const [, inline = ''] of html.matchAll(/<script[^>]*>([^<]*)<\/script>/g))
      expect(inline.trim()).toBe('');

    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset = '']) => asset);
    expect(assets.length).toBeGreaterThan(4);
    for (const asset of assets) {
      const { pathname } = new URL(asset, `${service.url}${path}`);
      // The console is a page of its own.
      if (pathname === '/console/') continue;
      expect(pathname).toMatch(/^\/docs\//);
      const answer = await client.call('GET', pathname);
      expect([pathname, answer.status]).toEqual([pathname, 200]);
      // With nosniff, a browser takes scripts and styles under their own types only.
      const type = answer.headers.get('content-type') ?? '';
      if (pathname.endsWith('.js')) expect(type).toMatch(/^(text|application)\/javascript/);
      if (pathname.endsWith('.css')) expect(type).toMatch(/^text\/css/);
    }
  });

  test('asks nobody to validate the description', async () => {
    expect(await textOf('/docs/static/docs.js')).toContain('validatorUrl: null');
  });

  test('may load and call only what is ours, and keeps our other headers', async () => {
    for (const path of ['/docs/', '/docs/static/swagger-ui.css', '/docs/static/nothing.js']) {
      const { headers } = await client.call('GET', path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        `connect-src 'self' ${service.url}`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]);
      for (const header of OUR_HEADERS) expect(headers.get(header), header).not.toBeNull();
    }
  });

  test('shows the guides as HTML, whose links lead to guides, and lists them in the order of the contents', async () => {
    const guides: { path: string; title: string; headings: string[] }[] = JSON.parse(
      await textOf('/docs/guides.json'),
    );
    expect(guides[0]).toMatchObject({ path: 'tutorial/first-token.md', title: 'Your first token' });
    expect(guides.length).toBeGreaterThan(60);
    for (const { path, title } of guides) {
      const { status, headers, bytes } = await client.call('GET', `/docs/guides/${path}`);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      const html = Buffer.from(bytes).toString();
      expect(html).toContain(`<h1 id=`);
      expect(html).toContain(
        `<title>${title.replaceAll('&', '&amp;').replaceAll("'", '&#39;')} - Levy</title>`,
      );
      for (const [, link = ''] of html.matchAll(/href="([^"#:]+)(?:#[^"]*)?"/g)) {
        const { pathname } = new URL(link, `${service.url}/docs/guides/${path}`);
        const known = guides.some((guide) => pathname === `/docs/guides/${guide.path}`);
        expect(known || /^\/(docs\/(static\/.*|)|console\/)$/.test(pathname), `${path}: ${link}`).toBe(true);
      }
      for (const [, picture = ''] of html.matchAll(/<img src="(?!\.\.\/[./]*static\/)([^"]+)"/g)) {
        const { pathname } = new URL(picture, `${service.url}/docs/guides/${path}`);
        const shown = await client.call('GET', pathname);
        expect([pathname, shown.status, shown.headers.get('content-type')]).toEqual([
          pathname,
          200,
          'image/webp',
        ]);
      }
    }
  });

  test('leads to its own folder, and from the address of an error code to the page of all codes', async () => {
    const leadsTo = async (path: string) => {
      const { status, headers } = await fetch(`${service.url}${path}`, { redirect: 'manual' });
      expect(status).toBe(302);
      return new URL(headers.get('location') ?? '', `https://levy.example/api${path}`).href;
    };
    expect(await leadsTo('/docs')).toBe('https://levy.example/api/docs/');
    const codes = 'https://levy.example/api/docs/guides/reference/error-codes.md';
    expect(await leadsTo('/docs/errors/TOKEN_NOT_FOUND')).toBe(`${codes}#:~:text=TOKEN_NOT_FOUND`);
    for (const other of ['', '%22%3E', 'a/b'])
      expect(await leadsTo(`/docs/errors/${other}`)).toMatch(/error-codes\.md$/);
  });

  test.each([
    '/docs/json',
    '/docs/static/nothing.js',
    '/docs/guides/nothing.md',
    '/docs/guides/..%2fREADME.md',
    '/docs/static/..%2f..%2f..%2fpackage.json',
    '/docs/static/%2e%2e/%2e%2e/package.json',
    '/docs/static/..%5c..%5cpackage.json',
    '/docs/static/%00',
  ])('%s is nothing', async (path) => {
    const { status } = await client.call('GET', path);
    expect([400, 404]).toContain(status);
  });
});
