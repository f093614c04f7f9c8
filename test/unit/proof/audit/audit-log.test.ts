// The log with itself: each way in which a store may give events wrongly is found, and a log that is right is quiet.
import { expect, test } from 'vitest';
import { type RecordedEvent, START } from '../../../../src/kernel/ports/event-store.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { LeaseRenewed, LeaseTaken } from '../../../../src/kernel/runtime/lease.ts';
import { EventQuarantined } from '../../../../src/kernel/runtime/quarantine.ts';
import { auditLog } from '../../../../src/proof/audit/log/audit-log.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { streams } from '../../../../src/streams/index.ts';
import { TokenHidden, TokenShown } from '../../../../src/streams/token.ts';
import { logOf } from '../../../support/comparing.ts';
import { ids, tokenCreated } from '../../../support/domain-examples.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';

const { tokenId } = ids;
const codec = createEventCodec(streams);
const lease = { name: 'settler', holder: ids.transactionId, label: 'here 1', term: 1, ttl: 2_000 };

const [created, hidden, shown, taken] = storedEvents([
  happening(tokenId, tokenCreated),
  happening(tokenId, TokenHidden({ tokenId, reason: 'Spam.' })),
  happening(tokenId, TokenShown({ tokenId, reason: null })),
  happening('settler', LeaseTaken(lease)),
]) as [RecordedEvent, RecordedEvent, RecordedEvent, RecordedEvent];

const withMetadata = (event: RecordedEvent, change: RecordedEvent['metadata']): RecordedEvent => ({
  ...event,
  metadata: { ...event.metadata, ...change },
});
const at = (event: RecordedEvent, position: number, change: Partial<RecordedEvent> = {}): RecordedEvent => ({
  ...event,
  position: String(position).padStart(20, '0'),
  ...change,
});

async function reportOf(
  events: readonly RecordedEvent[],
  {
    after = START,
    known = streams,
    log = logOf(events),
    progress = (): void => undefined,
  }: {
    readonly after?: string;
    readonly known?: Parameters<typeof auditLog>[0]['streams'];
    readonly log?: ReturnType<typeof logOf>;
    readonly progress?: Parameters<typeof auditLog>[0]['progress'];
  } = {},
) {
  const notebook = createNotebook();
  const seen: string[] = [];
  const read = await auditLog({
    log,
    codec,
    streams: known,
    after,
    visitors: [({ event }) => void seen.push(event.eventId)],
    notebook,
    progress,
  });
  const about = {
    begunAt: '',
    seconds: 0,
    log: { after, until: read.until, events: read.events },
    chain: null,
  };
  return { ...notebook.report(about), read, seen };
}

test('a log that is right is quiet, and every event of it is shown to the other checks', async () => {
  const { outcome, checks, read, seen } = await reportOf([created, hidden, shown, taken]);
  expect(outcome).toBe('held');
  expect(read).toEqual({ events: 4, until: taken.position });
  expect(seen).toEqual([created, hidden, shown, taken].map(({ id }) => id));
  expect(Object.fromEntries(checks.map(({ check, checked }) => [check, checked]))).toEqual({
    revisions: 4,
    schema: 4,
    fold: 4,
    order: 4,
  });
});

test.each([
  ['one is missing', [created, shown]],
  ['the first is missing', [hidden]],
  ['one comes twice', [created, hidden, at(hidden, 9, { id: shown.id })]],
])('a stream is found whose revisions have a gap: %s', async (_what, events) => {
  const { findings } = await reportOf(events);
  const last = events.at(-1) as RecordedEvent;
  expect(findings.filter(({ check }) => check === 'revisions')).toMatchObject([
    {
      what: "a stream's events are numbered without a gap",
      expected: `revision ${events.length === 3 ? 2 : events.length - 1}`,
      found: `revision ${last.revision}`,
      event: { id: last.id, revision: last.revision },
    },
  ]);
});

