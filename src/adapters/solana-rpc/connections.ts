/** Connections to nodes, which stay open for a while. An idle one does not keep the process alive. */
import { Agent, interceptors, request } from 'undici';

const MOST_REDIRECTIONS = 3;
const agent = new Agent().compose(interceptors.redirect({ maxRedirections: MOST_REDIRECTIONS }));

export interface Posted {
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string | undefined;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Rejects when the whole answer is not there after so many milliseconds. */
export async function postJson(url: URL, body: string, timeout: number): Promise<Posted> {
  const signal = AbortSignal.timeout(timeout);
  const { to, headers: sent } = addressed(url);
  try {
    const answer = await request(to, { method: 'POST', headers: sent, body, signal, dispatcher: agent });
    const { headers } = answer;
    return {
      status: answer.statusCode,
      statusText: answer.statusText,
      contentType: one(headers['content-type']),
      retryAfter: one(headers['retry-after']),
      text: await answer.body.text(),
    };
  } catch (error) {
    throw signal.aborted ? new Error(`no whole answer within ${timeout / 1_000} s`) : error;
  }
}

/** Credentials go into a header: no request takes them in an address. */
export function addressed(url: URL): { readonly to: string; readonly headers: Record<string, string> } {
  const to = new URL(url);
  to.username = '';
  to.password = '';
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'levy' };
  if (url.username === '' && url.password === '') return { to: to.href, headers };
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  return { to: to.href, headers: { ...headers, authorization } };
}

function one(field: string | readonly string[] | undefined): string | undefined {
  return typeof field === 'string' ? field : field?.[0];
}
