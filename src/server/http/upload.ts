/** Reads the one file of an upload form and counts its bytes while they arrive. */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Rejection } from '../../kernel/runtime/rejection.ts';
import { rejection } from '../../streams/rejections.ts';

/** Characters of a part's name that a refusal repeats. */
const LONGEST_NAME = 100;

/** Boundaries and part headers around the file. */
const FORM_OVERHEAD = 16 * 1024;

export interface UploadRules {
  /** The name of the part. */
  readonly field: string;
  readonly maximumBytes: number;
}

export async function registerUploads(server: FastifyInstance): Promise<void> {
  await server.register(multipart, {
    throwFileSizeLimit: false,
    // One part more than is accepted, so that a refusal can name it.
    limits: { files: 2, fields: 1, parts: 2, headerPairs: 20, fieldNameSize: 100, fieldSize: 256 },
  });
}

/** Fastify's options for a route that takes an upload. */
export function uploadRouteOptions({ maximumBytes }: UploadRules) {
  return {
    bodyLimit: maximumBytes + FORM_OVERHEAD,
    // At level `trace` the form's parser would log every request header, access tokens included.
    logSerializers: { busboyOptions: ({ limits }: { readonly limits?: unknown }) => ({ limits }) },
  };
}

/**
 * Throws `VALIDATION_FAILED` unless the form is one file in a part of this name, and `IMAGE_TOO_LARGE` as soon as the limit is
 * exceeded, without waiting for the rest.
 */
export async function readUpload(
  request: FastifyRequest,
  upload: UploadRules,
): Promise<{ readonly [field: string]: Uint8Array }> {
  if (!request.isMultipart()) {
    throw rejection('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.');
  }
  if (Number(request.headers['content-length'] ?? 0) > upload.maximumBytes + FORM_OVERHEAD) throw tooLarge();
  try {
    return { [upload.field]: await readOnlyFile(request, upload) };
  } catch (error) {
    if (error instanceof Rejection || isOfFramework(error)) throw error;
    // The form parser's errors have no codes, and nothing else throws there.
    throw rejection('VALIDATION_FAILED', 'The form cannot be read.');
  }
}

async function readOnlyFile(request: FastifyRequest, upload: UploadRules): Promise<Uint8Array> {
  let bytes: Uint8Array | undefined;
  for await (const part of request.parts({ limits: { fileSize: upload.maximumBytes } })) {
    if (bytes !== undefined) throw wrongForm(upload.field, part.fieldname, 'is one part too many');
    if (part.fieldname !== upload.field)
      throw wrongForm(upload.field, part.fieldname, 'has another name than the file needs');
    if (part.type !== 'file') throw wrongForm(upload.field, part.fieldname, 'has no file name');
    const chunks: Uint8Array[] = [];
    for await (const chunk of part.file) {
      chunks.push(chunk);
      if (part.file.truncated) throw tooLarge();
    }
    if (part.file.truncated) throw tooLarge();
    bytes = Buffer.concat(chunks);
  }
  if (bytes === undefined) throw wrongForm(upload.field, upload.field, 'is missing');
  return bytes;
}

function isOfFramework(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');
}

function tooLarge() {
  return rejection('IMAGE_TOO_LARGE', 'The image is over 1 MB.');
}

function wrongForm(field: string, part: string, problem: string) {
  const named = part.length > LONGEST_NAME ? `${part.slice(0, LONGEST_NAME)}...` : part;
  return rejection(
    'VALIDATION_FAILED',
    `The part "${named}" ${problem}: the form must have exactly one part, a file named "${field}".`,
    { details: [{ path: [named], message: `${problem}; "${field}" must be the only part, and a file` }] },
  );
}
