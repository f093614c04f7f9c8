// What generators of clients need of the description: shapes that typed languages read, names that clash with nothing, examples that are valid.
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { commands } from '../../../../src/commands/index.ts';
import { queries } from '../../../../src/queries/index.ts';
import { createOpenApiDocument } from '../../../../src/reference/openapi/document.ts';

interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly schema: Node;
  readonly example?: unknown;
}

interface Operation {
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: { readonly [status: string]: { readonly content?: Contents } };
}

interface Contents {
  readonly [mediaType: string]: {
    readonly schema: Node;
    readonly example?: unknown;
    readonly examples?: { readonly [name: string]: { readonly value: unknown } };
  };
}

interface Node {
  readonly [keyword: string]: unknown;
}

const document = createOpenApiDocument({
  routes: [...commands, ...queries],
  version: '0.0.0',
  publicUrl: 'https://levy.example',
}) as AnySchemaObject;
const components: { readonly [name: string]: Node } = document.components.schemas;
const operations: readonly (readonly [string, Operation])[] = Object.entries<{ [method: string]: Operation }>(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
);
/** Of headers, and of queries and paths. */
const parameters: readonly (readonly [string, Parameter])[] = [
  ...Object.entries<Parameter>(document.components.parameters),
  ...Object.entries<Parameter>(document.components.headers),
  ...operations.flatMap(([name, operation]) =>
    operation.parameters.flatMap((each) => ('name' in each ? [[`${name} ${each.name}`, each] as const] : [])),
  ),
];

const DATA = new Set(['example', 'examples', 'enum', 'const', 'default', 'required']);

/** Every schema with the pointer to it. */
function* schemasIn(value: unknown, place: string): Generator<readonly [string, Node]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Node];
  // A member may be called `example`, a keyword's value may not be read as a schema.
  for (const [key, inner] of Object.entries(value))
    if (place.endsWith('/properties') || !DATA.has(key)) yield* schemasIn(inner, `${place}/${key}`);
}

const all = [...schemasIn(document.paths, ''), ...schemasIn(document.components, 'components')];
const isNamed = (place: string) => /^components\/schemas\/\w+$/.test(place);
const where = (isWrong: (schema: Node, place: string) => boolean) =>
  all.filter(([place, schema]) => isWrong(schema, place)).map(([place]) => place);

test('or null is a type, or a component or null; nothing else is a union', () => {
  expect(where((schema) => 'anyOf' in schema)).toEqual([]);
  const wrong = where(({ oneOf }) => {
    if (!Array.isArray(oneOf)) return false;
    const [first, second] = oneOf;
    return oneOf.length !== 2 || !('$ref' in first) || JSON.stringify(second) !== '{"type":"null"}';
  });
  expect(wrong).toEqual([]);
  expect(where(({ oneOf }) => Array.isArray(oneOf)).length).toBeGreaterThan(5);
});

test('a list of words is a component of its own, wherever it is used', () => {
  expect(where((schema, place) => Array.isArray(schema.enum) && !isNamed(place))).toEqual([]);
  const lists = Object.entries(components).filter(([, schema]) => Array.isArray(schema.enum));
  expect(lists.length).toBeGreaterThan(20);
  expect(lists.filter(([, { type }]) => type !== 'string')).toEqual([]);
  const words = lists.map(([, schema]) => JSON.stringify(schema.enum));
  expect(words).toEqual([...new Set(words)]);
  const names = lists.flatMap(([, schema]) => schema['x-enum-varnames']);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toHaveLength(lists.flatMap(([, schema]) => schema.enum).length);
  expect(names.filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(String(name)))).toEqual([]);
});

test('every whole number says how large it may be', () => {
  const isInteger = ({ type }: Node) => [type].flat().includes('integer');
  expect(where((schema) => isInteger(schema) && !['int32', 'int64'].includes(String(schema.format)))).toEqual(
    [],
  );
  expect(where((schema) => schema.format === 'int32' && Number(schema.maximum) > 2 ** 31 - 1)).toEqual([]);
});

test('no rule of a text is beside a format, which generators parse into another type first', () => {
  const rules = ['pattern', 'minLength', 'maxLength'];
  expect(
    where((schema) => typeof schema.format === 'string' && rules.some((rule) => rule in schema)),
  ).toEqual([]);
  expect(where((schema) => schema.format === 'date-time').length).toBeGreaterThan(50);
});

