/** A subscriber of `GET /events`, written by hand: reads the stream as it comes, and knows after what to go on. */
import { until } from './until.ts';

export interface CloudEvent {
  readonly specversion: string;
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly time?: string;
  readonly datacontenttype?: string;
  readonly position: string;
  readonly data?: { readonly [name: string]: unknown };
}

export interface EventStream {
  readonly headers: Headers;
  /** Received events in order, without checkpoints. */
  readonly events: readonly CloudEvent[];
  readonly checkpoints: readonly CloudEvent[];
  /** Number of received comments. */
  readonly comments: number;
  /** Milliseconds, as the service wishes. */
  readonly retry: number | undefined;
  /** Position to continue after. */
  readonly lastEventId: string | undefined;
  readonly ended: boolean;
  /** Resolves with the events as soon as there are so many. */
  told(count: number): Promise<readonly CloudEvent[]>;
  /** Resolves as soon as an id, of an event or a checkpoint, is at least the position. */
  reached(position: string): Promise<void>;
  /** Resolves when the service has ended the stream. */
  end(): Promise<void>;
  close(): void;
}

export interface StreamOptions {
  readonly after?: string;
  readonly types?: string;
  readonly lastEventId?: string | undefined;
  readonly operatorKey?: string;
  /** Access token of a wallet's session. */
  readonly accessToken?: string;
  /** Only of this token, and of tokens of this creator. */
  readonly token?: string;
  readonly creator?: string;
}

export interface Block {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
  readonly comment?: true;
}

function requestFor(options: StreamOptions) {
  const { after, types, token, creator, lastEventId, operatorKey, accessToken } = options;
  const query = new URLSearchParams({
    ...(after === undefined ? {} : { after }),
    ...(types === undefined ? {} : { types }),
    ...(token === undefined ? {} : { token }),
    ...(creator === undefined ? {} : { creator }),
  }).toString();
  return {
    path: `/events${query === '' ? '' : `?${query}`}`,
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...(operatorKey === undefined ? {} : { 'x-operator-key': operatorKey }),
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    },
  };
}

/** Rejects unless the service answers with a stream. */
export async function openEventStream(url: string, options: StreamOptions = {}): Promise<EventStream> {
  const { path, headers } = requestFor(options);
  const leaving = new AbortController();
  const response = await fetch(`${url}${path}`, { headers, signal: leaving.signal });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  }
  const events: CloudEvent[] = [];
  const checkpoints: CloudEvent[] = [];
  let comments = 0;
  let retry: number | undefined;
  let lastEventId: string | undefined;
  let ended = false;

  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    const blocks = createBlockReader();
    for await (const chunk of body) {
      for (const block of blocks(Buffer.from(chunk))) {
        if (block.comment) comments += 1;
        if (block.retry !== undefined) retry = Number(block.retry);
        if (block.data === undefined) continue;
        const event = JSON.parse(block.data) as CloudEvent;
        if (event.type !== block.event) throw new Error(`${event.type} was sent as ${block.event}`);
        // The mark tells apart the same position of another store.
        if (
          !/^[0-9a-f]{8}$/.test(block.id?.slice(event.position.length + 1) ?? '') ||
          !block.id?.startsWith(`${event.position}.`)
        )
          throw new Error(`${event.position} was sent under ${block.id}`);
        lastEventId = block.id;
        (event.type === 'levy.checkpoint' ? checkpoints : events).push(event);
      }
    }
  }

  let fault: unknown;
  const reading = read(response.body)
    .catch((error: unknown) => {
      // A connection that is cut ends in an error too: what counts is what came before.
      if (!(error instanceof TypeError) && !leaving.signal.aborted) fault = error;
    })
    .finally(() => {
      ended = true;
    });

  const holds = (condition: () => boolean) =>
    until(async () => {
      if (fault !== undefined) throw fault;
      return condition() || undefined;
    });

  return {
    headers: response.headers,
    events,
    checkpoints,
    get comments() {
      return comments;
    },
    get retry() {
      return retry;
    },
    get lastEventId() {
      return lastEventId;
    },
    get ended() {
      return ended;
    },
    async told(count) {
      await holds(() => events.length >= count);
      return events;
    },
    async reached(position) {
      await holds(() => lastEventId !== undefined && lastEventId >= position);
    },
    async end() {
      await reading;
      if (fault !== undefined) throw fault;
    },
    close() {
      leaving.abort();
    },
  };
}

/** Gives, for each chunk of bytes, the blocks that it completes. A comment and `retry` count as soon as their line is there. */
export function createBlockReader(): (chunk: Buffer) => readonly Block[] {
  let pending = Buffer.alloc(0);
  let fields: { [name: string]: string } = {};
  return (chunk) => {
    // A character may be split between two chunks.
    pending = Buffer.concat([pending, chunk]);
    const whole = pending.lastIndexOf(0x0a);
    if (whole === -1) return [];
    const lines = pending.subarray(0, whole).toString('utf8').split('\n');
    pending = pending.subarray(whole + 1);
    return lines.flatMap((line): readonly Block[] => {
      if (line.startsWith(':')) return [{ comment: true }];
      const [, name = '', value = ''] = /^(id|event|data|retry): (.*)$/.exec(line) ?? [];
      if (line !== '' && (name === '' || name in fields)) {
        throw new Error(`an event has the line ${JSON.stringify(line)}`);
      }
      if (name === 'retry') return [{ retry: value }];
      if (line === '') {
        const block = fields;
        fields = {};
        return [block];
      }
      fields[name] = value;
      return [];
    });
  };
}
