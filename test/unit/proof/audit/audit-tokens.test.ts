// Every token of the log is checked up on the chain once, with patience for what is not final yet, and for nodes that are away.
import { describe, expect, test } from 'vitest';
import type { ChainAccount, SignatureStatus } from '../../../../src/kernel/ports/chain.ts';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { createEventCodec, type EventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import type { AuditNode } from '../../../../src/proof/audit/chain/audit-node.ts';
import { auditTokens, streamsOf } from '../../../../src/proof/audit/chain/audit-tokens.ts';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { streams } from '../../../../src/streams/index.ts';
import {
  TokenCreated,
  TokenCreationReverted,
  TokenHidden,
  TransferFeeChanged,
} from '../../../../src/streams/token.ts';
import { reportOf } from '../../../support/audit-report.ts';
import { logOf } from '../../../support/comparing.ts';
import { addresses, ids, signatures, token } from '../../../support/domain-examples.ts';
import { ownerOf } from '../../../support/ledger-files.ts';
import { mintAccount } from '../../../support/mint-account.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';

const codec = createEventCodec(streams);
const idOf = (name: string) => deriveId('token', name);

const NO_TAX = { epoch: 0n, basisPoints: 0, maximum: 0n };
/** With a tax of nothing and without metadata: there, and not what was recorded. */
const MINT = mintAccount({ decimals: 6, supply: 1n, tax: { older: NO_TAX, newer: NO_TAX } });

const tokens = Array.from({ length: 4 }, (_, index) => String(index));
const mintOf = (name: string) => ownerOf(Number(name) + 50);
const created = (name: string) =>
  happening(
    idOf(name),
    TokenCreated({
      creator: addresses.creator,
      transactionId: ids.transactionId,
      signature: signatures.second,
      token: { ...token, tokenId: idOf(name), mintAddress: mintOf(name) },
    }),
  );
const status = (commitment: SignatureStatus['commitment']): SignatureStatus => ({
  slot: 7,
  error: undefined,
  commitment,
});

interface World {
  readonly events?: readonly RecordedEvent[];
  readonly after?: string;
  readonly until?: string;
  /** What is shown at each address at each look, counted from 1. */
  readonly shown?: (name: string, look: number) => ChainAccount | undefined;
  readonly statusOf?: SignatureStatus | undefined;
  readonly reading?: Pick<EventCodec, 'decode'>;
}

async function audited({
  events = storedEvents(tokens.map(created)),
  after = '',
  until = '9'.repeat(20),
  shown = () => MINT,
  statusOf,
  reading = codec,
}: World = {}) {
  const looks = new Map<string, number>();
  const asked: number[] = [];
  const statuses: number[] = [];
  const node = {
    epoch: async () => 700n,
    async accounts(askedFor: readonly string[], commitment: string) {
      expect(commitment).toBe('finalized');
      asked.push(askedFor.length);
      return askedFor.map((address) => {
        const look = (looks.get(address) ?? 0) + 1;
        looks.set(address, look);
        return shown(String(MINTS.get(address)), look);
      });
    },
    async statuses(known: readonly string[]) {
      expect(new Set(known)).toEqual(new Set([signatures.second]));
      statuses.push(known.length);
      return known.map(() => statusOf);
    },
  } as unknown as AuditNode;
  const notebook = createNotebook();
  const notes = notebook.check(CHECKS.mints);
  const handedOn: number[] = [];
  const work = auditTokens(
    { log: logOf(events), codec: reading as EventCodec, node, after, until },
    notes,
    notebook.skipped,
    async (each) => void handedOn.push(each.length),
  );
  await work;
  const report = reportOf(notebook);
  return {
    checked: report.checks[0]?.checked,
    missing: report.findings
      .filter(({ what }) => what === 'a token has its mint')
      .map(({ tokenId }) => tokenId),
    found: report.findings.length,
    recordedBy: (what: string) =>
      report.findings.filter((each) => each.what === what).map(({ event }) => event?.type),
    skipped: report.skipped,
    asked,
    statuses,
    handedOn,
  };
}
const MINTS = new Map(Array.from({ length: 300 }, (_, index) => [mintOf(String(index)), index] as const));

test('tokens are checked up a hundred at a time', async () => {
  const many = Array.from({ length: 201 }, (_, index) => created(String(index)));
  const { checked, asked, handedOn, missing } = await audited({ events: storedEvents(many) });
  expect([checked, missing, handedOn]).toEqual([201, [], [100, 100, 1]]);
  expect(asked.filter((count) => count > 0)).toEqual([100, 100, 1]);
});

describe('a token whose mint is not there', () => {
  const shown = (name: string) => (name === '2' ? undefined : MINT);

  test.each<[string, SignatureStatus | undefined]>([
    ['whose creation is final', status('finalized')],
    ['whose creation no node knows', undefined],
  ])('is found, %s', async (_how, statusOf) => {
    const { missing, skipped, statuses } = await audited({ shown, statusOf });
    expect([missing, skipped, statuses]).toEqual([[idOf('2')], [], [1]]);
  });

  test.each([
    'processed',
    'confirmed',
  ] as const)('is left out while its creation is only %s: a fork may take it back', async (commitment) => {
    const { missing, skipped, found } = await audited({ shown, statusOf: status(commitment) });
    expect([missing, skipped]).toEqual([[], ['1 tokens whose creation is not final yet.']]);
    expect(found).toBe((await audited()).found - (await audited()).found / 4);
  });

  test('is right where it has become final between two looks', async () => {
    const { missing, asked } = await audited({
      shown: (name, look) => (name === '2' && look === 1 ? undefined : MINT),
      statusOf: status('finalized'),
    });
    expect([missing, asked]).toEqual([[], [4, 1]]);
  });
});

describe('a token', () => {
  const taxed = TransferFeeChanged({
    tokenId: idOf('0'),
    transactionId: null,
    basisPoints: 7,
    maximum: null,
    pending: null,
    slot: '7',
  });
  const hidden = happening(idOf('0'), TokenHidden({ tokenId: idOf('0'), reason: 'Spam.' }));

  test('whose mint differs is found beside the event that recorded that: its creation, or the last of its tax', async () => {
    const { recordedBy } = await audited({
      events: storedEvents([created('0'), happening(idOf('0'), taxed), hidden, created('1'), hidden]),
    });
    expect(recordedBy('a mint has the recorded tax')).toEqual(['TransferFeeChanged', 'TokenCreated']);
    expect(recordedBy('a mint has metadata')).toEqual(['TokenCreated', 'TokenCreated']);
  });

  test('is held against what the audited part of the log says, not against what was recorded later', async () => {
    const events = storedEvents([
      created('0'),
      happening(idOf('0'), taxed),
      happening(idOf('0'), TokenCreationReverted({ tokenId: idOf('0'), transactionId: ids.transactionId })),
    ]);
    const { checked, recordedBy } = await audited({ events, until: events[0]?.position ?? '' });
    expect([checked, recordedBy('a mint has the recorded tax')]).toEqual([1, ['TokenCreated']]);
  });

  test('with an event that cannot be decoded is held against the others; an error of our own ends the audit', async () => {
    const [one, other] = storedEvents([created('0'), hidden]) as [RecordedEvent, RecordedEvent];
    expect(await audited({ events: [one, { ...other, data: {} }] })).toMatchObject({ checked: 1 });
    const reading = {
      decode(stored: RecordedEvent) {
        if (stored.type === 'TokenHidden') throw new TypeError('ours');
        return codec.decode(stored);
      },
    };
    await expect(audited({ events: [one, other], reading })).rejects.toThrow('ours');
  });
});

describe('a token is not checked up', () => {
  test('whose creation a fork took back', async () => {
    const reverted = TokenCreationReverted({ tokenId: idOf('1'), transactionId: ids.transactionId });
    const events = storedEvents([created('0'), created('1'), happening(idOf('1'), reverted)]);
    expect(await audited({ events })).toMatchObject({ checked: 1 });
  });

  test('whose creation cannot be decoded, or is not in the log', async () => {
    const hidden = TokenHidden({ tokenId: idOf('1'), reason: 'Spam.' });
    const [one, other, more] = storedEvents([created('0'), created('1'), happening(idOf('1'), hidden)]) as [
      RecordedEvent,
      RecordedEvent,
      RecordedEvent,
    ];
    expect(await audited({ events: [one, { ...other, data: {} }, more] })).toMatchObject({ checked: 1 });
  });

  test('where nothing was recorded of it since', async () => {
    const hidden = (name: string) =>
      happening(idOf(name), TokenHidden({ tokenId: idOf(name), reason: 'Spam.' }));
    const events = storedEvents([created('0'), created('1'), hidden('1'), hidden('1')]);
    expect(await audited({ events, after: events[1]?.position ?? '' })).toMatchObject({
      checked: 1,
      handedOn: [1],
    });
  });
});

test('the streams of a part of the log are each given once, and those of the whole by their first events', async () => {
  const hidden = happening(idOf('0'), TokenHidden({ tokenId: idOf('0'), reason: 'Spam.' }));
  const events = storedEvents([created('0'), hidden, hidden, created('1')]);
  const given = async (after: string, until = '9'.repeat(20)) => {
    const names: string[] = [];
    for await (const stream of streamsOf(logOf(events), 'token', after, until)) names.push(stream);
    return names;
  };
  const [one, two] = [`token-${idOf('0')}`, `token-${idOf('1')}`];
  expect(await given('')).toEqual([one, two]);
  expect(await given(events[0]?.position ?? '')).toEqual([one, two]);
  expect(await given(events[2]?.position ?? '')).toEqual([two]);
  expect(await given('', events[2]?.position ?? '')).toEqual([one]);
});