test('the first events of a lease may be gone, and its others may not come again', async () => {
  const renewed = (position: number, revision: number) => {
    const [, event] = storedEvents([
      happening('settler', LeaseTaken(lease)),
      happening('settler', LeaseRenewed(lease)),
    ]) as [RecordedEvent, RecordedEvent];
    return at(event, position, { revision, id: `lease ${position}` });
  };
  expect((await reportOf([renewed(4, 17), renewed(5, 18)])).outcome).toBe('held');
  const { findings } = await reportOf([renewed(4, 17), renewed(5, 17)]);
  expect(findings).toMatchObject([{ check: 'revisions', found: 'revision 17' }]);
});

test.each([
  ['an earlier position', 1],
  ['the same position', 2],
])('a store is found that gives an event at %s', async (_what, position) => {
  const events = [at(created, 2), at(hidden, position), at(shown, 3)];
  const { findings } = await reportOf(events);
  expect(findings).toMatchObject([
    { what: 'positions grow', found: String(position).padStart(20, '0'), event: { id: hidden.id } },
  ]);
});

test('an event is found that its stream cannot take, and those behind it are folded on without it', async () => {
  const known = streams.map((stream) =>
    stream.category === 'token'
      ? {
          ...stream,
          evolve: (state: never, event: never) => {
            if ((event as { type: string }).type === 'TokenHidden') throw new Error('no token is hidden');
            return stream.evolve(state, event);
          },
        }
      : stream,
  );
  const { findings, seen } = await reportOf([created, hidden, shown], { known });
  expect(findings).toMatchObject([
    {
      check: 'fold',
      what: 'a stream can be folded',
      found: 'no token is hidden',
      event: { id: hidden.id },
    },
  ]);
  expect(seen).toHaveLength(3);
});

test('how far it has come is told every thousand events', async () => {
  const [, renewed] = storedEvents([
    happening('settler', LeaseTaken(lease)),
    happening('settler', LeaseRenewed(lease)),
  ]) as [RecordedEvent, RecordedEvent];
  const many = Array.from({ length: 1_001 }, (_, index) =>
    at(renewed, index + 1, { revision: index, id: `lease ${index}` }),
  );
  const told: unknown[][] = [];
  await reportOf(many, { progress: (...args) => void told.push(args) });
  expect(told).toEqual([['log', 1_000, 1_001]]);
});

test('an event that a newer release recorded could not be checked at', async () => {
  const newer = withMetadata(hidden, { schemaVersion: 99 });
  const { findings, unchecked } = await reportOf([created, newer]);
  expect(findings).toEqual([]);
  expect(unchecked).toMatchObject([{ what: 'every event can be decoded', event: { id: hidden.id } }]);
});

const [quarantined] = storedEvents([
  happening(
    'events',
    EventQuarantined({
      eventId: hidden.id,
      stream: hidden.stream,
      revision: hidden.revision,
      position: hidden.position,
      eventType: hidden.type,
      problem: 'No token is named.',
      reason: 'No backup has it.',
      by: 'ann',
      quarantinedAt: '2026-05-04T10:00:00.000Z',
    }),
  ),
]) as [RecordedEvent];

test('an event that an operator has quarantined could not be checked at; another that is like it is found', async () => {
  const broken = { ...hidden, data: {} };
  const other = { ...broken, id: 'other', revision: 2, position: shown.position };
  const alike = at(broken, 8, { stream: 'token-alike' });
  const { findings, unchecked } = await reportOf([created, broken, other, alike, at(quarantined, 9)]);
  const unread = findings.filter(({ what }) => what === 'every event can be decoded');
  expect(unread).toMatchObject([{ event: { id: 'other' } }, { event: { stream: 'token-alike' } }]);
  expect(unchecked).toMatchObject([
    { event: { id: broken.id }, why: expect.stringContaining('quarantined') },
  ]);
});

test('a quarantine that cannot be decoded is found, and hides no other', async () => {
  const broken = { ...hidden, data: {} };
  const spoiled = at(quarantined, 8, { data: {}, id: 'spoiled' });
  const second = at(quarantined, 9, { revision: quarantined.revision + 1 });
  const { findings, unchecked } = await reportOf([created, broken, spoiled, second]);
  expect(findings).toMatchObject([{ what: 'every event can be decoded', event: { id: 'spoiled' } }]);
  expect(unchecked).toMatchObject([{ event: { id: broken.id } }]);
});
