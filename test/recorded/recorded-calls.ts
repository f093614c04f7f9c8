/** Calls whose answers were recorded, and how they are made again: of them a new version must answer the same bytes. */

/** Who calls: nobody, an operator, or the creator at that place in the list. */
export type Caller = 'anybody' | 'operator' | number;

export interface RecordedCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly as: Caller;
  readonly idempotencyKey?: string;
  readonly json?: unknown;
  /** An image to upload, in base64. */
  readonly image?: string;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly entityTag: string | null;
  /** Base64 where it is no text. */
  readonly body: string;
}

/** What stands in `answers.json`. */
export interface Recording {
  /** Milliseconds: what depends on the time is to be asked as if it were then. */
  readonly recordedAt: number;
  /** What the service ran with that shows in its answers. */
  readonly environment: { readonly [variable: string]: string };
  readonly operatorKey: string;
  /** The creators' secret keys, in base58. They hold nothing but what the embedded chain gave them. */
  readonly creators: readonly string[];
  readonly answers: readonly { readonly call: RecordedCall; readonly answer: RecordedAnswer }[];
  /** What `GET /events` tells from the start on, without checkpoints and signs of life. */
  readonly events: { readonly anybody: readonly string[]; readonly operator: readonly string[] };
}

export interface Credentials {
  readonly operatorKey: string;
  /** Access tokens, in the order of the creators. */
  readonly tokens: readonly string[];
}

export async function answerTo(
  url: string,
  call: RecordedCall,
  credentials: Credentials,
): Promise<RecordedAnswer> {
  const { method, path, as, idempotencyKey, json, image } = call;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...authorization(as, credentials),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(image === undefined ? {} : { body: formWith(image) }),
  });
  const contentType = response.headers.get('content-type');
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    contentType,
    entityTag: response.headers.get('etag'),
    body: bytes.toString(contentType?.startsWith('image/') ? 'base64' : 'utf8'),
  };
}

function authorization(as: Caller, { operatorKey, tokens }: Credentials): Record<string, string> {
  if (as === 'anybody') return {};
  return as === 'operator' ? { 'x-operator-key': operatorKey } : { authorization: `Bearer ${tokens[as]}` };
}

function formWith(image: string): FormData {
  const form = new FormData();
  form.append('image', new Blob([Uint8Array.from(Buffer.from(image, 'base64'))]), 'picture.png');
  return form;
}

/** The frames of the feed from the start on, until nothing has come for a second. */
export async function eventsToldTo(
  url: string,
  as: Caller,
  credentials: Credentials,
): Promise<readonly string[]> {
  const ended = new AbortController();
  const response = await fetch(`${url}/events?after=start`, {
    headers: authorization(as, credentials),
    signal: ended.signal,
  });
  let text = '';
  let silence = setTimeout(() => ended.abort(), 1_000);
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      clearTimeout(silence);
      silence = setTimeout(() => ended.abort(), 1_000);
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  }
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('id:') && !frame.includes('\nevent: levy.checkpoint\n'));
}
