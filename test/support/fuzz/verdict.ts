/** What no answer may be, whatever was asked. */
import { undescribed } from '../api-description.ts';
import { problemFault } from '../client.ts';

export interface Judged {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Undefined for a stream. */
  readonly bytes: Buffer | undefined;
  /** The token that came with the request. */
  readonly token?: string | undefined;
}

export interface Judge {
  /** What is wrong with the answer; undefined if nothing is. */
  faultOf(answer: Judged): string | undefined;
  /** The same for what was hardly HTTP: which route was meant, if any, cannot be told. */
  faultOfRefusal(answer: Judged): string | undefined;
}

/** Traces of the inside: of the runtime, the framework, the store, the file system. */
const INSIDES =
  /node_modules|node:internal|\bat \S+ \(|\.[jt]s:\d+|FST_|ERR_[A-Z]{3}|SQLITE|\bSELECT \b|libsql|prom-client|ENOENT|EACCES|undefined is not|Cannot read prop/;

/** `secrets` are texts that must never be in an answer. */
export function createJudge(secrets: readonly string[]): Judge {
  function leakIn({ path, status, bytes, headers, token }: Judged): string | undefined {
    const text = `${bytes?.toString('latin1') ?? ''}\n${[...headers].join('\n')}`;
    if ([...secrets, ...(token === undefined ? [] : [token])].some((secret) => text.includes(secret)))
      return 'it holds a secret';
    // The library of the page that shows the description is for everybody to read; a backup holds whatever was recorded.
    const isQuoted = /^\/(docs\/|operator\/backups$)/.test(path) && status < 300;
    const found = isQuoted ? null : INSIDES.exec(text);
    return found === null ? undefined : `it tells of our insides: ${found[0]}`;
  }

  function problemIn({ method, status, headers, bytes }: Judged, mayLackPath: boolean): string | undefined {
    if (method === 'HEAD' || !isProblem(headers)) return undefined;
    const fault = problemFault(JSON.parse(String(bytes)), status, headers);
    // What is hardly HTTP has no path, or something else in its place.
    return fault === 'its instance is no path' && mayLackPath ? undefined : fault;
  }

  return {
    faultOf(answer) {
      const { method, path, status, headers, bytes } = answer;
      if (status >= 500 && status !== 502 && status !== 503 && status !== 504) return `it is a ${status}`;
      const body = bytes === undefined ? '' : bodyOf(headers, bytes);
      // Of what could not be read at all nobody knows the path; the connection ends with it.
      const isUnreadable = [400, 414, 431].includes(status) && headers.get('connection') === 'close';
      return (
        undescribed({ method, path, status, headers, body }) ??
        problemIn(answer, isUnreadable) ??
        leakIn(answer)
      );
    },
    faultOfRefusal(answer) {
      const { status, headers } = answer;
      if (status === 500 || status === 501 || status === 505) return `it is a ${status}`;
      if (status >= 400 && !isProblem(headers)) return `a ${status} that is no problem`;
      return problemIn(answer, true) ?? leakIn(answer);
    },
  };
}

export function isProblem(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('application/problem+json') ?? false;
}

function bodyOf(headers: Headers, bytes: Buffer): unknown {
  const isJson = /^application\/(problem\+)?json\b/.test(headers.get('content-type') ?? '');
  return isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
}
