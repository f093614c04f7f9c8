// Runs in the log beside an empty or a damaged world: what is told of each token, where it stands, and what could not be looked at.
import { TOKEN_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { ContentDamaged } from '../../../../src/kernel/ports/errors.ts';
import { type RecordedEvent, START } from '../../../../src/kernel/ports/event-store.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import type { AuditNode } from '../../../../src/proof/audit/chain/audit-node.ts';
import { NodeUnavailable } from '../../../../src/proof/audit/chain/node-calls.ts';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import {
  auditDistributions,
  auditTokensWithoutRuns,
  type DistributionsAudit,
} from '../../../../src/proof/audit/ledgers/audit-distributions.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { streams } from '../../../../src/streams/index.ts';
import { token } from '../../../../src/streams/token.ts';
import { logOf } from '../../../support/comparing.ts';
import { linksLanded, runOpened } from '../../../support/distribution-examples.ts';
import { addresses, ids, tokenCreated } from '../../../support/domain-examples.ts';
import { generateRuns } from '../../../support/generated-runs.ts';
import { happening, recordedEvents, storedEvents } from '../../../support/recorded-events.ts';

const { tokenId } = ids;
const codec = createEventCodec(streams);
const OF_TOKEN = ['RunOpened', 'LinksRecorded', 'LinksLanded', 'RunClosed'];

const runs = generateRuns(3, { tokenId, mint: addresses.mint }, { owners: 40, assets: ['sol', 'sol'] });
const [first, second] = runs as [(typeof runs)[number], (typeof runs)[number]];
const FILES = new Map(
  runs.flatMap(({ allotment, settlement }) =>
    [allotment, settlement].map(({ sha256, bytes }) => [sha256, Uint8Array.from(bytes)] as const),
  ),
);
const EVENTS = storedEvents(
  runs.flatMap(({ runId, events }) =>
    events.map(({ event }) => happening(OF_TOKEN.includes(event.type) ? tokenId : runId, event)),
  ),
);

/** It shows an empty chain. */
const EMPTY: AuditNode = {
  host: 'node.example',
  genesisHash: async () => 'genesis',
  epoch: async () => 7n,
  firstSlot: async () => 0n,
  accounts: async (asked) => asked.map(() => undefined),
  accountsAt: async (asked) => ({ accounts: asked.map(() => undefined) }),
  signaturesOf: async () => [],
  statuses: async (asked) => asked.map(() => undefined),
  balancesAfter: async () => undefined,
  transaction: async () => undefined,
};

const audit = (
  events: readonly RecordedEvent[] = EVENTS,
  change: Partial<DistributionsAudit> = {},
): DistributionsAudit => ({
  log: logOf(events),
  codec,
  node: EMPTY,
  firstSlot: 0n,
  file: async (sha256) => FILES.get(sha256),
  after: START,
  until: events.at(-1)?.position ?? START,
  ...change,
});

function notebook() {
  const book = createNotebook();
  const notes = { payments: book.check(CHECKS.payments), files: book.check(CHECKS.files) };
  const about = { begunAt: '', seconds: 0, log: { after: '', until: '', events: 0 }, chain: null };
  return { notes, report: () => book.report(about) };
}

async function reportOf(...asked: Parameters<typeof audit>) {
  const { notes, report } = notebook();
  await auditDistributions(audit(...asked), notes);
  return report();
}

describe('a ledger file', () => {
  const rule = 'a ledger file is the one that the log names';
  const damaged = (bytes: Uint8Array | undefined, sha256 = first.allotment.sha256) =>
    reportOf(EVENTS, { file: async (asked) => (asked === sha256 ? bytes : FILES.get(asked)) });

  test('that is missing is found where its run was allotted, and its run could not be audited', async () => {
    const { findings, couldNotLook } = await damaged(undefined);
    expect(findings.filter(({ check }) => check === 'files')).toMatchObject([
      {
        what: rule,
        expected: 'the recorded bytes',
        found: expect.stringContaining(first.allotment.sha256),
        event: { type: 'RunAllotted', stream: `run-${first.runId}` },
        runId: first.runId,
        account: expect.any(String),
        tokenId,
      },
    ]);
    expect(couldNotLook).toMatchObject([
      { check: 'payments', what: 'the payments of a run are those of the ledger', tokenId },
    ]);
  });

  test('in which a record was changed is found with the records among which it is', async () => {
    const changed = Uint8Array.from(first.allotment.bytes);
    const at = 4 + first.allotment.bytes.readUInt32LE() + 50;
    changed[at] = (changed[at] ?? 0) ^ 1;
    const { findings } = await damaged(changed);
    expect(findings.find(({ check }) => check === 'files')?.found).toContain(
      `at least one of its records 0 to ${first.allotment.records.length - 1} was changed`,
    );
  });

  test('that is a settlement is found where its run was closed', async () => {
    const { findings } = await damaged(undefined, second.settlement.sha256);
    expect(findings.filter(({ check }) => check === 'files')).toMatchObject([
      { what: rule, event: { type: 'RunClosed' }, runId: second.runId },
    ]);
  });

  test('that the store finds damaged is found, with the same outcome', async () => {
    const { sha256 } = first.allotment;
    const { findings } = await reportOf(EVENTS, {
      file: async (asked) => {
        if (asked === sha256) throw new ContentDamaged('ledger file', asked, 'there');
        return FILES.get(asked);
      },
    });
    expect(findings.filter(({ check }) => check === 'files')).toMatchObject([
      { what: rule, runId: first.runId },
    ]);
  });

  test('that cannot be read for another reason ends the audit', async () => {
    const file = async () => Promise.reject(new TypeError('no such method'));
    await expect(reportOf(EVENTS, { file })).rejects.toThrow('no such method');
  });
});

// The generated settlements name other pots than the runs have opened.
describe('what is found of a run', () => {
  const rule = 'every batch is paid by a pot of the run';

  test('is told with the event that names its transaction, its run and its token', async () => {
    const { findings, checks } = await reportOf();
    const [batch] = first.settlement.batches;
    const found = findings.find(
      ({ signature, what }) => signature === batch?.signature && what.endsWith(rule),
    );
    expect(found).toMatchObject({
      what: `run ${first.runId}: ${rule}`,
      event: { stream: `run-${first.runId}` },
      runId: first.runId,
      tokenId,
      timeOf: 'log',
    });
    expect(checks.find(({ check }) => check === 'payments')).toMatchObject({
      looked: first.settlement.batches.length + second.settlement.batches.length,
    });
    expect(checks.find(({ check }) => check === 'files')).toMatchObject({ looked: 4, found: 0 });
  });

  test('is told with the time of its block, where the node has it', async () => {
    const [batch] = first.settlement.batches;
    const blockTime = '2026-05-04T10:00:07.000Z';
    const transaction = async (signature: string) =>
      signature === batch?.signature
        ? { slot: 1, wire: new Uint8Array(), fee: 0n, error: undefined, logs: [], blockTime }
        : undefined;
    const { findings } = await reportOf(EVENTS, { node: { ...EMPTY, transaction } });
    const found = findings.find(
      ({ signature, what }) => signature === batch?.signature && what.endsWith(rule),
    );
    expect(found).toMatchObject({ time: blockTime, timeOf: 'block' });
  });
});

describe('what cannot be looked at', () => {
  const rule = 'the payments of a run are those of the ledger';

  test('is a run that is open, whose token is audited up to it', async () => {
    const open = storedEvents([happening(tokenId, runOpened)]);
    const { couldNotLook, outcome } = await reportOf(open);
    expect(outcome).toBe('could-not-look');
    expect(couldNotLook).toMatchObject([
      {
        what: rule,
        why: 'the run is open: it is audited when it is closed',
        tokenId,
        event: { type: 'RunOpened' },
      },
    ]);
  });

  test('is a token whose first run is older than what the node has', async () => {
    const slot = EVENTS.flatMap(({ type, data }) =>
      type === 'LinksLanded' ? [BigInt(String(data.slot))] : [],
    )[0];
    if (slot === undefined) throw new Error('a link landed');
    const { couldNotLook, findings } = await reportOf(EVENTS, { firstSlot: slot + 1n });
    expect(findings).toEqual([]);
    expect(couldNotLook).toMatchObject([
      {
        what: rule,
        why: `the node has no transactions before slot ${slot + 1n}, and the first run of the token is of slot ${slot}`,
        tokenId,
      },
    ]);
    expect((await reportOf(EVENTS, { firstSlot: slot })).findings).not.toEqual([]);
  });

  test('is a token of which the node stops to answer', async () => {
    const node = { ...EMPTY, signaturesOf: () => Promise.reject(new NodeUnavailable('silent')) };
    const { couldNotLook } = await reportOf(EVENTS, { node });
    expect(couldNotLook).toMatchObject([{ what: rule, why: 'silent', tokenId }]);
    const broken = { ...EMPTY, signaturesOf: () => Promise.reject(new TypeError('no such method')) };
    await expect(reportOf(EVENTS, { node: broken })).rejects.toThrow('no such method');
  });

  test('is not a token of which nothing was recorded behind the position, or before the end', async () => {
    expect((await reportOf(EVENTS, { after: EVENTS.at(-1)?.position ?? '' })).outcome).toBe('held');
    expect((await reportOf(EVENTS, { until: START })).outcome).toBe('held');
  });
});

describe('a token of which the log has no run', () => {
  const [created] = recordedEvents([happening(tokenId, tokenCreated)]);
  if (created === undefined || created.type !== 'TokenCreated') throw new Error('a token was created');
  const state = token.evolve(token.initial, tokenCreated);
  if (state === undefined) throw new Error('the token exists');
  const rule = 'the wallet signs only links that are recorded';
  const markerBy = (owner: string): AuditNode => ({
    ...EMPTY,
    accounts: async (asked) => asked.map(() => ({ owner, lamports: 1n, data: new Uint8Array() })),
  });

  async function withoutRuns(node: AuditNode, events: readonly RecordedEvent[] = []) {
    const { notes, report } = notebook();
    const audited = [{ state, created, taxed: created }] as unknown as Parameters<
      typeof auditTokensWithoutRuns
    >[1];
    await auditTokensWithoutRuns(audit(events, { node }), audited, notes.payments);
    return report();
  }

  test('has no marker on the chain, or one that a stranger sent lamports to', async () => {
    expect((await withoutRuns(EMPTY)).outcome).toBe('held');
    expect((await withoutRuns(markerBy('11111111111111111111111111111111'))).outcome).toBe('held');
  });

  test('and whose marker is on the chain cannot be looked at by a node that does not show who made it', async () => {
    const { couldNotLook } = await withoutRuns(markerBy(TOKEN_PROGRAM));
    expect(couldNotLook).toMatchObject([
      { what: rule, why: expect.stringMatching(/^the node has no transaction that made \w+$/), tokenId },
    ]);
  });

  test('may have opened its first run since', async () => {
    const events = storedEvents([happening(tokenId, runOpened), happening(tokenId, linksLanded)]);
    expect((await withoutRuns(markerBy(TOKEN_PROGRAM), events)).outcome).toBe('held');
  });

  test('is not looked at where the node does not answer', async () => {
    const node = {
      ...markerBy(TOKEN_PROGRAM),
      signaturesOf: () => Promise.reject(new NodeUnavailable('silent')),
    };
    expect((await withoutRuns(node)).couldNotLook).toMatchObject([{ what: rule, why: 'silent', tokenId }]);
  });
});
