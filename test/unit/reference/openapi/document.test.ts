// What the service says of itself is whole: every route with good examples, every code by its status, held to a public linter.
import { Value } from '@sinclair/typebox/value';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../../src/commands/index.ts';
import { takesIdempotencyKey } from '../../../../src/kernel/runtime/define-route.ts';
import { queries } from '../../../../src/queries/index.ts';
import { createOpenApiDocument } from '../../../../src/reference/openapi/document.ts';
import { exampleOf } from '../../../../src/reference/openapi/example-of.ts';
import { type Described, pathOf } from '../../../../src/reference/openapi/operation.ts';
import { codesByStatus } from '../../../../src/reference/openapi/route-codes.ts';
import { tagOf } from '../../../../src/reference/openapi/tags.ts';

const routes: readonly Described[] = [...commands, ...queries];
const document = createOpenApiDocument({ routes, version: '1.2.3', publicUrl: 'https://levy.example' });

/** Of operations; another one is a line here. */
const VERBS: ReadonlySet<string> = new Set(
  (
    'buy cancel change conclude correct create end generate get halt hide list preview quarantine read rebuild request ' +
    'resume revoke rotate set show stream submit take update upload verify'
  ).split(' '),
);

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[];
  readonly responses: { readonly [status: string]: unknown };
}

/** What an answer of a refusal shows of it. */
interface Refusals {
  readonly content?: {
    readonly 'application/problem+json'?: {
      readonly examples: {
        readonly [code: string]: {
          readonly value: {
            readonly instance: string;
          };
        };
      };
    };
  };
}

/** The place that a pointer such as `#/paths/~1tokens` names. */
function at<Place>(...path: readonly string[]): Place {
  return path.reduce<unknown>((place, key) => Reflect.get(Object(place), key), document) as Place;
}

const operationOf = ({ route }: Described) =>
  at<Operation>('paths', pathOf(route.url), route.method.toLowerCase());

