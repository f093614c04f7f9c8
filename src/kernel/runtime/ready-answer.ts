/** An answer that is built once: every caller is sent the same bytes, compressed if the caller accepts that. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/**
 * `revalidated`: each caller caches it and asks whether it has changed. `public`: any cache may answer with it for five
 * minutes. `immutable`: every cache stores it permanently.
 */
export type Caching = 'revalidated' | 'public' | 'immutable';

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
