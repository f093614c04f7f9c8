/**
 * Serves a launchpad's page from three calls of Levy: a list, a token, a wallet's shares. Each route below makes one
 * call.
 * Run it with: LEVY_URL=http://127.0.0.1:3000 node --import tsx examples/launchpad/server.ts
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLevyClient, LevyError } from 'levy-client';

const { LEVY_URL = 'http://127.0.0.1:3000', LEVY_PARTNER_KEY: partnerKey, PORT = '4000' } = process.env;
const PATIENCE_MS = 10_000;
const limit = 12;

const levy = createLevyClient({
  baseUrl: LEVY_URL,
  // All visitors' calls come from this server's address, so the key makes Levy count them by partner instead.
  ...(partnerKey === undefined ? {} : { partnerKey }),
  fetch: (request) => fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) }),
});

/** Requests that the page may make, with the parameters in the address. */
const CALLS: { readonly [path: string]: (asked: { [name: string]: string }) => Promise<unknown> } = {
  '/api/tokens': ({ search, after }) => levy.get('/tokens', { params: { query: { limit, search, after } } }),
  '/api/token': ({ mint }) => {
    const query = { include: 'tax,runs,launch,featured,settings' };
    return levy.get('/tokens/{mintAddress}', { params: { path: { mintAddress: addressIn(mint) }, query } });
  },
  '/api/shares': ({ wallet, after }) =>
    levy.get('/wallets/{wallet}/shares', {
      params: { path: { wallet: addressIn(wallet) }, query: { limit, after } },
    }),
};

class NotAnAddress extends Error {}

/** Allows only the characters of an address, because the text becomes part of a path; Levy checks the address itself. */
function addressIn(text = ''): string {
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) throw new NotAnAddress();
  return text;
}

const file = (name: string, type: string) => ({ type, body: readFileSync(new URL(name, import.meta.url)) });
const FILES: { readonly [path: string]: ReturnType<typeof file> } = {
  '/': file('page.html', 'text/html; charset=utf-8'),
  '/page.js': file('page.js', 'text/javascript; charset=utf-8'),
  '/page.css': file('page.css', 'text/css; charset=utf-8'),
};

const HEADERS = {
  // Images come from Levy, and all other content from this server. Inline scripts and styles are forbidden.
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ${new URL(LEVY_URL).origin}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

async function answer({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify(body));
  const [path = '', query] = url.split('?');
  const [page, call] = [FILES[path], CALLS[path]];
  if (method !== 'GET' || (page === undefined && call === undefined)) {
    send(404, { message: 'Page not found.' });
  } else if (page !== undefined) {
    response.writeHead(200, { ...HEADERS, 'content-type': page.type }).end(page.body);
  } else {
    const asked = [...new URLSearchParams(query)].filter(([, value]) => value.trim() !== '');
    try {
      send(200, await call?.(Object.fromEntries(asked.map(([name, value]) => [name, value.trim()]))));
    } catch (error) {
      const refusal = error instanceof LevyError ? error : undefined;
      if (error instanceof NotAnAddress) send(400, { message: 'Invalid wallet address.' });
      // Levy's error messages are written for users.
      else if (refusal?.problem !== undefined) send(refusal.status, { message: refusal.problem.detail });
      else send(502, { message: 'Levy is not responding. Try again later.' });
    }
  }
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
