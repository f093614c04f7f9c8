/** Parses JSON-RPC calls, and retains the digits of their ids: JSON.parse rounds numbers above 2^53. */
import { RawJson } from './json.ts';

/** Id of a call, as its response repeats it. */
export type CallId = string | RawJson | null;

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Parses one call or a batch. Each numeric id is returned as a list with its digits as text, which `callId` reads.
 * @throws SyntaxError
 */
export function parseCalls(text: string): unknown {
  const callDepth = text.trimStart().startsWith('[') ? 2 : 1;
  let depth = 0;
  /** Previous two tokens. */
  let [name, separator] = ['', ''];
  const marked = text.replace(TOKEN, (token) => {
    const isId = depth === callDepth && separator === ':' && name === '"id"' && NUMBER.test(token);
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    [name, separator] = [separator, token];
    return isId ? `["${token}"]` : token;
  });
  return JSON.parse(marked);
}

/** Undefined for a notification; null for an invalid id. */
export function callId(id: unknown): CallId | undefined {
  if (id === undefined || typeof id === 'string') return id;
  const [digits]: readonly unknown[] = Array.isArray(id) && id.length === 1 ? id : [];
  return typeof digits === 'string' && NUMBER.test(digits) ? new RawJson(digits) : null;
}
