/** Operations of the API's description, with references resolved. */

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly examples?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** Parameters are written `{name}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly mediaType: string; readonly schema: Schema } | undefined;
  /** Callers whose credentials the operation requires; for `anybody` they are optional. */
  readonly callers: 'anybody' | 'wallets' | 'operators' | 'partners';
  /** Response codes that the description lists. */
  readonly statuses: readonly number[];
  /** The answer never ends by itself. */
  readonly streams: boolean;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly unknown[];
  readonly requestBody?: { readonly content: { readonly [mediaType: string]: { readonly schema: unknown } } };
  readonly security: readonly object[];
  readonly responses: { readonly [status: string]: { readonly content?: object } };
}

/** `document` is an OpenAPI document, parsed. */
export function operationsIn(document: object): readonly Operation[] {
  const paths: { [path: string]: { [method: string]: DescribedOperation } } = Reflect.get(document, 'paths');
  const resolve = <Part>(part: unknown) => resolved(document, part) as Part;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [body] = Object.entries(operation.requestBody?.content ?? {});
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []).map((parameter) => resolve<Parameter>(parameter)),
        body: body && { mediaType: body[0], schema: resolve<Schema>(body[1].schema) },
        callers: callersOf(operation.security),
        statuses: Object.keys(operation.responses).map(Number),
        streams: Object.keys(operation.responses['200']?.content ?? {}).includes('text/event-stream'),
      };
    }),
  );
}

function callersOf(security: readonly object[]): Operation['callers'] {
  if (security.length !== 1) return 'anybody';
  const [scheme = {}] = security;
  if ('partnerKey' in scheme) return 'partners';
  return 'operatorKey' in scheme ? 'operators' : 'wallets';
}

/** References are resolved at any depth; those of the API's inputs do not go round in circles. */
function resolved(document: object, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => resolved(document, each));
  if (typeof part !== 'object' || part === null) return part;
  const reference: unknown = Reflect.get(part, '$ref');
  if (typeof reference === 'string') {
    const keys = reference.split('/').slice(1);
    return resolved(
      document,
      keys.reduce<unknown>((at, key) => Reflect.get(Object(at), key), document),
    );
  }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(document, value)]));
}