test('every operation has an answer for whatever else is refused', () => {
  for (const [name, { responses }] of operations)
    expect([name, responses.default?.content]).toEqual([
      name,
      { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    ]);
  const codes = components.ProblemCode?.enum;
  expect(codes).toContain('INTERNAL_ERROR');
});

/** What generated clients bring along, by the generators for TypeScript, Go, Python, Java, C#, Kotlin, Rust, PHP and Dart. */
const TAKEN = new Set(
  (
    'configuration configurationparameters baseapi basepath requestargs requiredError apiclient apiexception apierror apiresponse apikey apicallback ' +
    'client authenticatedclient authentication basicauth httpbasicauth oauth bearertoken serverconfiguration serverconfigurations servervariable ' +
    'genericopenapierror mappednullable contextkey error errors exception response request httpresponse httpinfo filedata file fileparameter ' +
    'fileresponse swaggerresponse swaggerexception problemdetails pair json jsonobject object string number integer boolean float double decimal ' +
    'date datetime time uuid uri url map set list array any null void type class enum record tuple optional unset model default event task ' +
    'function symbol promise process thread system result option vec box self super'
  )
    .toLowerCase()
    .split(' '),
);

test('no schema is called what generated clients bring along, or differs from another by case alone', () => {
  const names = Object.keys(components).map((name) => name.toLowerCase());
  expect(names.filter((name) => TAKEN.has(name))).toEqual([]);
  expect(names).toEqual([...new Set(names)]);
  expect(Object.keys(components).filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
});

test('what generated clients would send by themselves stands beside anything: page has no default', () => {
  const pages = parameters.filter(([, { name }]) => name === 'page');
  expect(pages.length).toBeGreaterThan(3);
  for (const [, { schema, example }] of pages) expect([schema.default, example]).toEqual([undefined, 1]);
});

test('a cursor has no example: no list goes on behind an invented one', () => {
  const cursors = parameters.filter(([, { description }]) =>
    description?.startsWith('`next` of the previous page'),
  );
  expect(cursors.length).toBeGreaterThan(10);
  expect(cursors.filter(([, { example, schema }]) => example !== undefined || 'examples' in schema)).toEqual(
    [],
  );
});

/** Members of answers that may be absent; every other one is always present. */
const SOMETIMES_ABSENT = [
  // Until a token has them, so that the contract's answers stay as they are.
  'CreateUnsignedAnswer.partnerShare',
  ...['DistributionRunSettings', 'DistributionSettings', 'PublicDistributionSettings'].flatMap((name) => [
    `${name}.developerWallets`,
    `${name}.partnerShare`,
  ]),
  // While a draft can be signed, of a launch, and while its outcome is unusually slow.
  ['cost', 'launch', 'transaction', 'waitingFor'].map((name) => `GetTransactionAnswer.${name}`),
  'Transaction.waitingFor',
  // Parts that the caller did not request.
  ['featured', 'launch', 'runs', 'settings', 'tax', 'unavailable'].map((part) => `GetTokenAnswer.${part}`),
  // Before the first run, while no run is due, and while no change is pending.
  ['TokenCard', 'TokenDetail'].flatMap((token) =>
    ['lastDistributionAt', 'nextDistributionAt'].map((name) => `${token}.${name}`),
  ),
  'WalletShare.nextDistributionAt',
  'TokenDetail.pendingTransferFee',
  'SubmitTransferFeeAnswer.pendingTransferFee',
  'ListDistributionsAnswer/distributions/items.currentStep',
  'DistributionRunAmounts.ownTax',
  // A run has one, a day has none.
  'DistributionPoint.number',
  // Another read model holds it, and may lag.
  'TokenDetail.signature',
  ['OwnToken', 'TokenDetail'].map((token) => `${token}.hidden`),
  // With several payments to one wallet.
  ['GetPaymentAnswer', 'GetPaymentProofAnswer'].map((answer) => `${answer}.others`),
  // A member that the change added or removed; an event that cannot be read.
  ['after', 'before'].map((side) => `GetStreamStateAnswer/changes/items.${side}`),
  '//operator/log/get/responses/200/content/application/x-ndjson/schema.unreadable',
  'GetStreamStateAnswer/event.unreadable',
  'ListEventsAnswer/events/items.unreadable',
  ['details', 'neighbours', 'root'].map((name) => `Problem.${name}`),
  // In the form that wallets and explorers read.
  ['external_url', 'telegram', 'twitter', 'website'].map((name) => `TokenMetadata.${name}`),
].flat();

test('a member of an answer that is always there is required', () => {
  const inputs = new Set(
    operations.flatMap(([, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).map(({ schema }) => String(schema.$ref).split('/').at(-1)),
    ),
  );
  const optional = all.flatMap(([place, schema]) => {
    const [, component = ''] = /^components\/schemas\/(\w+)/.exec(place) ?? [];
    if (typeof schema.properties !== 'object' || inputs.has(component) || place.includes('/requestBody/'))
      return [];
    const required = Array.isArray(schema.required) ? schema.required : [];
    return Object.keys(Object(schema.properties))
      .filter((name) => !required.includes(name))
      .map((name) => `${place.replace('components/schemas/', '').replace('/properties', '')}.${name}`);
  });
  // Of a change of settings, what changed.
  const others = optional.filter((each) => !each.startsWith('SomeDistributionSettings.'));
  expect(others.sort()).toEqual(SOMETIMES_ABSENT.toSorted());
});

/** Members of bodies whose absence means something that no value does. */
const WITHOUT_DEFAULT = [
  'post /operator/events/{eventId}/quarantine revision',
  'post /operator/events/{eventId}/quarantine stream',
  'post /operator/partners developerShare',
  'post /operator/partners quotas',
  'post /operator/submissions/{transactionId}/conclude signature',
  'post /operator/submissions/{transactionId}/conclude slot',
  'post /operator/tokens/{mintAddress}/show reason',
  'post /tokens/create-unsigned developerWallet',
  'post /tokens/create-unsigned developerWallets',
];

test('a member of a body says what its absence means, but for changes of what is there', () => {
  const absent = operations.flatMap(([name, { requestBody }]) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => {
      const body: Node = components[String(schema.$ref).split('/').at(-1) ?? ''] ?? schema;
      const required = Array.isArray(body.required) ? body.required : [];
      return Object.entries<Node>(Object(body.properties))
        .filter(([member, rules]) => !required.includes(member) && !('default' in rules))
        .map(([member]) => `${name} ${member}`);
    }),
  );
  expect(absent.filter((each) => !each.startsWith('patch ')).sort()).toEqual(WITHOUT_DEFAULT);
});

test('a boolean may be both, since an only value is compared as text', () => {
  expect(where((schema) => typeof schema.const === 'boolean')).toEqual([]);
});

test('a default is a single value: the code that is generated for any other one does not compile', () => {
  expect(
    where((schema, place) => typeof schema.default === 'object' && !place.endsWith('/responses')),
  ).toEqual([]);
});

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv, ['date-time', 'uuid', 'binary', 'int32', 'int64']);
ajv.addSchema(document, 'description');
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

function faultsOf(schema: Node, value: unknown): unknown {
  const text = JSON.stringify(schema).replaceAll('"#/', '"description#/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  return validate(value) ? [] : validate.errors;
}

test('every example is valid', () => {
  const bodies = operations.flatMap(([name, { requestBody, responses }]) =>
    [requestBody, ...Object.values(responses)].flatMap((each) =>
      Object.values(each?.content ?? {}).flatMap(({ schema, example, examples = {} }) =>
        [
          ...(example === undefined ? [] : [example]),
          ...Object.values(examples).map(({ value }) => value),
        ].map((value) => [name, schema, value] as const),
      ),
    ),
  );
  const named = Object.entries(components).flatMap(([name, schema]) =>
    (Array.isArray(schema.examples) ? schema.examples : []).map((value) => [name, schema, value] as const),
  );
  const given = parameters.flatMap(([name, { schema, example }]) =>
    example === undefined ? [] : [[name, schema, example] as const],
  );
  const examples = [...bodies, ...named, ...given];
  expect(examples.length).toBeGreaterThan(300);
  for (const [name, schema, value] of examples)
    expect([name, value, faultsOf(schema, value)]).toEqual([name, value, []]);
});

/** RFC 9457 and CloudEvents name these. */
const NAMED_ELSEWHERE = new Set(['Problem', 'LoggedEvent']);
/** A time, or how long ago it was, such as `2h`. */
const TIMES_OR_SPANS = new Set(['get /operator/events since', 'get /operator/events until']);

/** The access token, and an amount in base units beside `sol`. */
const TWO_MEANINGS = ['token'];
/** A proof's text as C2SP has it; the state of a stream, of any form. */
const ALSO_CONTAINERS = ['proof', 'state'];

function kindsOf({ $ref, oneOf, type, format, pattern }: Node): readonly string[] {
  if (typeof $ref === 'string') return kindsOf(components[$ref.split('/').at(-1) ?? ''] ?? {});
  if (Array.isArray(oneOf)) return oneOf.flatMap(kindsOf);
  return [type ?? 'object'].flat().flatMap((each) => {
    if (each === 'null') return [];
    if (each === 'object' || each === 'array') return ['container'];
    if (format === 'date-time') return ['time'];
    return [/^\^\(0\|\[1-9\]\[0-9\](\*|\{0,19\})/.test(String(pattern)) ? 'amount' : String(each)];
  });
}

test('a member or parameter of one name has one type in the whole description', () => {
  const types = new Map<string, Set<string>>();
  const note = (name: string, schema: Node) =>
    types.set(name, new Set([...(types.get(name) ?? []), ...kindsOf(schema)]));
  for (const [place, schema] of all) {
    const [, component = ''] = /^components\/schemas\/(\w+)/.exec(place) ?? [];
    if (NAMED_ELSEWHERE.has(component) || typeof schema.properties !== 'object') continue;
    for (const [name, member] of Object.entries<Node>(Object(schema.properties))) note(name, member);
  }
  const several = () => [...types].flatMap(([name, kinds]) => (kinds.size > 1 ? [name] : [])).sort();
  expect(several()).toEqual([...TWO_MEANINGS, ...ALSO_CONTAINERS].sort());
  for (const kinds of types.values()) kinds.delete('container');
  for (const [place, { name, schema }] of parameters)
    if (name !== undefined && !TIMES_OR_SPANS.has(place)) note(name, schema);
  expect(types.size).toBeGreaterThan(200);
  expect(several()).toEqual(TWO_MEANINGS);
});
