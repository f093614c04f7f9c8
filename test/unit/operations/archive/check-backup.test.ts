// What a backup lacks by its manifest, which lines of its log are not those of a log, and which files are not its own.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OperatorError } from '../../../../src/kernel/ports/operator-error.ts';
import { sha256Of } from '../../../../src/operations/archive/backup-folder.ts';
import { pathOf } from '../../../../src/operations/archive/backup-parts.ts';
import { checkBackup, createLogCheck, lackOf } from '../../../../src/operations/archive/check-backup.ts';
import { lineOf } from '../../../../src/operations/archive/log-lines.ts';
import { imageCid } from '../../../../src/server/images/image-cid.ts';
import { RunAllotted } from '../../../../src/streams/distribution-run.ts';
import { runAllotted } from '../../../support/distribution-examples.ts';
import { ids, tokenCreated } from '../../../support/domain-examples.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const FOUND = {
  events: 3,
  head: '30',
  firstEvent: 'a',
  unreadable: 1,
  blob: 4,
  named: 5,
  image: 6,
  chain: 2,
  count: 18,
  bytes: 900,
};
const EXPECTED = {
  events: 3,
  head: '30',
  firstEvent: 'a',
  unreadable: 1,
  blobs: 4,
  named: 5,
  images: 6,
  chain: 2,
  files: { count: 18, bytes: 900, sha256: '' },
};

describe('a backup', () => {
  test('lacks nothing that its manifest counts', () => {
    expect(lackOf(FOUND, EXPECTED)).toBeUndefined();
    const { chain: _none, ...without } = EXPECTED;
    expect(lackOf({ ...FOUND, chain: 0 }, without)).toBeUndefined();
    expect(lackOf(FOUND, without)).toBe('it has 2 files of the chain, and the manifest says 0');
  });

  test.each<[Partial<typeof FOUND>, string]>([
    [{ count: 17 }, 'it has 17 files, and the manifest says 18'],
    [{ bytes: 901 }, 'it has 901 bytes, and the manifest says 900'],
    [{ events: 4 }, 'it has 4 events, and the manifest says 3'],
    [{ head: '31' }, 'its last event is at 31, and the manifest says 30'],
    [{ firstEvent: 'b' }, 'its first event is b, and the manifest says a'],
    [{ unreadable: 0 }, 'it has 0 events that cannot be read, and the manifest says 1'],
    [{ blob: 3 }, 'it has 3 ledger files, and the manifest says 4'],
    [{ named: 6 }, 'it has 6 named files, and the manifest says 5'],
    [{ image: 5 }, 'it has 5 images, and the manifest says 6'],
    [{ chain: 1 }, 'it has 1 files of the chain, and the manifest says 2'],
  ])('with %o is refused with both counts', (change, sentence) => {
    expect(lackOf({ ...FOUND, ...change }, EXPECTED)).toBe(sentence);
  });
});

describe('the log of a backup', () => {
  const events = storedEvents([
    happening(ids.tokenId, tokenCreated),
    happening(ids.walletId, tokenCreated),
    happening(ids.transactionId, tokenCreated),
  ]);
  const lines = events.map(lineOf);
  const [first = '', second = ''] = lines;

  test('is counted from its first event to its last, with those that no program can read', () => {
    const log = createLogCheck();
    for (const line of lines) log.add(line, 'log/1');
    const { position, id } = { position: events.at(-1)?.position, id: events[0]?.id };
    expect(log.found()).toEqual({ events: 3, head: position, firstEvent: id, unreadable: 0 });
  });

  test.each([
    ['the same event again', [first, first], 'does not follow'],
    ['an earlier event', [second, first], 'does not follow'],
    ['a line that is no event', [first, '{}'], 'there is a line that is no event'],
    ['a line that is no JSON', [first, 'event'], 'there is a line that is no event'],
  ])('is refused with %s, and the file is named', (_what, wrong, message) => {
    const log = createLogCheck();
    const add = () => {
      for (const line of wrong) log.add(line, 'log/7');
    };
    expect(add).toThrow(OperatorError);
    expect(add).toThrow('"log/7" is damaged');
    const again = createLogCheck();
    again.add(wrong[0] ?? '', 'log/7');
    expect(() => again.add(wrong[1] ?? '', 'log/7')).toThrow(message);
  });
});

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const [LEDGER, IMAGE] = ['the allotment of a run', 'a picture'];
const LEDGER_PATH = pathOf.blob(sha256(LEDGER));
const IMAGE_PATH = pathOf.image(imageCid(Buffer.from(IMAGE)));
const [first, second] = storedEvents([
  happening(ids.tokenId, RunAllotted({ ...runAllotted.data, ledger: sha256(LEDGER) })),
  happening(ids.walletId, tokenCreated),
]);
const allotted = [first, second && { ...second, unreadable: 'it is not JSON' }] as const;
const SOUND: { readonly [path: string]: string } = {
  [pathOf.log(0)]: allotted.map((event) => (event ? lineOf(event) : '')).join(''),
  [LEDGER_PATH]: LEDGER,
  [pathOf.named('transparency/checkpoint')]: 'signed',
  [IMAGE_PATH]: IMAGE,
  [pathOf.chain()]: 'the whole chain',
};
const SIZE = Object.values(SOUND).reduce((sum, { length }) => sum + length, 0);

