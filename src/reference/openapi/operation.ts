/** Describes one route: its parameters, its answers, and the codes that it refuses with. */
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { JsonObject } from '../../kernel/ports/event-store.ts';
import type { AnyCommand } from '../../kernel/runtime/define-command.ts';
import type { AnyQuery } from '../../kernel/runtime/define-query.ts';
import type { Route } from '../../kernel/runtime/define-route.ts';
import { fieldMessage } from '../../server/http/field-message.ts';
import { exampleOf } from './example-of.ts';
import {
  type HeaderParameterName,
  headersOf,
  RATE_LIMIT_HEADERS,
  type ResponseHeaderName,
} from './headers.ts';
import type { SchemaCollection } from './json-schema.ts';
import { DEFAULT_RESPONSE, problemResponse } from './problem-responses.ts';
import { codesByStatus, takesIdempotencyKey, waitsForOwnWrites } from './route-codes.ts';
import { tagOf } from './tags.ts';

export type Described = AnyCommand<never> | AnyQuery<never>;

const SECURITY: { readonly [auth in Route['auth']]: readonly JsonObject[] } = {
  none: [],
  optional: [{}, { accessToken: [] }],
  wallet: [{ accessToken: [] }],
  partner: [{ partnerKey: [] }],
  operator: [{ operatorKey: [] }],
};

/** Parameters as OpenAPI writes them: `{name}`. */
export function pathOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}');
}

export function operationOf(
  described: Described,
  shared: {
    readonly schemas: SchemaCollection;
    /** Whether there are operators: some routes show them more than others. */
    readonly operators: boolean;
  },
): JsonObject {
  const { summary, description, route, input } = described;
  const call = { instance: examplePath(described), details: faultsOf(input) };
  const content = successContentOf(described, shared.schemas);
  const others = described.kind === 'query' ? (described.alsoAnswers ?? {}) : {};
  const problems = [...codesByStatus(described)].map(([status, codes]) => {
    const description = others[status];
    const other = description === undefined ? undefined : { description, content };
    return [String(status), problemResponse(status, codes, call, other)];
  });
  return {
    operationId: operationIdOf(described),
    summary,
    description,
    tags: [tagOf(route.url)],
    security: securityOf(route, shared.operators),
    parameters: [
      ...parametersIn('path', input.params, shared.schemas),
      ...parametersIn('query', input.query, shared.schemas),
      ...headerParametersOf(described).map((header) => ({ $ref: `#/components/parameters/${header}` })),
    ],
    ...requestBodyOf(described, shared.schemas),
    responses: {
      ...successesOf(described, content),
      ...Object.fromEntries(problems),
      default: DEFAULT_RESPONSE,
    },
  };
}

function securityOf({ auth, operatorsSeeMore }: Route, operators: boolean): readonly JsonObject[] {
  if (!operatorsSeeMore || !operators) return SECURITY[auth];
  const [nothing = {}, ...others] = SECURITY[auth];
  return [nothing, ...others, { operatorKey: [] }];
}

