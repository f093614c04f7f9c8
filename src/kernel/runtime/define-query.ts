/** Defines a query, which only reads read models and records nothing. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Static, TSchema } from '@sinclair/typebox';
import type { Call, InputOf, InputSchemas, Route } from './define-route.ts';
import { entityTagOf } from './entity-tag.ts';

/**
 * `revalidated`: only the caller caches the response, and revalidates it. `shared`: shared caches do so too.
 * `public`: any cache may serve it for five minutes. `immutable`: any cache may store it permanently.
 */
export type Caching = 'revalidated' | 'shared' | 'public' | 'immutable';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** Preformatted text; JSON unless the headers specify another type. */
export class RawAnswer {
  readonly text: string;
  readonly headers: { readonly [name: string]: string };
  readonly status: number;
  constructor(text: string, headers: { readonly [name: string]: string } = JSON_HEADERS, status = 200) {
    this.text = text;
    this.headers = headers;
    this.status = status;
  }
}

/** Response with an entity tag, so that callers who already have the content receive no body (If-None-Match). */
export class TaggedAnswer<Output extends object> {
  readonly output: Output;
  readonly caching: Caching;
  readonly entityTag: string;
  constructor(output: Output, caching: Caching = 'revalidated', entityTag = entityTagOf(output)) {
    this.output = output;
    this.caching = caching;
    this.entityTag = entityTag;
  }
}

/**
 * Response sent piece by piece, at the pace of its reader, never held in memory as a whole. Without an entity tag it is not
 * cached.
 */
export class ChunkedAnswer {
  readonly mediaType: string;
  readonly pieces: AsyncIterable<string | Uint8Array>;
  readonly entityTag: string | undefined;
  readonly caching: Caching;
  constructor(
    mediaType: string,
    pieces: AsyncIterable<string | Uint8Array>,
    entityTag?: string,
    caching: Caching = 'revalidated',
  ) {
    this.mediaType = mediaType;
    this.pieces = pieces;
    this.entityTag = entityTag;
    this.caching = caching;
  }
}

interface ServedFile {
  readonly mediaType: string;
  /** Size in bytes. */
  readonly size: number;
  readonly entityTag: string;
  /** Seconds until callers must revalidate; absent for files that never change. */
  readonly cachedFor?: number;
  /** Resolves with exactly these bytes, or rejects. */
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
}

/** File read piece by piece as the caller consumes it: whole, in part, or not at all. */
export class FileAnswer {
  readonly file: ServedFile;
  constructor(file: ServedFile) {
    this.file = file;
  }
}

/** In order of preference. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Compresses on Node's thread pool, so that other callers do not wait. */
const COMPRESS: { readonly [coding in Coding]: (bytes: Uint8Array) => Promise<Uint8Array> } = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};
/** Minimum bytes for compression; smaller bodies fit into one packet. */
const MIN_COMPRESSED = 1_024;
const COMPRESSIBLE = /^(?:text\/|application\/json|image\/svg)/;

/** Response built once: all callers receive the same bytes, compressed if accepted. */
export class ReadyAnswer {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly entityTag: string;
  readonly caching: Caching;
  readonly isCompressible: boolean;
  readonly #compressed = new Map<Coding, Promise<Uint8Array>>();

  /** `entityTag` defaults to the hash of the content. */
  constructor(
    content: Uint8Array | string,
    answer: { readonly mediaType: string; readonly caching: Caching; readonly entityTag?: string },
  ) {
    this.bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.mediaType = answer.mediaType;
    this.caching = answer.caching;
    this.entityTag = answer.entityTag ?? `"${hash('sha256', this.bytes, 'hex').slice(0, 32)}"`;
    this.isCompressible = this.bytes.length >= MIN_COMPRESSED && COMPRESSIBLE.test(this.mediaType);
  }

  /** Compresses on the first call. */
  compressed(coding: Coding): Promise<Uint8Array> {
    const bytes = this.#compressed.get(coding) ?? COMPRESS[coding](this.bytes);
    this.#compressed.set(coding, bytes);
    return bytes;
  }
}

export function readyJson(text: string): ReadyAnswer {
  return new ReadyAnswer(text, { mediaType: 'application/json; charset=utf-8', caching: 'revalidated' });
}

