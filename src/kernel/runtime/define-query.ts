/** Describes a query: it only reads read models, and records nothing. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Static, TSchema } from '@sinclair/typebox';
import type { Call, InputOf, InputSchemas, Route } from './define-route.ts';
import { entityTagOf } from './entity-tag.ts';

/**
 * `revalidated`: each caller caches it and asks whether it has changed. `shared`: any cache does. `public`: any cache may answer
 * with it for five minutes. `immutable`: every cache stores it permanently.
 */
export type Caching = 'revalidated' | 'shared' | 'public' | 'immutable';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** Text that is sent as it is: JSON, unless the headers name another type. */
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

/** An answer with an entity tag, so that a caller who already holds it gets no body (If-None-Match). */
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
 * An answer that is sent piece by piece, at the pace of its reader: the whole is never in memory. Without an entity tag
 * nobody keeps it.
 */
export class PiecewiseAnswer {
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

/** A file, read piece by piece as the caller takes it: whole, in part, or not at all. */
export class FileAnswer {
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
  readonly entityTag: string;
  /** Seconds for which callers need not ask again; permanently when absent, since it never changes. */
  readonly keptFor: number | undefined;
  /** Gives exactly these bytes, or rejects. */
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
  constructor(
    file: Pick<FileAnswer, 'mediaType' | 'size' | 'entityTag' | 'read'> & { readonly keptFor?: number },
  ) {
    this.mediaType = file.mediaType;
    this.size = file.size;
    this.entityTag = file.entityTag;
    this.keptFor = file.keptFor;
    this.read = file.read;
  }
}

/** The preferred one comes first. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** On Node's thread pool, so that other callers do not wait. */
const COMPRESS: { readonly [coding in Coding]: (bytes: Uint8Array) => Promise<Uint8Array> } = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};
/** Smaller bodies fit into one packet as they are. */
const LEAST_COMPRESSED = 1_024;
const COMPRESSIBLE = /^(?:text\/|application\/json|image\/svg)/;

/** An answer that is built once: every caller is sent the same bytes, compressed if the caller accepts that. */
export class ReadyAnswer {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly entityTag: string;
  readonly caching: Caching;
  readonly isCompressible: boolean;
  readonly #compressed = new Map<Coding, Promise<Uint8Array>>();

  /** `entityTag`: the hash of the content when absent. */
  constructor(
    content: Uint8Array | string,
    answer: { readonly mediaType: string; readonly caching: Caching; readonly entityTag?: string },
  ) {
    this.bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.mediaType = answer.mediaType;
    this.caching = answer.caching;
    this.entityTag = answer.entityTag ?? `"${hash('sha256', this.bytes, 'hex').slice(0, 32)}"`;
    this.isCompressible = this.bytes.length >= LEAST_COMPRESSED && COMPRESSIBLE.test(this.mediaType);
  }

  /** Compresses at the first call. */
  compressed(coding: Coding): Promise<Uint8Array> {
    const bytes = this.#compressed.get(coding) ?? COMPRESS[coding](this.bytes);
    this.#compressed.set(coding, bytes);
    return bytes;
  }
}

export function readyJson(text: string): ReadyAnswer {
  return new ReadyAnswer(text, { mediaType: 'application/json; charset=utf-8', caching: 'revalidated' });
}

/** Builds the answer at the first call. */
export function lazily(build: () => ReadyAnswer): () => ReadyAnswer {
  let answer: ReadyAnswer | undefined;
  return () => {
    answer ??= build();
    return answer;
  };
}

/** The open answer. */
export interface StreamSink {
  /** Bytes written that the network has not taken yet. */
  readonly waiting: number;
  /** Has no effect once the answer has ended. The bytes must not be changed afterwards. */
  write(bytes: Uint8Array): void;
  /** Resolves when little enough is waiting to write more, or when the answer has ended. */
  drained(): Promise<void>;
  /** Ends the answer: in good order if nothing is waiting, otherwise by cutting it off. */
  end(): void;
  /** Ends the answer at once, whatever is waiting. */
  cut(): void;
  /** Called once, whichever side ended the answer; immediately if it has already ended. */
  onEnd(listener: () => void): void;
}

/** An answer that continues until the caller or the service ends it. */
export class StreamAnswer {
  readonly mediaType: string;
  /** Called when the head of the answer has been sent. Must not throw. */
  readonly open: (sink: StreamSink) => void;
  constructor(mediaType: string, open: (sink: StreamSink) => void) {
    this.mediaType = mediaType;
    this.open = open;
  }
}

/** The description of a query, with or without its types. */
interface QueryDescription<Schemas extends InputSchemas, Output extends TSchema> {
  /** Verb and noun, unique. */
  readonly name: string;
  readonly summary: string;
  /** Markdown, for what the summary and the schemas do not say. */
  readonly description: string;
  readonly route: Route;
  readonly input: Schemas;
  readonly output: Output;
  /** The media type of the answer if it is not JSON. */
  readonly mediaType?: string;
  /** A media type that callers may prefer to JSON (`Accept`); `call.prefersAlternative` says who does. */
  readonly alternative?: string;
  /** The answers have an `ETag` of their own: `TaggedAnswer`s, `PiecewiseAnswer`s or `ReadyAnswer`s. JSON for everybody has one anyway. */
  readonly tagged?: boolean;
  /** The answers are `FileAnswer`s. */
  readonly file?: boolean;
  /** Other statuses with the same form of `RawAnswer`, each with its condition. */
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
    | PiecewiseAnswer
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

/** JSON for everybody, except for callers who are signed in. */
export function isPublicJson({ route: { method, auth }, mediaType, alsoAnswers }: Described): boolean {
  const isForEverybody = method === 'GET' && (auth === 'none' || auth === 'optional');
  return isForEverybody && mediaType === undefined && alsoAnswers === undefined;
}

/** A query as the registry holds it: only the query itself knows its types. */
export interface AnyQuery<Services> extends QueryDescription<InputSchemas, TSchema> {
  readonly kind: 'query';
  readonly run: (
    input: unknown,
    context: { readonly services: Services; readonly call: Call },
  ) => Promise<unknown>;
}

/** `queriesFor<Services>()` gives the `defineQuery` of a service. */
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
