/**
 * JSON-RPC 2.0 subscriptions over a WebSocket on loopback: connections, envelopes and limits. `subscriptions.ts`
 * contains the kinds of subscriptions.
 */
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { type CallId, callId, parseCalls } from './call-ids.ts';
import type { Chain } from './chain.ts';
import { encodeJson, type Json } from './json.ts';
import {
  internalError,
  invalidParams,
  invalidRequest,
  methodNotFound,
  parseError,
  RpcError,
} from './rpc-error.ts';
import { type Subscription, subscriptionMethods } from './subscriptions.ts';

export interface PubSubServer {
  close(): Promise<void>;
}

interface Subscriber {
  readonly socket: WebSocket;
  readonly subscriptions: Map<number, { readonly kind: string; readonly subscription: Subscription }>;
}

const MESSAGE_LIMIT = 65_536;
const CONNECTION_LIMIT = 200;
const SUBSCRIPTION_LIMIT = 100;
/** Bytes that may wait for a subscriber; a slower subscriber is disconnected. */
const WAITING_LIMIT = 16 * 1_048_576;
/** Polling interval, shorter than any slot in the tests. */
const LOOK_MILLISECONDS = 25;
/** WebSocket close code 1013: the server is full. */
const TRY_AGAIN_LATER = 1013;

/** Listens on 127.0.0.1. Rejects if the port is in use. `fault` receives our own bugs, which do not end a connection. */
export async function openPubSubServer(
  port: number,
  chain: Chain,
  fault: (error: unknown) => void,
): Promise<PubSubServer> {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port,
    maxPayload: MESSAGE_LIMIT,
    perMessageDeflate: false,
  });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  server.on('error', fault);
  const subscribers = new Set<Subscriber>();
  let lastId = 0;
  let looking: NodeJS.Timeout | undefined;
  let isClosed = false;

  server.on('connection', (socket) => {
    // A broken connection is not a fault.
    socket.on('error', () => socket.terminate());
    if (subscribers.size >= CONNECTION_LIMIT) {
      socket.close(TRY_AGAIN_LATER, 'connection limit reached');
      return;
    }
    const subscriber: Subscriber = { socket, subscriptions: new Map() };
    subscribers.add(subscriber);
    socket.on('close', () => subscribers.delete(subscriber));
    socket.on('message', (data) => answer(subscriber, data));
  });

  function answer(subscriber: Subscriber, data: RawData): void {
    const call = readCall(data);
    if (call instanceof RpcError) {
      send(subscriber, failure(null, call));
      return;
    }
    const { id, method, params } = call;
    let result: Json | RpcError;
    try {
      result = Array.isArray(params)
        ? carryOut(subscriber, method, params)
        : invalidParams('`params` should be an array');
    } catch (error) {
      if (!(error instanceof RpcError)) fault(error);
      result = error instanceof RpcError ? error : internalError();
    }
    // Clients send pings, which expect no response.
    if (id === undefined) return;
    send(subscriber, result instanceof RpcError ? failure(id, result) : { jsonrpc: '2.0', result, id });
  }

  function carryOut({ subscriptions }: Subscriber, method: string, params: readonly unknown[]): Json {
    const [, kind = '', verb] = /^(\w+)(Subscribe|Unsubscribe)$/.exec(method) ?? [];
    const subscribe = subscriptionMethods.get(kind);
    if (subscribe === undefined) throw methodNotFound();
    if (verb === 'Unsubscribe') {
      const id = Number(params[0]);
      if (subscriptions.get(id)?.kind !== kind) throw invalidParams('Invalid subscription id.');
      return subscriptions.delete(id);
    }
    if (subscriptions.size >= SUBSCRIPTION_LIMIT) {
      throw invalidRequest(`subscription limit reached: ${SUBSCRIPTION_LIMIT} for each connection`);
    }
    const subscription = subscribe(chain, params);
    lastId += 1;
    subscriptions.set(lastId, { kind, subscription });
    lookSoon();
    return lastId;
  }

  function lookSoon(): void {
    if (isClosed || looking !== undefined) return;
    looking = setTimeout(() => {
      look()
        .catch(fault)
        .finally(() => {
          looking = undefined;
          if ([...subscribers].some(({ subscriptions }) => subscriptions.size > 0)) lookSoon();
        });
    }, LOOK_MILLISECONDS);
  }

  /** Sends all changes since the last poll, after they are on disk. */
  async function look(): Promise<void> {
    const news: { readonly subscriber: Subscriber; readonly notification: Json }[] = [];
    for (const subscriber of subscribers) {
      for (const [id, { kind, subscription }] of subscriber.subscriptions) {
        const { results, isOver } = lookAt(subscription, fault);
        for (const result of results) {
          const params = { result, subscription: id };
          news.push({ subscriber, notification: { jsonrpc: '2.0', method: `${kind}Notification`, params } });
        }
        if (isOver) subscriber.subscriptions.delete(id);
      }
    }
    if (news.length === 0) return;
    await chain.ledger.durable();
    for (const { subscriber, notification } of news) send(subscriber, notification);
  }

  function send({ socket }: Subscriber, message: Json): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(encodeJson(message));
    if (socket.bufferedAmount > WAITING_LIMIT) socket.terminate();
  }

  return {
    close: () =>
      new Promise((resolve) => {
        isClosed = true;
        clearTimeout(looking);
        for (const socket of server.clients) socket.terminate();
        server.close(() => resolve());
      }),
  };
}

/** Polls a subscription; an error ends that subscription only. */
function lookAt(
  subscription: Subscription,
  fault: (error: unknown) => void,
): ReturnType<Subscription['look']> {
  try {
    return subscription.look();
  } catch (error) {
    fault(error);
    return { results: [], isOver: true };
  }
}

interface Call {
  readonly id: CallId | undefined;
  readonly method: string;
  readonly params: unknown;
}

function readCall(data: RawData): Call | RpcError {
  let parsed: unknown;
  try {
    parsed = parseCalls(String(data));
  } catch {
    return parseError();
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return invalidRequest();
  const { jsonrpc, id, method, params }: { readonly [key: string]: unknown } = { ...parsed };
  if (jsonrpc !== '2.0' || typeof method !== 'string') return invalidRequest();
  return { id: callId(id), method, params: params ?? [] };
}

function failure(id: CallId, { code, message, data }: RpcError): Json {
  return { jsonrpc: '2.0', error: { code, message, data }, id };
}
