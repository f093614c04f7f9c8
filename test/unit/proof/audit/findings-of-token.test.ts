// What is found of a token is told with the event that it is about, when the chain or the log says that it happened.
import { describe, expect, test } from 'vitest';
import type { Recorded } from '../../../../src/kernel/runtime/event-codec.ts';
import type { AuditNode } from '../../../../src/proof/audit/chain/audit-node.ts';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import { findingsOfToken, placeIn } from '../../../../src/proof/audit/ledgers/findings-of-token.ts';
import type { StepsOf } from '../../../../src/proof/audit/ledgers/recorded-runs.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { addresses, ids } from '../../../support/domain-examples.ts';
import { generateRuns } from '../../../support/generated-runs.ts';
import { happening, recordedEvents } from '../../../support/recorded-events.ts';

const ABOUT = { begunAt: '', seconds: 0, log: { after: '', until: '', events: 0 }, chain: null };
const { tokenId } = ids;
const OF_TOKEN = ['RunOpened', 'LinksLanded', 'RunClosed'];
const runs = generateRuns(3, { tokenId, mint: addresses.mint }, { owners: 5, assets: ['sol', 'sol'] });
const recorded = recordedEvents(
  runs.flatMap(({ runId, events }) =>
    events.map(({ event }) => happening(OF_TOKEN.includes(event.type) ? tokenId : runId, event)),
  ),
) as readonly Recorded[];
const [first, second] = runs as [(typeof runs)[number], (typeof runs)[number]];
const ofToken = recorded.filter(({ type }) => OF_TOKEN.includes(type));
const stepsOf = (async (runId: string) =>
  recorded.filter(
    ({ type, data }) => !OF_TOKEN.includes(type) && data.runId === runId,
  )) as unknown as StepsOf;
const eventOf = (type: string, runId: string) =>
  recorded.find((event) => event.type === type && event.data.runId === runId);

async function told(
  finding: { readonly what: string; readonly signature?: string },
  transaction: (signature: string) => Promise<object | undefined> = async () => undefined,
) {
  const notebook = createNotebook();
  const payments = notebook.check(CHECKS.payments);
  const { findings, tell, isEmpty } = findingsOfToken(tokenId, payments, {
    transaction,
  } as unknown as AuditNode);
  expect(isEmpty()).toBe(true);
  findings.add({ expected: 'this', found: 'that', ...finding });
  expect(isEmpty()).toBe(false);
  await tell(async () => ({ account: 'an account', time: '2026-05-04T10:00:00.000Z', timeOf: 'log' }));
  return notebook.report(ABOUT).findings[0];
}

describe('a finding of a token', () => {
  test('is told with the token, its place, and the time of its block where the node knows that', async () => {
    const what = 'each till is the one that the books name';
    expect(
      await told({ what, signature: 'x' }, async () => ({ blockTime: '2026-05-04T11:00:00.000Z' })),
    ).toMatchObject({
      what,
      tokenId,
      account: 'an account',
      time: '2026-05-04T11:00:00.000Z',
      timeOf: 'block',
    });
  });

  test.each<[string, string | undefined, () => Promise<object | undefined>]>([
    ['it is of no transaction', undefined, async () => ({ blockTime: '2026-05-04T11:00:00.000Z' })],
    ['the node does not know the time', 'x', async () => ({ blockTime: undefined })],
    ['the node does not have the transaction', 'x', async () => undefined],
    ['the node refuses the signature', 'x', () => Promise.reject(new Error('no signature'))],
  ])('has the time of the log where %s', async (_why, signature, transaction) => {
    const finding = { what: 'the last till is there', ...(signature === undefined ? {} : { signature }) };
    expect(await told(finding, transaction)).toMatchObject({
      time: '2026-05-04T10:00:00.000Z',
      timeOf: 'log',
    });
  });

  test('is one of a hundred of its kind that are told; the others are counted', async () => {
    const notebook = createNotebook();
    const payments = notebook.check(CHECKS.payments);
    const { findings, tell } = findingsOfToken(tokenId, payments, {} as AuditNode);
    for (let count = 0; count < 103; count += 1)
      findings.add({ what: 'the last till is there', expected: '', found: '' });
    await tell(() => ({}));
    const report = notebook.report(ABOUT);
    expect([report.findings.length, report.findingsNotTold]).toEqual([100, 3]);
  });

  test('of one run is told, however many of its kind another run has', async () => {
    const notebook = createNotebook();
    const { findings, tell } = findingsOfToken(tokenId, notebook.check(CHECKS.payments), {} as AuditNode);
    const of = (runId: string) => `run ${runId}: the last till is there`;
    for (let count = 0; count < 100; count += 1)
      findings.add({ what: of(first.runId), expected: '', found: '' });
    findings.add({ what: of(second.runId), expected: '', found: '' });
    await tell(() => ({}));
    const report = notebook.report(ABOUT);
    expect(report.findings.filter(({ what }) => what === of(second.runId))).toHaveLength(1);
    expect([report.findings.length, report.findingsNotTold]).toEqual([100, 1]);
  });
});

