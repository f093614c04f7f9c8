// What may have been signed before is read from files, claims and a restore; where they contradict each other the notary stops.
import { leafHash, rootOf, signCheckpoint } from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { entryOf } from '../../../../src/proof/transparency/canonical-record.ts';
import { type LogFiles, logFiles } from '../../../../src/proof/transparency/log-files.ts';
import { NotaryStopped } from '../../../../src/proof/transparency/notary-status.ts';
import {
  compareStored,
  readStored,
  recordedTrees,
  requireExtends,
} from '../../../../src/proof/transparency/read-record.ts';
import { blobsInMemory, recordedLog } from '../../../support/recorded-log.ts';
import { NOTARY_ORIGIN, notaryKey } from '../../../support/running-notary.ts';

const recorded = await recordedLog(260);
const treeOf = (size: number) => ({
  size,
  root: rootOf(recorded.events.slice(0, size).map((event) => leafHash(entryOf(event)))),
});
const noteOf = (size: number, { origin = NOTARY_ORIGIN, key = notaryKey } = {}) =>
  signCheckpoint({ origin, ...treeOf(size) }, key);
const other = createKeyring(new Uint8Array(32).fill(8)).logKey;
const PUBLISHED = 'the published checkpoint';
const stopped = (kind: string, message: string) => expect.objectContaining({ kind, message });

async function known(given: {
  readonly note?: string;
  readonly claimed?: { readonly size: number; readonly root: Uint8Array };
  readonly restoration?: Awaited<ReturnType<LogFiles['restoration']>>;
  readonly root?: Uint8Array;
  readonly isBegun?: boolean;
}) {
  const { files, head, tree } = recorded;
  return recordedTrees(
    {
      head: given.isBegun === false ? undefined : { ...head, root: given.root ?? head.root },
      headBytes: undefined,
      note: given.note,
      tree,
    },
    {
      files: { origin: files.origin, restoration: async () => given.restoration },
      claims: { last: async () => given.claimed },
      publicKey: notaryKey.publicKey,
    },
  );
}
const shown = ({ known: trees, published }: Awaited<ReturnType<typeof known>>) => ({
  trees: trees.map(({ size, what }) => [size, what]),
  published,
});

test('a log that has not begun has an empty tree, and one that has goes on from its head', async () => {
  const none = await readStored(logFiles(blobsInMemory(), NOTARY_ORIGIN));
  expect([none.head, none.headBytes, none.note, none.tree.size()]).toEqual([
    undefined,
    undefined,
    undefined,
    0,
  ]);
  await recorded.files.putCheckpoint('a note');
  const stored = await readStored(recorded.files);
  expect([stored.head?.size, stored.note, stored.tree.size()]).toEqual([260, 'a note', 260]);
  expect(Buffer.from(stored.tree.root())).toEqual(Buffer.from(treeOf(260).root));
  expect(stored.headBytes).toEqual(await recorded.files.headBytes());
});

describe('what may have been signed', () => {
  test('is what was published before a restore, claimed, and published, each with its name', async () => {
    const found = await known({
      note: noteOf(200),
      claimed: treeOf(260),
      restoration: { takenAt: 'then', lastCheckpoint: noteOf(150) },
    });
    expect(shown(found)).toEqual({
      trees: [
        [150, 'the last checkpoint published before the restore'],
        [260, 'the tree claimed in the event log'],
        [200, PUBLISHED],
      ],
      published: 200,
    });
    expect(found.known.map(({ root }) => Buffer.from(root).toString('hex'))).toEqual(
      [150, 260, 200].map((size) => Buffer.from(treeOf(size).root).toString('hex')),
    );
  });

  test('is not known after a restore without the last checkpoint', async () => {
    const restoration = { takenAt: '2026-05-04', lastCheckpoint: null };
    await expect(known({ restoration })).rejects.toEqual(
      stopped(
        'restored',
        `The log ${NOTARY_ORIGIN} was restored from a backup of 2026-05-04. Events recorded later may be published under this name, so a second tree must not be signed. Set LOG_ORIGIN to a new name and inform the readers of the log; or, if nothing was published since the backup, restore again with --last-checkpoint.`,
      ),
    );
  });

  test('is not read from a head that does not lead to its root', async () => {
    await expect(known({ root: treeOf(259).root })).rejects.toEqual(
      stopped('record', `The head of the log ${NOTARY_ORIGIN} does not match its own root.`),
    );
  });

  test.each([
    ['another key', 'published checkpoint', { note: noteOf(200, { key: other }) }],
    ['another log', 'published checkpoint', { note: noteOf(200, { origin: 'levy.example/other' }) }],
    [
      'another key',
      'checkpoint that was given to the restore',
      { restoration: { takenAt: '', lastCheckpoint: noteOf(200, { key: other }) } },
    ],
  ])('is not what is signed by or for %s: the %s', async (_what, what, given) => {
    await expect(known(given)).rejects.toEqual(
      stopped(
        'record',
        `The ${what} is not signed by this service's key for ${NOTARY_ORIGIN}: the master seed or the log's name has changed.`,
      ),
    );
  });
});

describe('the stored tiles', () => {
  const named = (size: number) => ({ ...treeOf(size), what: PUBLISHED });
  const compare = (sizes: readonly number[], size = 260) =>
    compareStored(sizes.map(named), size, recorded.files);

  test('give the largest tree that may have been signed', async () => {
    expect((await compare([200, 260, 150])).signed?.size).toBe(260);
    expect(await compare([])).toEqual({ signed: undefined, awaited: [] });
  });

  test('await those that they do not reach', async () => {
    const { signed, awaited } = await compare([200, 250, 251, 260], 250);
    expect([signed?.size, awaited.map(({ size }) => size)]).toEqual([260, [251, 260]]);
  });

  test('have to give each of the trees that they reach', async () => {
    const wrong = { size: 200, root: treeOf(199).root, what: PUBLISHED };
    const refused = stopped(
      'log',
      `The first 200 entries do not match ${PUBLISHED}: the log or the notary's record was changed.`,
    );
    await expect(compareStored([named(260), wrong], 260, recorded.files)).rejects.toEqual(refused);
    expect(() => requireExtends(wrong, treeOf(200).root, PUBLISHED)).toThrow(NotaryStopped);
    expect(requireExtends(named(200), treeOf(200).root, PUBLISHED)).toBeUndefined();
    await expect(compareStored([wrong], 200, recorded.files)).rejects.toEqual(refused);
    expect((await compareStored([wrong], 199, recorded.files)).awaited).toEqual([wrong]);
  });
});