function operationIdOf({ name, route }: Pick<Described, 'name' | 'route'>): string {
  return route.operationId ?? `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

/** The path with examples in place of its parameters. */
function examplePath({ route, input }: Described): string {
  return route.url.replace(/:(\w+)/g, (_all, name: string) => {
    const schema: TSchema | undefined = input.params?.properties[name];
    return String(schema === undefined ? '' : exampleOf(schema).value);
  });
}

/** Breaks the rules of every field that has any, in one of two ways. */
const WRONG_VALUES = ['', '?'.repeat(1_000)];

/** What a call may have wrong: the first field that its body must have, else the first field of its own that has a rule. */
function faultsOf({ body, query, params }: Described['input']): readonly JsonObject[] {
  const [required] = body?.required ?? [];
  if (required !== undefined) return [{ path: [required], message: 'Required property' }];
  const fields = [body, query, params].flatMap((part) => Object.entries<TSchema>(part?.properties ?? {}));
  for (const [name, schema] of fields)
    for (const wrong of WRONG_VALUES) {
      const error = Value.Errors(schema, wrong).First();
      if (error !== undefined) return [{ path: [name], message: fieldMessage(error) }];
    }
  return [];
}

function parametersIn(
  place: 'path' | 'query',
  schema: TObject | undefined,
  schemas: SchemaCollection,
): readonly JsonObject[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = schemas.schemaOf(property);
    const { value, missing } = exampleOf(property);
    return {
      name,
      in: place,
      required: place === 'path' || schema?.required?.includes(name) === true,
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(missing.length > 0 ? {} : { example: value }),
    };
  });
}

function headerParametersOf(described: Described): readonly HeaderParameterName[] {
  return [
    ...(takesIdempotencyKey(described) ? (['IdempotencyKey'] as const) : []),
    ...(described.kind === 'command' && described.entityTag !== undefined ? (['IfMatch'] as const) : []),
    ...(described.kind === 'command' && described.respondsAsync ? (['Prefer'] as const) : []),
    ...(described.kind === 'query' && (described.tagged || described.file) ? (['IfNoneMatch'] as const) : []),
    ...(described.kind === 'query' && described.file ? (['Range', 'IfRange'] as const) : []),
    ...(described.route.resumes ? (['LastEventId'] as const) : []),
    ...(waitsForOwnWrites(described) ? (['AfterPosition'] as const) : []),
    'RequestId',
  ];
}

function requestBodyOf({ name, route: { upload }, input }: Described, schemas: SchemaCollection): JsonObject {
  if (upload !== undefined) {
    const { field, maximumBytes } = upload;
    return {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: [field],
              properties: {
                [field]: {
                  type: 'string',
                  format: 'binary',
                  description: `A PNG or JPEG of at most ${maximumBytes} bytes; the only part.`,
                },
              },
              additionalProperties: false,
            },
            encoding: { [field]: { contentType: 'image/png, image/jpeg' } },
            example: { [field]: '(the bytes of the file)' },
          },
        },
      },
    };
  }
  if (input.body === undefined) return {};
  return {
    requestBody: {
      required: true,
      content: { 'application/json': jsonContent(input.body, `${name}Body`, schemas) },
    },
  };
}

function successContentOf(described: Described, schemas: SchemaCollection): JsonObject {
  const { name, output } = described;
  const mediaType = described.kind === 'query' ? (described.mediaType ?? JSON_TYPE) : JSON_TYPE;
  return {
    [mediaType]:
      mediaType === JSON_TYPE
        ? jsonContent(output, `${name}Answer`, schemas)
        : { schema: schemas.schemaOf(output) },
    ...(described.kind === 'query' && described.alternative !== undefined
      ? { [described.alternative]: { schema: { type: 'string' } } }
      : {}),
  };
}

function successesOf(described: Described, content: JsonObject): JsonObject {
  const { route, output } = described;
  const own: readonly ResponseHeaderName[] =
    described.kind === 'command'
      ? [
          'X-Position',
          ...(described.entityTag === undefined ? [] : (['ETag'] as const)),
          ...(described.respondsAsync ? (['Preference-Applied'] as const) : []),
        ]
      : [
          ...(described.tagged || described.file ? (['ETag'] as const) : []),
          ...(described.file ? (['Accept-Ranges'] as const) : []),
        ];
  const headers = headersOf([
    'X-Request-Id',
    'Cache-Control',
    ...own,
    ...(route.limit === 'none' || route.auth === 'operator' ? [] : RATE_LIMIT_HEADERS),
  ]);
  const others = described.kind === 'query' ? Object.entries(described.alsoAnswers ?? {}) : [];
  return {
    '200': { description: output.description ?? 'Success.', headers, content },
    ...acceptedOf(described, headers),
    ...(described.kind === 'query' && described.file ? { '206': partOf(headers, content) } : {}),
    ...(described.kind === 'query' && (described.tagged || described.file)
      ? { '304': { description: 'Not changed: what If-None-Match names is still the latest.', headers } }
      : {}),
    ...Object.fromEntries(others.map(([status, description]) => [status, { description, headers, content }])),
  };
}

function acceptedOf(described: Described, headers: JsonObject): JsonObject {
  if (described.kind !== 'command' || !described.respondsAsync) return {};
  return {
    '202': {
      description:
        'Recorded, and the call prefers not to wait: `Location` names the transaction that tells the outcome, and so does `submissions.*` on `GET /events`.',
      headers: { ...headers, ...headersOf(['Location']) },
    },
  };
}

function partOf(headers: JsonObject, content: JsonObject): JsonObject {
  return {
    description: 'The part that Range asks for.',
    headers: { ...headers, ...headersOf(['Content-Range']) },
    content,
  };
}

const JSON_TYPE = 'application/json';

function jsonContent(schema: TSchema, name: string, schemas: SchemaCollection): JsonObject {
  const { value, missing } = exampleOf(schema);
  return {
    schema: schemas.schemaOf(schema, TypeGuard.IsObject(schema) ? name : undefined),
    ...(missing.length > 0 ? {} : { example: value }),
  };
}