describe('the event of a finding', () => {
  const placed = (finding: {
    readonly what: string;
    readonly account?: string;
    readonly signature?: string;
  }) => placeIn(ofToken, stepsOf, finding);
  const ofRun = (runId: string, rule = 'a rule') => `run ${runId}: ${rule}`;
  const allotted = eventOf('RunAllotted', first.runId);
  const landed = eventOf('LinksLanded', second.runId);
  const signature =
    (landed?.data as { links: { signature: string }[] } | undefined)?.links[0]?.signature ?? '';
  const pot = (allotted?.data as { pots: { address: string }[] } | undefined)?.pots[0]?.address ?? '';

  test('is the one that names its transaction', async () => {
    expect(await placed({ what: ofRun(second.runId), signature })).toMatchObject({
      runId: second.runId,
      event: { id: landed?.eventId },
    });
  });

  test('is the one of its run that names its account, where no transaction is named', async () => {
    const place = await placed({ what: ofRun(first.runId), account: pot, signature: 'unknown' });
    expect(place).toMatchObject({ runId: first.runId, event: { id: allotted?.eventId } });
    // Another run does not name it.
    expect(await placed({ what: ofRun(second.runId), account: pot })).toMatchObject({
      event: { id: eventOf('RunAllotted', second.runId)?.eventId },
    });
  });

  test('is else what allotted the run, or closed it', async () => {
    expect(await placed({ what: ofRun(first.runId) })).toMatchObject({ event: { id: allotted?.eventId } });
    const closed = ofToken.filter(({ data }) => data.runId === first.runId);
    expect(await placeIn(closed, async () => [], { what: ofRun(first.runId) })).toMatchObject({
      event: { type: 'RunClosed' },
    });
    // Of this run, whatever else its steps recorded, and not of one that was closed later.
    const scanned = (await stepsOf(first.runId)).filter(({ type }) => type === 'HoldersScanned');
    expect(scanned).toHaveLength(1);
    expect(await placeIn(ofToken, async () => scanned, { what: ofRun(first.runId) })).toMatchObject({
      event: { id: eventOf('RunClosed', first.runId)?.eventId },
    });
  });

  test('is else the last of the token, without a run where the rule names none', async () => {
    const opened = ofToken.filter(({ type }) => type !== 'RunClosed');
    expect(opened.length).toBeGreaterThan(2);
    const place = await placeIn(opened, stepsOf, { what: 'a rule' });
    expect(place).toMatchObject({ event: { id: opened.at(-1)?.eventId } });
    expect(place).not.toHaveProperty('runId');
    // A rule that only speaks of a run is not one of it.
    const spoken = await placeIn(ofToken, stepsOf, { what: `after ${ofRun(first.runId)}` });
    expect(spoken).not.toHaveProperty('runId');
    expect(await placeIn([], stepsOf, { what: 'a rule' })).toEqual({});
  });
});
