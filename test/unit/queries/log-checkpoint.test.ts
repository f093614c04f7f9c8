// The transparency log's checkpoint, before there is one and afterwards.
import { expect, test } from 'vitest';
import { FileAnswer } from '../../../src/kernel/runtime/define-query.ts';
import { getLogCheckpoint } from '../../../src/queries/get-log-files.ts';
import { answering, querySpec } from '../../support/query-spec.ts';

const logWith = (note: string | undefined) => ({
  services: { publishedLog: { checkpoint: async () => note } },
});

test('there is none before the first is published', () =>
  querySpec(getLogCheckpoint).given().when(logWith(undefined)).rejects('FILE_NOT_FOUND'));

test('the note is answered as it was signed', async () => {
  const note = 'levy.example/log\n2\nAfXRZnPK66Hl5nPBbGC3bQ7+2Eg1ch7T8j0a5Y9oYz8=\n\n— levy.example/log x\n';
  const answer = await (await answering([]))(getLogCheckpoint, logWith(note));
  if (!(answer instanceof FileAnswer)) throw new Error('a checkpoint is a file');
  const { file } = answer;
  expect(Buffer.from(await file.read(0, file.size)).toString()).toBe(note);
});
