/** Posts JSON to one address over connections that are kept, without the streams of `fetch`, which cost more than the answers. */
import { Agent } from 'undici';

export interface Posted {
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string | undefined;
  readonly retryAfter: string | undefined;
  /** The address that a redirection names. */
  readonly location: string | undefined;
  readonly text: string;
}

type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Idle connections do not keep the process alive, and close after a few seconds. */
const connections = new Agent();

/** Rejects when the whole answer is not there after so many milliseconds. */
export function postJson(url: URL, body: string, timeout: number): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let statusText = '';
    let fields: HeaderFields = {};
    let tooLate: Error | undefined;
    let abort: ((reason: Error) => void) | undefined;
    const timer = setTimeout(() => {
      tooLate = new Error(`no whole answer within ${timeout / 1_000} s`);
      abort?.(tooLate);
      reject(tooLate);
    }, timeout);

    connections.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        headers: headersFor(url),
        body,
      },
      {
        onRequestStart(controller) {
          // It waited for a connection until now, and is not sent any more.
          if (tooLate !== undefined) controller.abort(tooLate);
          abort = (reason) => controller.abort(reason);
        },
        onResponseStart(_controller, statusCode, headers, statusMessage) {
          status = statusCode;
          statusText = statusMessage ?? '';
          fields = headers;
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(timer);
          resolve({
            status,
            statusText,
            contentType: one(fields['content-type']),
            retryAfter: one(fields['retry-after']),
            location: one(fields.location),
            text: (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? '',
          });
        },
        onResponseError(_controller, error) {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
  });
}

function headersFor({ username, password }: URL): Record<string, string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'levy' };
  if (username === '' && password === '') return headers;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { ...headers, authorization: `Basic ${Buffer.from(user).toString('base64')}` };
}

function one(field: string | readonly string[] | undefined): string | undefined {
  return typeof field === 'string' ? field : field?.[0];
}
