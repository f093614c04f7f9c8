/** Paths and queries: as an operation takes them, and spoiled in one place. Only characters that may go over the wire. */
import { hostileText } from './hostile-values.ts';
import type { Operation, Parameter } from './operations.ts';
import { type Drawing, validValue } from './valid-values.ts';

export function validPath(operation: Operation, drawing: Drawing): string {
  return filled(operation, ({ name, schema }) =>
    encodeURIComponent(String(validValue(name, schema, drawing))),
  );
}

const SEGMENTS: readonly string[] = [
  '',
  '.',
  '..',
  '...',
  '%',
  '%zz',
  '%2',
  '%ff',
  '%c0%ae',
  '%e0%a4%a',
  '%ed%a0%80',
  '%00',
  'a%00b',
  '%0d%0aX-Injected:%201',
  '..%2f..%2f',
  '%2e%2e%2f',
  '%252e',
  '%F0%9F%9A%80',
  '*',
  '+',
  '~',
  '{}',
  '[]',
  '|',
  '"<>"',
  '\\..\\',
  ':mintAddress',
  'me',
  'submit',
  '\xe9',
  ';x=1',
  'x'.repeat(256),
  'x'.repeat(300),
  'x'.repeat(9_000),
];

/** Where there is something else, or might be. */
const ELSEWHERE: readonly string[] = [
  '/',
  '/docs',
  '/docs/',
  '/docs/json',
  '/docs/yaml',
  '/docs/static/index.html',
  '/docs/static/swagger-ui.css',
  '/docs/static/..%2f..%2fpackage.json',
  '/docs/static/%2e%2e/%2e%2e/%00',
  '/docs/%zz',
  '/favicon.ico',
  '/.env',
  '/.well-known/',
  '/operator',
  '/images/..%2f..%2fjwt-key.json',
  '/metadata/.json',
];

export function spoiledPath(operation: Operation, path: string, drawing: Drawing): string {
  const { random } = drawing;
  const segment = () => (random.chance(0.6) ? random.pick(SEGMENTS) : encoded(hostileText(random)));
  switch (random.below(9)) {
    case 0:
      return `${path}/`;
    case 1:
      return path.replace('/', '//');
    case 2:
      return `${path}${segment()}`;
    case 3:
      return `${path}/${segment()}`;
    case 4:
      return path.toUpperCase();
    case 5:
      return random.pick(ELSEWHERE);
    default:
      return filled(operation, segment);
  }
}

export function validQuery(operation: Operation, drawing: Drawing): string {
  const chosen = queryOf(operation).filter(({ required }) => required || drawing.random.chance(0.4));
  const pairs = chosen.map(({ name, schema }): [string, string] => [
    name,
    String(validValue(name, schema, drawing)),
  ]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

export function spoiledQuery(operation: Operation, query: string, { random }: Drawing): string {
  const known = queryOf(operation).map(({ name }) => name);
  const name = random.pick([...known, 'unknown', '__proto__', 'constructor', '']);
  const start = query === '' ? '?' : `${query}&`;
  switch (random.below(10)) {
    case 0:
      return `${start}${name}=1&${name}=2`;
    case 1:
      return `${start}${name}[]=1&${name}[a]=2&${name}.b=3`;
    case 2:
      return `${start}${name}=%zz%`;
    case 3:
      return `${start}&&=&==&${name}`;
    case 4:
      return `${start}${Array.from({ length: 900 }, (_none, at) => `p${at}=`).join('&')}`;
    case 5:
      return `${start}${name}=${'x'.repeat(8_000)}`;
    case 6:
      return `${start}${name}=%00%0d%0a+%20`;
    case 7:
      return `?${query}#${name}?`;
    default:
      return `${start}${name}=${encoded(hostileText(random))}`;
  }
}

function queryOf({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

function filled({ path, parameters }: Operation, value: (parameter: Parameter) => string): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return value(parameter ?? { name, in: 'path', schema: {} });
  });
}

/** Lone surrogates have no encoding of their own. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