describe.each(routes.map((described) => [described.name, described] as const))('%s', (name, described) => {
  const { route, input, output } = described;
  const isJson = described.kind === 'command' || described.mediaType === undefined;
  const said = [
    ...(route.upload === undefined && input.body !== undefined ? [['body', input.body] as const] : []),
    ...Object.entries(input.params?.properties ?? {}).map(([param, schema]) => [param, schema] as const),
    ...(isJson ? [['output', output] as const] : []),
  ];

  test.each(said)('has an example of its %s, and it is a good one', (what, schema) => {
    const { value, missing } = exampleOf(schema);
    const places = missing.map((path) => `${what}${path}`);
    const remedy = `add \`examples: [...]\` to these schemas of ${name}, or to the object that they are in`;
    expect(places, remedy).toEqual([]);
    const errors = [...Value.Errors(schema, value)].map(({ path, message }) => `${what}${path}: ${message}`);
    expect([value, errors]).toEqual([value, []]);
  });

  test('belongs to a group', () => {
    expect(tagOf(route.url), 'add its prefix to src/reference/openapi/tags.ts').not.toBe('Other');
  });

  test('is described with its parameters, and each of its codes under its status', () => {
    const { operationId, summary, parameters, responses } = operationOf(described);
    expect(operationId).toBe(route.operationId ?? `${name.charAt(0).toLowerCase()}${name.slice(1)}`);
    expect(summary).toBe(described.summary);
    expect(described.description, `say what callers of ${name} must know`).toMatch(/^[A-Z`].{10,}\.$/s);
    const named = (place: string) => parameters.filter((each) => each.in === place).map((each) => each.name);
    expect(named('path')).toEqual([...route.url.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter));
    expect(named('query')).toEqual(Object.keys(input.query?.properties ?? {}));
    for (const [status, codes] of codesByStatus(described)) {
      expect(responses[status]).toMatchObject({
        'x-codes': codes,
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      });
    }
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['200', ...[...codesByStatus(described).keys()].map(String)]),
    );
  });

  test('names a path of its own in the examples of its refusals', () => {
    const path = new RegExp(`^${route.url.replaceAll('.', '\\.').replace(/:\w+/g, '([^/]+)')}$`);
    const parameters = Object.values(input.params?.properties ?? {});
    const refusals = Object.values(operationOf(described).responses).flatMap((response) =>
      Object.values((response as Refusals).content?.['application/problem+json']?.examples ?? {}),
    );
    expect(refusals).not.toEqual([]);
    for (const { value } of refusals) {
      const [, ...given] = path.exec(value.instance) ?? ['no path of the route'];
      expect(given, value.instance).toHaveLength(parameters.length);
      for (const [index, schema] of parameters.entries())
        expect(Value.Check(schema, given[index]), value.instance).toBe(true);
    }
  });
});

test('every operation is called by a verb and a noun, and no two alike', () => {
  const ids = routes.map((described) => operationOf(described).operationId);
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id) || /(Unsigned|Out)$/.test(id))).toEqual([]);
  const verbs = new Set(ids.map((id) => id.replace(/[A-Z].*/, '')));
  expect([...verbs].filter((verb) => !VERBS.has(verb)).sort()).toEqual([]);
  expect(ids).toEqual([...new Set(ids)]);
});

test('every call can say its request id, and a repeatable one its key', () => {
  for (const described of routes) {
    const { parameters } = operationOf(described);
    const headers = parameters.flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []);
    expect(headers).toContain('RequestId');
    const isToldApart = described.kind === 'command' && takesIdempotencyKey(described.route);
    expect([described.name, headers.includes('IdempotencyKey')]).toEqual([described.name, isToldApart]);
  }
});

test('it says who may call', () => {
  const securityOf = (auth: string, operatorsSeeMore?: true) =>
    routes
      .filter(({ route }) => route.auth === auth && route.operatorsSeeMore === operatorsSeeMore)
      .map((described) => operationOf(described).security);
  for (const security of securityOf('none', true)) expect(security).toEqual([{}, { operatorKey: [] }]);
  for (const security of securityOf('none')) expect(security).toEqual([]);
  for (const security of securityOf('optional')) expect(security).toEqual([{}, { accessToken: [] }]);
  for (const security of securityOf('wallet')) expect(security).toEqual([{ accessToken: [] }]);
  for (const security of securityOf('operator')) expect(security).toEqual([{ operatorKey: [] }]);
});

test('it names version and address as they are given, and the same routes always give the same text', () => {
  expect(at('info', 'version')).toBe('1.2.3');
  expect(at('servers')).toEqual([{ url: 'https://levy.example' }]);
  const again = createOpenApiDocument({
    routes: routes.toReversed(),
    version: '1.2.3',
    publicUrl: 'https://levy.example',
  });
  expect(JSON.stringify(again)).toBe(JSON.stringify(document));
});

test('a status that is an answer here and a refusal there is described as both', () => {
  const content = at<object>('paths', '/ready', 'get', 'responses', '503', 'content');
  expect(Object.keys(content)).toEqual(['application/json', 'application/problem+json']);
});

test('no route tells of our insides', () => {
  expect(JSON.stringify(document)).not.toMatch(/node_modules|\.ts\b|TypeBox|fastify|sqlite|127\.0\.0\.1/i);
});

test('nothing in it stops a generator of clients: no schema that is false, no list of prefixes, no narrowed refusal', () => {
  const text = JSON.stringify(document);
  expect(text).not.toContain('"items":false');
  expect(text).not.toContain('prefixItems');
  expect(text).not.toContain('"allOf":[{"$ref":"#/components/schemas/Problem"}');
  const types = [...text.matchAll(/"type":(\[[^\]]*\])/g)].map(([, list]) => JSON.parse(list ?? '[]'));
  expect(types.filter((list) => list.length !== 2 || list[1] !== 'null')).toEqual([]);
});