/** Builds the response on the first call. */
export function lazily(build: () => ReadyAnswer): () => ReadyAnswer {
  let answer: ReadyAnswer | undefined;
  return () => {
    answer ??= build();
    return answer;
  };
}

/** Writable end of an open response. */
export interface StreamSink {
  /** Written bytes that the network has not accepted yet. */
  readonly waiting: number;
  /** Has no effect after the end of the response. The bytes must not be changed afterwards. */
  write(bytes: Uint8Array): void;
  /** Resolves when the buffer has space again, or the response has ended. */
  drained(): Promise<void>;
  /** Ends the response: normally if no bytes are waiting, otherwise by closing the connection. */
  end(): void;
  /** Closes the connection immediately, even if bytes are waiting. */
  cut(): void;
  /** Called once when either side has ended the response; immediately if it has already ended. */
  onEnd(listener: () => void): void;
}

/** Response that continues until the caller or the service ends it. */
export class StreamAnswer {
  readonly mediaType: string;
  /** Called after the head of the response was sent. Must not throw. */
  readonly open: (sink: StreamSink) => void;
  constructor(mediaType: string, open: (sink: StreamSink) => void) {
    this.mediaType = mediaType;
    this.open = open;
  }
}

/** Description of a query, with or without its types. */
interface QueryDescription<Schemas extends InputSchemas, Output extends TSchema> {
  /** Verb and noun, unique. */
  readonly name: string;
  readonly summary: string;
  /** Markdown that supplements the summary and the schemas. */
  readonly description: string;
  readonly route: Route;
  readonly input: Schemas;
  readonly output: Output;
  /** Media type of the response, unless JSON. */
  readonly mediaType?: string;
  /** Media type that callers may prefer to JSON (`Accept`), reported in `call.prefersAlternative`. */
  readonly alternative?: string;
  /**
   * True if the responses have specific `ETag`s: `TaggedAnswer`s, `ChunkedAnswer`s or `ReadyAnswer`s. Public JSON has one
   * in any case.
   */
  readonly tagged?: boolean;
  /** True if the responses are `FileAnswer`s. */
  readonly file?: boolean;
  /** Other statuses in the same form of `RawAnswer`, each with its condition. */
  readonly alsoAnswers?: { readonly [status: number]: string };
  readonly rejections: readonly string[];
}

interface QueryDefinition<Services, Schemas extends InputSchemas, Output extends TSchema>
  extends QueryDescription<Schemas, Output> {
  readonly answer: (
    input: InputOf<Schemas>,
    context: { readonly services: Services; readonly call: Call },
  ) => Promise<
    | Static<Output>
    | ChunkedAnswer
    | ReadyAnswer
    | RawAnswer
    | FileAnswer
    | StreamAnswer
    | TaggedAnswer<Static<Output> & object>
  >;
}

type Described = Pick<
  QueryDescription<InputSchemas, TSchema>,
  'route' | 'tagged' | 'mediaType' | 'alsoAnswers'
>;

/** True for JSON that does not depend on the caller, unless signed in. */
export function isPublicJson({ route: { method, auth }, mediaType, alsoAnswers }: Described): boolean {
  const isForEverybody = method === 'GET' && (auth === 'none' || auth === 'optional');
  return isForEverybody && mediaType === undefined && alsoAnswers === undefined;
}

/** Query in the registry, without its specific types. */
export interface AnyQuery<Services> extends QueryDescription<InputSchemas, TSchema> {
  readonly kind: 'query';
  readonly run: (
    input: unknown,
    context: { readonly services: Services; readonly call: Call },
  ) => Promise<unknown>;
}

/** `queriesFor<Services>()` returns the `defineQuery` of a service. */
export function queriesFor<Services>() {
  return <Schemas extends InputSchemas, Output extends TSchema>(
    definition: QueryDefinition<Services, Schemas, Output>,
  ): AnyQuery<Services> => ({
    ...definition,
    kind: 'query',
    // The HTTP layer has validated the input against the same schemas.
    run: (input, context) => definition.answer(input as InputOf<Schemas>, context),
  });
}
