// The transparency log with the log: nothing is found in a log that is as the notary saw it, and every change is named.
import { ED25519, noteKey, policyOfLog, signCheckpoint } from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import { auditPublishedLog } from '../../../../src/proof/audit/published/audit-published-log.ts';
import { openFileEntries } from '../../../../src/proof/audit/published/published-entries.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { reportOf } from '../../../support/audit-report.ts';
import { logOf } from '../../../support/comparing.ts';
import { loggedEvent, loggedEvents, recordedLog } from '../../../support/recorded-log.ts';
import { NOTARY_ORIGIN, notaryKey } from '../../../support/running-notary.ts';

const policy = policyOfLog(noteKey(NOTARY_ORIGIN, ED25519, notaryKey.publicKey));
const EVENTS = 700;
const log = loggedEvents(EVENTS);
const recorded = await recordedLog(EVENTS, log);
const root = recorded.head.root;
const note = signCheckpoint({ origin: NOTARY_ORIGIN, size: EVENTS, root }, notaryKey);

/** `isOwn`: with the notary's own files, or as everybody sees it. */
async function audited(events: readonly RecordedEvent[], { files = recorded.files, isOwn = true } = {}) {
  const notebook = createNotebook();
  const notes = notebook.check(CHECKS.transparency);
  const published = openFileEntries(files, note, isOwn ? await files.head() : undefined);
  const newer = await auditPublishedLog({ log: logOf(events), published, policy }, notes);
  const { findings, checks } = reportOf(notebook);
  return { newer, findings, checked: checks[0]?.checked };
}

const at = (index: number): RecordedEvent => log[index] ?? loggedEvent(index);
const EDITED = 300;

describe('the audit of the transparency log', () => {
  test.each([true, false])('finds nothing in an unchanged log, the own files at hand: %s', async (isOwn) => {
    expect(await audited(log, { isOwn })).toEqual({ newer: 0, findings: [], checked: EVENTS });
  });

  test('leaves out streams that may be cut', async () => {
    const lease = loggedEvent(EVENTS, { stream: 'lease-settler', position: '0' });
    expect(await audited([lease, ...log])).toEqual({ newer: 0, findings: [], checked: EVENTS });
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
    const more = loggedEvents(EVENTS + 2);
    const { files } = await recordedLog(EVENTS + 2, more);
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
    const other = loggedEvent(EDITED, { id: 'other' });
    const { findings } = await audited(log.with(EDITED, other));
    expect(findings).toMatchObject([
      { what: CHANGED, expected: expect.stringContaining(at(EDITED).id), event: { id: other.id } },
    ]);
  });

  test('ends with the error of a store that cannot be read, which says nothing about the log', async () => {
    const notes = createNotebook().check(CHECKS.transparency);
    const published = {
      ...openFileEntries(recorded.files, note, undefined),
      read: () => Promise.reject(new TypeError('the store is away')),
    };
    await expect(auditPublishedLog({ log: logOf([]), published, policy }, notes)).rejects.toThrow('away');
  });

  test('finds a tile that was replaced', async () => {
    const { blobs, files } = await recordedLog(EVENTS, log);
    const [name] = [...blobs.stored.keys()].filter((each) => each.includes('tile/0/'));
    if (name === undefined) throw new Error('there is no full tile');
    blobs.stored.set(name, Buffer.alloc(blobs.stored.get(name)?.length ?? 0));
    const { findings } = await audited(log, { files });
    expect(findings.map(({ what }) => what)).toEqual([
      'the tiles of the transparency log have the signed root',
    ]);
  });
});
