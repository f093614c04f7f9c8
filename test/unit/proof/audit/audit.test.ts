// One report of all checks: what is left out is said, and what fails to look keeps no other check from looking.
import { describe, expect, test } from 'vitest';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { audit } from '../../../../src/proof/audit/audit.ts';
import type { AuditedSystem, FurtherCheck } from '../../../../src/proof/audit/audited-system.ts';
import type { AuditNode } from '../../../../src/proof/audit/chain/audit-node.ts';
import { streams } from '../../../../src/streams/index.ts';
import { logOf } from '../../../support/comparing.ts';
import { ids, tokenCreated } from '../../../support/domain-examples.ts';
import { EMPTY_CHAIN } from '../../../support/empty-chain.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';

const events = storedEvents([happening(ids.tokenId, tokenCreated)]);
const [created] = events;

/** It has everything from slot 42 on. */
const node: AuditNode = { ...EMPTY_CHAIN, firstSlot: async () => 42n };

function audited(system: Partial<AuditedSystem>, after?: string) {
  return audit(
    { log: logOf(events), ...system },
    { codec: createEventCodec(streams), streams, ...(after === undefined ? {} : { after }) },
  );
}
const outcomes = ({ checks }: Awaited<ReturnType<typeof audited>>) =>
  Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome]));

describe('an audit', () => {
  test('of the log alone says that nothing was compared with the chain', async () => {
    const report = await audited({});
    expect(report.chain).toBeNull();
    expect(report.skipped).toEqual([
      'Checks against the chain (submissions, mints, payments): no node was given.',
    ]);
    expect(outcomes(report)).toMatchObject({ mints: 'skipped', payments: 'skipped' });
    expect(report.log).toEqual({ after: '', until: created?.position, events: 1 });
  });

  test('names the chain, and from when on the node has its transactions', async () => {
    const report = await audited({ node });
    expect(report.chain).toEqual({ host: 'node.example', genesisHash: 'genesis', firstSlot: '42' });
    expect(report.skipped).toEqual([]);
    expect(report.findings.map(({ what }) => what)).toEqual(['a token has its mint']);
  });

  test('leaves payments and files out where no ledgers were given, and looks at them where they were', async () => {
    const without = await audited({ node });
    expect(outcomes(without)).toMatchObject({ payments: 'skipped', files: 'skipped' });
    const given = await audited({ node, file: async () => undefined });
    expect(outcomes(given)).toMatchObject({ payments: 'held', files: 'held' });
  });

  test('of a part of the log says which part', async () => {
    expect((await audited({}, created?.position)).skipped).toContain(
      `Events up to ${created?.position}, and all subjects without a later event.`,
    );
    expect((await audited({})).skipped.some((sentence) => sentence.startsWith('Events up to'))).toBe(false);
  });
});

describe('a check that another part brings along', () => {
  const further = (fields: Partial<FurtherCheck> = {}): FurtherCheck => ({
    group: 'read-models',
    check: 'documents',
    proves: 'every document is what the log says',
    run: async (notes, skipped) => {
      notes.checked(3);
      skipped('one more thing');
    },
    ...fields,
  });
  const told = async (check: FurtherCheck, after?: string) => {
    const report = await audited({ further: [check] }, after);
    return { ...report.checks.at(-1), sentences: report.skipped, places: report.unchecked };
  };

  test('is run, and says what it leaves out', async () => {
    expect(await told(further())).toMatchObject({
      outcome: 'held',
      checked: 3,
      sentences: expect.arrayContaining(['one more thing']),
    });
  });

  test('that needs the whole log is run of the whole log alone', async () => {
    const check = further({ needsWholeLog: 'it needs the whole log' });
    expect(await told(check)).toMatchObject({ outcome: 'held', checked: 3 });
    expect(await told(check, created?.position)).toMatchObject({
      outcome: 'skipped',
      checked: 0,
      skipped: 'it needs the whole log',
    });
    expect(await told(further(), created?.position)).toMatchObject({ outcome: 'held', checked: 3 });
  });

  test('that fails could not look, and says why', async () => {
    const failing = further({ run: () => Promise.reject(new Error('the server is away')) });
    expect(await told(failing)).toMatchObject({
      outcome: 'unchecked',
      places: [{ what: 'every document is what the log says', why: 'the server is away' }],
    });
  });
});
