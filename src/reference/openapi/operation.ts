/** Describes one route: its parameters, its responses, and its error codes. */
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import type { JsonObject } from '../../kernel/ports/event-store.ts';
import type { AnyCommand } from '../../kernel/runtime/define-command.ts';
import { type AnyQuery, isPublicJson } from '../../kernel/runtime/define-query.ts';
import type { Route } from '../../kernel/runtime/define-route.ts';
import { exampleOf } from './example-of.ts';
import { type HeaderParameterName, headersOf, RATE_LIMIT_HEADERS } from './headers.ts';
import type { SchemaCollection } from './json-schema.ts';
import { DEFAULT_RESPONSE, problemResponse } from './problem-responses.ts';
import { codesByStatus, takesIdempotencyKey, waitsForOwnWrites } from './route-codes.ts';
import { tagOf } from './tags.ts';

export type Described = AnyCommand<never> | AnyQuery<never>;

/** Members that only commands or only queries have. */
type Traits = Partial<
  Pick<AnyCommand<never>, 'entityTag' | 'respondsAsync'> &
    Pick<AnyQuery<never>, 'mediaType' | 'alternative' | 'tagged' | 'file' | 'alsoAnswers'>
>;

const SECURITY: { readonly [auth in Route['auth']]: readonly JsonObject[] } = {
  none: [],
  optional: [{}, { accessToken: [] }],
  wallet: [{ accessToken: [] }],
  partner: [{ partnerKey: [] }],
  operator: [{ operatorKey: [] }],
};

/** Converts parameters to OpenAPI's form: `{name}`. */
export function pathOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}');
}

export function operationOf(
  described: Described,
  shared: {
    readonly schemas: SchemaCollection;
    /** True if operators are configured: some routes return more to operators. */
    readonly operators: boolean;
  },
): JsonObject {
  const { summary, description, route, input } = described;
  const instance = examplePath(described);
  const content = successContentOf(described, shared.schemas);
  const { alsoAnswers: others = {} }: Traits = described;
  const problems = [...codesByStatus(described)].map(([status, codes]) => {
    const description = others[status];
    const other = description === undefined ? undefined : { description, content };
    return [String(status), problemResponse(status, codes, instance, other)];
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

/** Path with examples instead of its parameters. */
function examplePath({ route, input }: Described): string {
  return route.url.replace(/:(\w+)/g, (_all, name: string) => {
    const schema: TSchema | undefined = input.params?.properties[name];
    return String(schema === undefined ? '' : exampleOf(schema).value);
  });
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
  const { entityTag, respondsAsync, tagged = isPublicJson(described), file }: Traits = described;
  return [
    ...when('IdempotencyKey', takesIdempotencyKey(described)),
    ...when('IfMatch', entityTag),
    ...when('Prefer', respondsAsync),
    ...when('IfNoneMatch', tagged || file),
    ...when('Range', file),
    ...when('IfRange', file),
    ...when('LastEventId', described.route.resumes),
    ...when('AfterPosition', waitsForOwnWrites(described)),
    'RequestId',
  ];
}

function when<Name extends string>(name: Name, applies: unknown): readonly Name[] {
  return applies ? [name] : [];
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
                  description: `PNG or JPEG of at most ${maximumBytes} bytes; the only part of the form.`,
                },
              },
              additionalProperties: false,
            },
            encoding: { [field]: { contentType: 'image/png, image/jpeg' } },
            example: { [field]: '(bytes of the file)' },
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
  const { mediaType = JSON_TYPE, alternative }: Traits = described;
  return {
    [mediaType]:
      mediaType === JSON_TYPE
        ? jsonContent(output, `${name}Answer`, schemas)
        : { schema: schemas.schemaOf(output) },
    ...(alternative === undefined ? {} : { [alternative]: { schema: { type: 'string' } } }),
  };
}

function successesOf(described: Described, content: JsonObject): JsonObject {
  const { kind, route, output } = described;
  const { alsoAnswers = {}, ...traits }: Traits = described;
  const { entityTag, respondsAsync, tagged = isPublicJson(described), file } = traits;
  const headers = headersOf([
    'X-Request-Id',
    'Cache-Control',
    ...when('X-Position', kind === 'command'),
    ...when('ETag', entityTag || tagged || file),
    ...when('Preference-Applied', respondsAsync),
    ...when('Accept-Ranges', file),
    ...(route.limit === 'none' || route.auth === 'operator' ? [] : RATE_LIMIT_HEADERS),
  ]);
  const accepted = {
    description:
      "The submission is recorded and its outcome is pending. `Location` is the address of the transaction's state; " +
      '`submissions.*` on `GET /events` reports the outcome.',
    headers: { ...headers, ...headersOf(['Location']) },
  };
  const part = {
    description: 'Requested range of the file.',
    headers: { ...headers, ...headersOf(['Content-Range']) },
    content,
  };
  const unchanged = {
    description: 'Not modified: the version in `If-None-Match` is the latest.',
    headers,
  };
  return {
    '200': { description: output.description ?? 'Success.', headers, content },
    ...(respondsAsync ? { '202': accepted } : {}),
    ...(file ? { '206': part } : {}),
    ...(tagged || file ? { '304': unchanged } : {}),
    ...Object.fromEntries(
      Object.entries(alsoAnswers).map(([status, description]) => [status, { description, headers, content }]),
    ),
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
