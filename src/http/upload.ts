/** Reads the one file of an upload form, counting its bytes while they arrive. */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { rejection } from '../streams/rejections.ts';

/** Boundaries and part headers around the file. */
export const FORM_OVERHEAD = 16 * 1024;

export async function registerUploads(server: FastifyInstance): Promise<void> {
  await server.register(multipart, {
    throwFileSizeLimit: true,
    limits: { files: 1, fields: 0, parts: 1, headerPairs: 20, fieldNameSize: 100 },
  });
}

/** Throws `VALIDATION_FAILED` if the form is not one file in a part of this name, `IMAGE_TOO_LARGE` beyond the limit. */
export async function readUpload(
  request: FastifyRequest,
  upload: { readonly field: string; readonly maximumBytes: number },
): Promise<{ readonly [field: string]: Uint8Array }> {
  if (!request.isMultipart()) {
    throw rejection('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.');
  }
  let bytes: Uint8Array | undefined;
  for await (const part of request.parts({ limits: { fileSize: upload.maximumBytes } })) {
    if (part.type !== 'file' || part.fieldname !== upload.field || bytes !== undefined)
      throw wrongForm(upload.field);
    bytes = await part.toBuffer();
  }
  if (bytes === undefined) throw wrongForm(upload.field);
  return { [upload.field]: bytes };
}

function wrongForm(field: string) {
  return rejection('VALIDATION_FAILED', `The form must have exactly one part, a file named "${field}".`, {
    details: [{ path: [field], message: 'must be the only part, and a file' }],
  });
}
