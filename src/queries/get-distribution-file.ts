/** File of a distribution run, addressed by its SHA-256. All files are public, so that anyone can recompute a run. */

import { Type } from '@sinclair/typebox';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import { FileAnswer, queriesFor } from '../kernel/runtime/define-query.ts';
import { rejection } from '../streams/rejections.ts';

export const getDistributionFile = queriesFor<{ readonly ledgers: BlobStore }>()({
  name: 'GetDistributionFile',
  summary: 'Get a file of a distribution run',
  description:
    'The allotment or the settlement of a run, byte for byte, by its SHA-256. ' +
    '`docs/reference/ledger-files.md` describes both, and `examples/verify-payment.mjs` checks them.',
  route: {
    method: 'GET',
    url: '/files/:sha256',
    auth: 'none',
    limit: 'none',
    anyOrigin: true,
  },
  input: {
    params: Type.Object({
      sha256: Type.String({
        maxLength: 200,
        description: '64 lower-case hex digits.',
        examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
      }),
    }),
  },
  output: Type.String({ format: 'binary' }),
  mediaType: 'application/octet-stream',
  file: true,
  rejections: ['FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'LEDGER_CORRUPT'],
  async answer({ params: { sha256 } }, { services: { ledgers } }) {
    // Verifies the SHA-256 before the first byte is sent.
    const size = await ledgers.size(sha256);
    if (size === undefined) throw rejection('FILE_NOT_FOUND', 'File not found.');
    return new FileAnswer({
      mediaType: 'application/octet-stream',
      size,
      entityTag: `"${sha256}"`,
      async read(offset, length) {
        const bytes = await ledgers.read(sha256, offset, length);
        if (bytes?.length !== length) throw new Error(`file ${sha256} was removed while it was being sent`);
        return bytes;
      },
    });
  },
});
