/** Text that is sent as a file: with an entity tag of its content. */
import { hash } from 'node:crypto';
import { FileAnswer } from '../kernel/runtime/define-query.ts';

/** `keptFor`: the seconds in which others need not ask again. */
export function textFile(text: string, keptFor: number): FileAnswer {
  return bytesFile(Buffer.from(text), 'text/plain; charset=utf-8', keptFor);
}

/** Without `keptFor` it is kept for ever. */
export function bytesFile(bytes: Uint8Array, mediaType: string, keptFor?: number): FileAnswer {
  return new FileAnswer({
    mediaType,
    size: bytes.length,
    entityTag: `"${hash('sha256', bytes, 'hex').slice(0, 32)}"`,
    ...(keptFor !== undefined && { keptFor }),
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  });
}
