// A file of a distribution is named by its hash: it is sent whole, or it is not known.
import { expect, test } from 'vitest';
import type { FileAnswer } from '../../../src/kernel/runtime/define-query.ts';
import { getDistributionFile } from '../../../src/queries/get-distribution-file.ts';
import { answering, querySpec } from '../../support/query-spec.ts';

const sha256 = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9';
const kept = (bytes?: Uint8Array) => ({
  params: { sha256 },
  services: { ledgers: { size: async () => bytes?.length, read: async () => bytes } },
});

test('a file that is kept is sent, and any other is not found', async () => {
  const answer = await (await answering([]))(getDistributionFile, kept(Uint8Array.of(1, 2)));
  const { file } = answer as FileAnswer;
  expect(file).toMatchObject({ size: 2, entityTag: `"${sha256}"` });
  expect(await file.read(0, 2)).toEqual(Uint8Array.of(1, 2));
  await querySpec(getDistributionFile).given().when(kept()).rejects('FILE_NOT_FOUND');
});
