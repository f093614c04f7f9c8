/** Reads the single file of an upload form and counts its bytes while they are received. */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createConcurrencyLimit } from '../../kernel/runtime/concurrency-limit.ts';
import { Rejection } from '../../kernel/runtime/rejection.ts';
import { rejection } from '../../streams/rejections.ts';
import { createFairQueue } from '../fair-queue.ts';
import { sourcesOf } from './rate-limit/caller-keys.ts';

/** Maximum bytes of boundaries and part headers around the file. */
const FORM_OVERHEAD = 16 * 1024;

export interface UploadRules {
  /** Name of the form part. */
  readonly field: string;
  readonly maximumBytes: number;
}

export async function registerUploads(server: FastifyInstance): Promise<void> {
  await server.register(multipart, {
    throwFileSizeLimit: false,
    // One part more than is accepted, so that this service and not the parser refuses it.
    limits: { files: 2, fields: 1, parts: 2, headerPairs: 20, fieldNameSize: 100, fieldSize: 256 },
  });
}

/** Fastify's options for a route that takes an upload. */
export function uploadRouteOptions({ maximumBytes }: UploadRules) {
  return {
    bodyLimit: maximumBytes + FORM_OVERHEAD,
    // At level `trace` the form parser would log every request header, including access tokens.
    logSerializers: { busboyOptions: ({ limits }: { readonly limits?: unknown }) => ({ limits }) },
  };
}

/**
 * Throws `VALIDATION_FAILED` unless the form is one file in the named part, and `IMAGE_TOO_LARGE` as soon as the limit
 * is exceeded, without reading the rest.
 */
export async function readUpload(
  request: FastifyRequest,
  upload: UploadRules,
): Promise<{ readonly [field: string]: Uint8Array }> {
  if (!request.isMultipart()) {
    throw rejection('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.');
  }
  if (Number(request.headers['content-length'] ?? 0) > upload.maximumBytes + FORM_OVERHEAD)
    throw imageTooLargeRejection();
  try {
    return { [upload.field]: await readOnlyFile(request, upload) };
  } catch (error) {
    if (error instanceof Rejection || isOfFramework(error)) throw error;
    // The form parser's errors have no codes, and no other code throws here.
    throw rejection('VALIDATION_FAILED', 'The form is not valid multipart/form-data.');
  }
}

async function readOnlyFile(
  request: FastifyRequest,
  { field, maximumBytes }: UploadRules,
): Promise<Uint8Array> {
  let bytes: Uint8Array | undefined;
  for await (const part of request.parts({ limits: { fileSize: maximumBytes } })) {
    if (bytes !== undefined || part.type !== 'file' || part.fieldname !== field) throw invalidForm(field);
    const chunks: Uint8Array[] = [];
    // The part's own toBuffer would read an oversized file to its end.
    for await (const chunk of part.file) {
      chunks.push(chunk);
      if (part.file.truncated) throw imageTooLargeRejection();
    }
    if (part.file.truncated) throw imageTooLargeRejection();
    bytes = Buffer.concat(chunks);
  }
  if (bytes === undefined) throw invalidForm(field);
  return bytes;
}

function isOfFramework(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');
}

function imageTooLargeRejection() {
  return rejection('IMAGE_TOO_LARGE', 'The image is over 1 MB.');
}

function invalidForm(field: string) {
  const message = 'must be the only part of the form, and a file with a name';
  return rejection('VALIDATION_FAILED', `The part "${field}" ${message}.`, {
    details: [{ path: [field], message }],
  });
}

/**
 * Maximum concurrent uploads. Each is at most a megabyte; the last one waits half a minute if all are as costly as
 * possible.
 */
const MAXIMUM = 32;
const PER_SOURCE = 8;
/** Seconds until a refused caller may retry. */
const RETRY_AFTER = 5;

export type UploadPlaces = ReturnType<typeof createUploadPlaces>;

/**
 * Admits a limited number of uploads, because each is in memory from its first byte to its response. They are processed
 * serially, alternating between networks; uploads of callers that left are skipped.
 */
export function createUploadPlaces() {
  const turns = createFairQueue();
  const places = createConcurrencyLimit({
    maximum: MAXIMUM,
    perSource: PER_SOURCE,
    full: () => uploadsBusyRejection('The limit of concurrent uploads is reached; try again.'),
    tooMany: (most) =>
      rejection('RATE_LIMITED', `Your network has ${most} uploads in progress, its limit; try again.`, {
        retryAfterSeconds: RETRY_AFTER,
      }),
  });
  return {
    /** Number of uploads whose processing has not started. */
    get waiting() {
      return turns.waiting;
    },
    /** Throws `SERVICE_BUSY`, or `RATE_LIMITED` if one source has too many uploads in progress. */
    admit(request: FastifyRequest, reply: FastifyReply) {
      const sources = sourcesOf(request);
      const leave = places.take(sources);
      const widest = sources.at(-1)?.name ?? '';
      const left = new AbortController();
      const abort = () =>
        left.abort(uploadsBusyRejection('The caller left before its upload was processed.'));
      if (reply.raw.closed) abort();
      else reply.raw.once('close', abort);
      return {
        inTurn: <Result>(work: () => Promise<Result>) => turns.run(widest, work, left.signal),
        leave,
      };
    },
  };
}

function uploadsBusyRejection(detail: string) {
  return rejection('SERVICE_BUSY', detail, { retryAfterSeconds: RETRY_AFTER });
}