/** A backup of a log, a ledger, a named file, an image and a chain, written by hand. */
async function backupWith({
  files = {},
  listed = (text) => text,
  manifest = {},
}: {
  /** Written in the place of the files of these paths; nothing where `undefined`. */
  readonly files?: { readonly [path: string]: string | undefined };
  readonly listed?: (list: string) => string;
  readonly manifest?: { readonly [field: string]: unknown };
} = {}): Promise<string> {
  const folder = await temporaryFolder();
  const list: string[] = [];
  let bytes = 0;
  for (const [path, content] of Object.entries(SOUND)) {
    list.push(`${JSON.stringify({ path, bytes: content.length, sha256: sha256(content) })}\n`);
    bytes += content.length;
    const written = path in files ? files[path] : content;
    if (written === undefined) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), written);
  }
  const text = listed(list.join(''));
  await writeFile(join(folder, 'files.ndjson'), text);
  const counts = { events: 2, head: allotted[1]?.position, firstEvent: allotted[0]?.id, unreadable: 1 };
  const begin = { format: 1, version: '1', takenAt: '2026-05-04T10:00:00.000Z', positions: 'events' };
  const about = { ...begin, ...counts, blobs: 1, named: 1, images: 1, chain: 1, secrets: [] };
  const totals = { count: list.length, bytes, sha256: sha256(text) };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...about, files: totals, ...manifest }));
  return folder;
}

describe('a backup in a folder', () => {
  test('is sound when every file is the one that was written, and tells how far its check has come', async () => {
    const told: (readonly [number, number])[] = [];
    const checked = await checkBackup(await backupWith(), (...args) => void told.push(args));
    expect(checked).toMatchObject({ missingLedgers: [], manifest: { events: 2, blobs: 1, unreadable: 1 } });
    expect(told).toHaveLength(5);
    expect(told[0]).toEqual([SOUND[pathOf.log(0)]?.length, SIZE]);
    expect(told.at(-1)).toEqual([SIZE, SIZE]);
  });

  const other = 'the allotment of a ruN';
  /** The list says of the file what was written in its place. */
  const relisted =
    (content: string, written: string): ((list: string) => string) =>
    (list) =>
      list.replace(
        `${content.length},"sha256":"${sha256(content)}`,
        `${written.length},"sha256":"${sha256(written)}`,
      );
  test.each<[string, Parameters<typeof backupWith>[0], string, string]>([
    ['is gone', { files: { [LEDGER_PATH]: undefined } }, LEDGER_PATH, 'no such file'],
    ['has other bytes', { files: { [LEDGER_PATH]: other } }, LEDGER_PATH, 'not those that were written'],
    ['is shorter', { files: { [LEDGER_PATH]: 'the' } }, LEDGER_PATH, 'not those that were written'],
    [
      'has another length than the list says',
      { listed: (list) => list.replace(`"bytes":${LEDGER.length},`, '"bytes":1,') },
      LEDGER_PATH,
      'not those that were written',
    ],
    [
      'is a ledger whose content does not give its name',
      { files: { [LEDGER_PATH]: other }, listed: relisted(LEDGER, other) },
      LEDGER_PATH,
      'its content does not match its name',
    ],
    [
      'is an image whose content does not give its name',
      { files: { [IMAGE_PATH]: 'a pictura' }, listed: relisted(IMAGE, 'a pictura') },
      IMAGE_PATH,
      'its content does not match its name',
    ],
  ])('is refused when a file %s, and the file is named', async (_what, spoiled, path, reason) => {
    const folder = await backupWith(spoiled);
    const error: unknown = await checkBackup(folder).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OperatorError);
    expect(String(error)).toContain(`"${join(folder, path)}" is damaged: `);
    expect(String(error)).toContain(reason);
  });

  test('is refused when its list is not the one that was written, or is gone', async () => {
    const folder = await backupWith({ manifest: { files: { count: 5, bytes: SIZE, sha256: sha256('') } } });
    const sentence = `"${join(folder, 'files.ndjson')}" is damaged: it is not the one that was written`;
    await expect(checkBackup(folder)).rejects.toThrow(sentence);
    await rm(join(folder, 'files.ndjson'));
    await expect(checkBackup(folder)).rejects.toThrow(sentence);
  });

  test.each([
    ['blobs', 2, 'it has 1 ledger files, and the manifest says 2'],
    ['events', 3, 'it has 2 events, and the manifest says 3'],
  ])('is refused when its manifest counts other %s', async (field, count, sentence) => {
    await expect(checkBackup(await backupWith({ manifest: { [field]: count } }))).rejects.toThrow(sentence);
  });

  test('names the ledgers that its log names and it does not have, without those that were damaged before', async () => {
    const gone = {
      listed: (list: string) =>
        list
          .split('\n')
          .filter((line) => !line.includes(LEDGER_PATH))
          .join('\n'),
    };
    const missingWith = async (damaged: readonly string[]) => {
      const folder = await backupWith(gone);
      const { sha256: list } = await sha256Of(join(folder, 'files.ndjson'));
      const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
      const files = { count: 4, bytes: SIZE - LEDGER.length, sha256: list };
      await writeFile(
        join(folder, 'manifest.json'),
        JSON.stringify({ ...manifest, blobs: 0, damaged, files }),
      );
      return (await checkBackup(folder)).missingLedgers;
    };
    expect(await missingWith([])).toContain(sha256(LEDGER));
    expect(await missingWith([LEDGER_PATH])).not.toContain(sha256(LEDGER));
  });
});
