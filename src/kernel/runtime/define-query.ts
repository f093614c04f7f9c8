/** Describes a query: it only reads read models, and records nothing. */
import type { Static, TSchema } from '@sinclair/typebox';
import type { Call, InputOf, InputSchemas, Route } from './define-route.ts';
import type { Caching, ReadyAnswer } from './ready-answer.ts';
import type { StreamAnswer } from './stream-answer.ts';

/** JSON text, ready to send. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An answer that is not JSON, or has headers or a status of its own. */
export class RawAnswer {
  readonly status: number;
  readonly body: Uint8Array | string;
  readonly headers: { readonly [name: string]: string };
  constructor(body: Uint8Array | string, headers: { readonly [name: string]: string }, status = 200) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** An answer with an entity tag, so that a caller who already holds it gets no body (If-None-Match). */
export class TaggedAnswer<Output> {
  readonly output: Output;
  readonly entityTag: string;
  readonly caching: Caching;
  constructor(output: Output, entityTag: string, caching: Caching = 'revalidated') {
    this.output = output;
    this.entityTag = entityTag;
    this.caching = caching;
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
  /** For how many seconds callers need not ask again; for ever when absent, since it never changes. */
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

/** What a query says of itself, with or without its types. */
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
  /** The answers have an `ETag`: `TaggedAnswer`s, `PiecewiseAnswer`s or `ReadyAnswer`s. */
  readonly tagged?: boolean;
  /** The answers are `FileAnswer`s. */
  readonly file?: boolean;
  /** Other statuses with the same form of `RawAnswer`, each with its condition. */
  readonly alsoAnswers?: { readonly [status: number]: string };
  readonly rejections: readonly string[];
}

export interface QueryDefinition<Services, Schemas extends InputSchemas, Output extends TSchema>
  extends QueryDescription<Schemas, Output> {
  readonly answer: (
    input: InputOf<Schemas>,
    context: { readonly services: Services; readonly call: Call },
  ) => Promise<
    | Static<Output>
    | JsonText
    | PiecewiseAnswer
    | ReadyAnswer
    | RawAnswer
    | FileAnswer
    | StreamAnswer
    | TaggedAnswer<Static<Output>>
  >;
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
