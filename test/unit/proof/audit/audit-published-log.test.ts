// The transparency log with the log: nothing is found in a log that is as the notary saw it, and every change is named.
import { ED25519, noteKey, policyOfLog, signCheckpoint } from 'levy-transparency-log';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKeyring } from '../../../../src/chain/keys.ts';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import { auditPublishedLog } from '../../../../src/proof/audit/published/audit-published-log.ts';
import { openFileEntries } from '../../../../src/proof/audit/published/published-entries.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { entryOf } from '../../../../src/proof/transparency/canonical-record.ts';
import { logFiles } from '../../../../src/proof/transparency/log-files.ts';
import { createLogTree } from '../../../../src/proof/transparency/log-tree.ts';
import { reportOf } from '../../../support/audit-report.ts';

const ORIGIN = 'levy.example/log';
const { logKey } = createKeyring(new Uint8Array(32).fill(7));
const policy = policyOfLog(noteKey(ORIGIN, ED25519, logKey.publicKey));
const EVENTS = 700;

let log: readonly RecordedEvent[];
let stored: Map<string, Uint8Array>;
let note: string;

beforeAll(async () => {
  log = Array.from({ length: EVENTS }, (_, index) => eventAt(index));
  ({ files: stored, note } = await publish(log));
});

/** As the notary does: the files, and the checkpoint of them all. */
async function publish(events: readonly RecordedEvent[]) {
  const published = new Map<string, Uint8Array>();
  const files = filesIn(published);
  const tree = createLogTree();
  for (const event of events)
    for (const full of tree.add({ ...event, entry: entryOf(event) })) await files.putFull(full);
  await files.putHead(files.bytesOf({ ...tree.end(), root: tree.root() }));
  const signed = signCheckpoint({ origin: ORIGIN, size: tree.size(), root: tree.root() }, logKey);
  return { files: published, note: signed };
}

function eventAt(index: number, data: RecordedEvent['data'] = { index }): RecordedEvent {
  return {
    id: randomId(),
    type: 'Happened',
    stream: `thing-${index % 7}`,
    revision: Math.floor(index / 7),
    position: String(index + 1).padStart(20, '0'),
    data,
    metadata: { actor: 'test' },
  };
}

function filesIn(bytes: Map<string, Uint8Array>) {
  return logFiles(
    {
      getFile: async (name) => bytes.get(name),
      async putFile(name, content) {
        bytes.set(name, content);
      },
    },
    ORIGIN,
  );
}

/** `published`: with the notary's own files, or as everybody sees it. */
async function audited(
  events: readonly RecordedEvent[],
  {
    files = stored,
    note: shown = note,
    isOwn = true,
  }: {
    readonly files?: Map<string, Uint8Array>;
    readonly note?: string;
    readonly isOwn?: boolean;
  } = {},
) {
  const notebook = createNotebook();
  const notes = notebook.check(CHECKS.transparency);
  const own = filesIn(files);
  const published = openFileEntries(own, shown, isOwn ? await own.head() : undefined);
  const reader = {
    async *events() {
      yield* events;
    },
  };
  const newer = await auditPublishedLog({ log: reader, published, policy }, notes);
  const { findings, checks } = reportOf(notebook);
  return { newer, findings, checked: checks[0]?.checked };
}

const at = (index: number): RecordedEvent => log[index] ?? eventAt(index);
const EDITED = 300;

describe('the audit of the transparency log', () => {
  test.each([true, false])('finds nothing in an unchanged log, the own files at hand: %s', async (isOwn) => {
    expect(await audited(log, { isOwn })).toEqual({ newer: 0, findings: [], checked: EVENTS });
  });

  test('leaves out streams that may be cut', async () => {
    const lease = { ...eventAt(EVENTS), stream: 'lease-settler' };
    expect(
      await audited([lease, ...log].map((event, index) => ({ ...event, position: at(index).position }))),
    ).toEqual({ newer: 0, findings: [], checked: EVENTS });
  });

  const CHANGED = 'an event matches its entry in the transparency log';
  const MOVED = 'the events are those of the transparency log, in its order';

  test.each([
    ['with the own files at hand, and compares the rest', true, CHANGED, EVENTS],
    ['as everybody sees it, where the comparison ends', false, MOVED, EDITED + 1],
  ])('names an event that was changed: %s', async (_how, isOwn, what, checked) => {
    const { id, stream, revision } = at(EDITED);
    const audit = await audited(log.with(EDITED, { ...at(EDITED), data: { index: -1 } }), { isOwn });
    expect(audit.checked).toBe(checked);
    expect(audit.findings).toMatchObject([
      {
        what,
        expected: `entry ${EDITED}${isOwn ? `, of event ${id}, revision ${revision} of ${stream}` : ''}`,
        event: { id, stream },
      },
    ]);
  });

  // Each kind of change is in recorded-order.test.
  test('names where the logs part after an event was dropped', async () => {
    const { findings } = await audited(log.toSpliced(EDITED, 1));
    expect(findings).toMatchObject([
      {
        what: MOVED,
        expected: expect.stringContaining(at(EDITED).id),
        event: { id: at(EDITED + 1).id },
      },
    ]);
  });

  test('compares no entry that the checkpoint does not cover: the notary writes them before', async () => {
    const more = [...log, eventAt(EVENTS), eventAt(EVENTS + 1)];
    const { files } = await publish(more);
    expect(await audited(more, { files })).toMatchObject({ newer: 2, findings: [] });
    const changed = more.with(EDITED, { ...at(EDITED), data: { index: -1 } });
    const { newer, findings } = await audited(changed, { files });
    expect([newer, findings.map(({ event }) => event?.id)]).toEqual([2, [at(EDITED).id]]);
  });

  test('names the first of the last events where the log was put back', async () => {
    const { findings } = await audited(log.slice(0, -3));
    expect(findings).toMatchObject([
      {
        what: 'an event of the transparency log is in the log',
        found: 'the log ends before the last 3 entries',
        event: { id: at(EVENTS - 3).id },
      },
    ]);
  });

  test('names an event that was put in the place of another', async () => {
    const other = eventAt(EDITED);
    const { findings } = await audited(log.with(EDITED, other));
    expect(findings).toMatchObject([
      { what: CHANGED, expected: expect.stringContaining(at(EDITED).id), event: { id: other.id } },
    ]);
  });

  test('ends with the error of a store that cannot be read, which says nothing about the log', async () => {
    const notes = createNotebook().check(CHECKS.transparency);
    const published = {
      ...openFileEntries(filesIn(stored), note, undefined),
      read: () => Promise.reject(new TypeError('the store is away')),
    };
    const reader = { async *events() {}, async *stream() {} };
    await expect(auditPublishedLog({ log: reader, published, policy }, notes)).rejects.toThrow('away');
  });

  test('finds a tile that was replaced', async () => {
    const files = new Map(stored);
    onTestFinished(() => files.clear());
    const [name] = [...files.keys()].filter((each) => each.includes('tile/0/'));
    if (name === undefined) throw new Error('there is no full tile');
    files.set(name, Buffer.alloc(files.get(name)?.length ?? 0));
    const { findings } = await audited(log, { files });
    expect(findings.map(({ what }) => what)).toEqual([
      'the tiles of the transparency log have the signed root',
    ]);
  });
});
