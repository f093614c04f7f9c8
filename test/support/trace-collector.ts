/** A collector of traces on loopback: takes what is sent by OTLP over HTTP as JSON, and keeps every span. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined of the first span of a trace. */
  readonly parentSpanId: string | undefined;
  readonly attributes: { readonly [name: string]: unknown };
  readonly hasFailed: boolean;
}

export interface TraceCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything that was sent, as it was sent. */
  readonly received: readonly string[];
  /** From now on it refuses what it is sent, or takes it again. */
  refuse(refuses: boolean): void;
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly [type: string]: unknown };
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly kind: number;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes: readonly Attribute[];
        readonly status: { readonly code?: number };
      }[];
    }[];
  }[];
}

const KINDS = ['internal', 'internal', 'server', 'client'] as const;
const ERROR = 2;

export async function openTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const received: string[] = [];
  let refuses = false;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    // 400: a client sends what is refused like that no second time.
    if (refuses || request.method !== 'POST' || request.url !== '/v1/traces') {
      response.writeHead(400).end();
      return;
    }
    received.push(body);
    spans.push(...spansOf(JSON.parse(body)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    received,
    refuse(now) {
      refuses = now;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function spansOf({ resourceSpans }: Sent): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId, attributes, status }) => ({
        service,
        name,
        kind: KINDS[kind] ?? 'internal',
        traceId,
        spanId,
        parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
        attributes: valuesOf(attributes),
        hasFailed: status.code === ERROR,
      })),
    );
  });
}

function valuesOf(attributes: readonly Attribute[]): { readonly [name: string]: unknown } {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
