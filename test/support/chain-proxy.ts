/** Stands between the service and a node's JSON-RPC: lets everything pass and reports it, but for what its rules treat otherwise. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

export interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

export type Treatment =
  /** Answered without asking the node. */
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  /** An HTTP answer with just this body. */
  | { readonly kind: 'http'; readonly status: number; readonly body: string }
  /** The node is asked this instead. */
  | { readonly kind: 'reworded'; readonly params: readonly unknown[] }
  /** Changes the node's result. */
  | { readonly kind: 'retold'; readonly retell: (result: unknown) => unknown }
  /** The connection ends without an answer. */
  | { readonly kind: 'cut' }
  /** The connection ends in the middle of the answer. */
  | { readonly kind: 'cut-short' };

/** Undefined leaves the call to the other rules, and in the end to the node. A promise holds it back meanwhile. */
export type Rule = (call: RpcCall) => Treatment | undefined | Promise<Treatment | undefined>;

export interface ChainProxy {
  readonly url: string;
  /** Requests in order, regardless of their outcome. */
  readonly asked: readonly RpcCall[];
  /** Puts a rule in force, before those that are; the function that it gives takes it out again. */
  treat(rule: Rule): () => void;
}

/** Closed after the tests of the file. */
export async function openChainProxy(nodeUrl: string): Promise<ChainProxy> {
  const rules: Rule[] = [];
  const asked: RpcCall[] = [];

  async function treatmentOf(call: RpcCall): Promise<Treatment | undefined> {
    for (const rule of [...rules]) {
      const treatment = await rule(call);
      if (treatment !== undefined) return treatment;
    }
    return undefined;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const call = JSON.parse(body) as RpcCall;
    asked.push(call);
    const treatment = await treatmentOf(call);
    switch (treatment?.kind) {
      case undefined:
      case 'reworded': {
        const asked = treatment === undefined ? body : JSON.stringify({ ...call, params: treatment.params });
        const { status, text } = await post(nodeUrl, asked);
        return reply(response, status, text);
      }
      case 'result':
        return reply(response, 200, { jsonrpc: '2.0', id: call.id, result: treatment.result });
      case 'error': {
        const { code, message } = treatment;
        return reply(response, 200, { jsonrpc: '2.0', id: call.id, error: { code, message } });
      }
      case 'http':
        return reply(response, treatment.status, treatment.body);
      case 'retold': {
        const told = JSON.parse((await post(nodeUrl, body)).text) as { result?: unknown };
        return reply(response, 200, { ...told, result: treatment.retell(told.result) });
      }
      case 'cut':
        response.destroy();
        return;
      case 'cut-short':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"jsonrpc":');
        setImmediate(() => response.destroy());
        return;
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    treat(rule) {
      rules.unshift(rule);
      return () => {
        const place = rules.indexOf(rule);
        if (place !== -1) rules.splice(place, 1);
      };
    },
  };
}

async function post(url: string, body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, text: await response.text() };
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

/** The wire bytes (base64) of a call of sendTransaction; undefined for other calls. */
export function sentBy({ method, params }: RpcCall): string | undefined {
  return method === 'sendTransaction' && typeof params[0] === 'string' ? params[0] : undefined;
}

/** A rule that swallows what is sent: the node would say that it took it, and it never lands. */
export function swallowSends(matches: (wire: string) => boolean = () => true): Rule {
  return (call) => {
    const wire = sentBy(call);
    return wire !== undefined && matches(wire) ? { kind: 'result', result: '1'.repeat(64) } : undefined;
  };
}

/** A rule that hides what has landed: the node knows no signature and no transaction. */
export function hideTransactions(): Rule {
  return ({ method, params }) => {
    switch (method) {
      case 'getSignatureStatuses': {
        const value = (params[0] as readonly string[]).map(() => null);
        return { kind: 'result', result: { context: { slot: 1 }, value } };
      }
      case 'getTransaction':
        return { kind: 'result', result: null };
      case 'getSignaturesForAddress':
        return { kind: 'result', result: [] };
      default:
        return undefined;
    }
  };
}

/** A rule under which the node does not look at the least slot that it is asked for. */
export function ignoreLeastSlot(): Rule {
  return ({ params }) => ({ kind: 'reworded', params: withoutLeastSlot(params) });
}

/** A rule under which answers do not name the slot that they are of. */
export function nameNoSlot(): Rule {
  return ({ method }) =>
    method === 'getEpochInfo'
      ? { kind: 'retold', retell: (info) => ({ ...Object(info), absoluteSlot: undefined }) }
      : {
          kind: 'retold',
          retell: (result) => {
            const { context, ...rest } = Object(result);
            return context === undefined ? result : rest;
          },
        };
}

/** A rule under which every answer is of a slot that no chain can have reached. */
export function nameAbsurdSlot(): Rule {
  const slot = 1e15;
  return ({ method }) => ({
    kind: 'retold',
    retell: (result) => {
      if (method === 'getEpochInfo') return { ...Object(result), absoluteSlot: slot };
      const { context } = Object(result);
      return context === undefined ? result : { ...Object(result), context: { ...context, slot } };
    },
  });
}

function withoutLeastSlot(params: readonly unknown[]): readonly unknown[] {
  return params.map((each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? { ...each, minContextSlot: undefined }
      : each,
  );
}

/**
 * A rule under which the node answers each question as it did first, as one that has lost its cluster does, or a cache that
 * knows no slots.
 */
export function freezeAnswers(nodeUrl: string): Rule {
  const given = new Map<string, Promise<unknown>>();
  return async ({ method, params }) => {
    const asked = withoutLeastSlot(params);
    const question = JSON.stringify([method, asked], (name, value) =>
      name === 'changedSinceSlot' ? undefined : value,
    );
    const first = given.get(question) ?? askNode(nodeUrl, method, asked);
    given.set(question, first);
    return { kind: 'result', result: await first };
  };
}

async function askNode(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const { text } = await post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return (JSON.parse(text) as { result?: unknown }).result;
}
