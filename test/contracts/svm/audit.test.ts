// The audit of runs, held against the log, the ledger files and the chain that the real engine has left: it finds nothing in true
// ones, and every change of theirs.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyring } from '../../../src/chain/keys.ts';
import { taxedTransferInstruction, unwrapLamports } from '../../../src/chain/payment-instructions.ts';
import { createAllotmentWriter, openAllotment } from '../../../src/distribution/ledger/allotment-file.ts';
import type { LedgerRecord } from '../../../src/distribution/ledger/ledger-record.ts';
import type { RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import { deferred } from '../../support/deferred.ts';
import { ids } from '../../support/domain-examples.ts';
import { encodeRecord } from '../../support/encode-record.ts';
import { runEngine } from '../../support/faulty-chain/engine-run.ts';
import { signed } from '../../support/faulty-chain/token-world.ts';
import { CALM } from '../../support/faulty-chain/weather.ts';
import { type AuditedRuns, auditRunsIn } from '../../support/run-audit.ts';
import { withdrawWithheldTax } from '../../support/token-instructions.ts';

type Runs = Required<Pick<AuditedRuns, 'events' | 'file' | 'chain'>>;
type Data = { readonly [name: string]: never };

const KEYRING = createKeyring(Buffer.alloc(32, 12));
const WALLET = KEYRING.distributionWallet(ids.walletId);

/** Two runs, held open while they are audited again and again. */
async function openRuns(assets: readonly ('sol' | 'token')[]) {
  const { promise: over, resolve: end } = deferred();
  let ended: Promise<unknown> = Promise.resolve();
  const runs = await new Promise<Runs>((resolve, reject) => {
    ended = runEngine(3, {
      weather: CALM,
      assets,
      audited(own) {
        resolve(own);
        return over;
      },
    }).catch(reject);
  });
  return {
    runs,
    async close() {
      end();
      await ended;
    },
  };
}

let sol: Awaited<ReturnType<typeof openRuns>>;
let token: Awaited<ReturnType<typeof openRuns>>;
beforeAll(async () => {
  sol = await openRuns(['sol', 'sol']);
  token = await openRuns(['token', 'token']);
});
afterAll(async () => {
  await sol.close();
  await token.close();
});

const rulesOf = ({ findings }: Awaited<ReturnType<typeof auditRunsIn>>) => [
  ...new Set(findings.map(({ what }) => what)),
];

/** Changes the data of the event of this type and number among those of its type, or of the last for a purpose. */
const inEvent =
  (type: string, change: (data: never) => object, which: number | string = 1) =>
  ({ events, ...rest }: Runs): Runs => {
    const ofType = events.filter((event) => event.type === type);
    const at =
      typeof which === 'number' ? ofType[which] : ofType.findLast(({ data }) => data.purpose === which);
    if (at === undefined) throw new Error(`there is no ${type}`);
    return {
      ...rest,
      events: events.map((event) =>
        event === at ? { ...event, data: { ...event.data, ...change(event.data as never) } } : event,
      ),
    };
  };

const without =
  (isIt: (event: RecordedEvent, index: number) => boolean) =>
  ({ events, ...rest }: Runs): Runs => {
    const at = events.findLastIndex(isIt);
    return { ...rest, events: events.toSpliced(at, 1) };
  };

/** Changes every member of a list in the event's data. */
const inEach = (
  type: string,
  list: string,
  change: (item: never) => object,
  which?: number | string,
): ((runs: Runs) => Runs) =>
  inEvent(
    type,
    ({ [list]: items }: { readonly [list: string]: readonly object[] }) => ({
      [list]: items?.map((item) => ({ ...item, ...change(item as never) })),
    }),
    which,
  );

/** Changes every action of the recorded links. */
const inActions = (change: (action: never) => object, which?: string) =>
  inEach(
    'LinksRecorded',
    'links',
    ({ actions }: { actions: readonly object[] }) => ({
      actions: actions.map((action) => ({ ...action, ...change(action as never) })),
    }),
    which,
  );

const plus = (digits: string, more = 1n) => (BigInt(digits) + more).toString();

/** So many more of what the event has in this member. */
const more = (type: string, name: string, by = 1n) =>
  inEvent(type, ({ [name]: digits = '' }: { readonly [name: string]: string }) => ({
    [name]: plus(digits, by),
  }));
const moreInEach = (type: string, list: string, name: string) =>
  inEach(type, list, ({ [name]: digits = '' }: { readonly [name: string]: string }) => ({
    [name]: plus(digits),
  }));

/** Writes another ledger of the second run, and names it wherever the first is named. */
async function withRecords(
  { events, file, chain }: Runs,
  change: (records: readonly LedgerRecord[]) => readonly LedgerRecord[],
): Promise<Runs> {
  const allotted = events.filter(({ type }) => type === 'RunAllotted')[1]?.data as unknown as {
    readonly ledger: string;
    readonly root: string;
  };
  const bytes = await file(allotted.ledger);
  if (bytes === undefined) throw new Error('the ledger is there');
  const reader = await openAllotment(async (from, length) => bytes.subarray(from, from + length));
  const records = change((await reader.records(0, reader.header.records)).map(({ record }) => record));
  const writer = createAllotmentWriter(reader.header);
  const changed = Buffer.concat([
    writer.begin,
    ...records.map((record) => writer.add(encodeRecord(record))),
    writer.end(),
  ]);
  const sha256 = createHash('sha256').update(changed).digest('hex');
  const named = (text: string) =>
    text.replaceAll(allotted.ledger, sha256).replaceAll(allotted.root, writer.root());
  return {
    events: events.map((event) => ({ ...event, data: JSON.parse(named(JSON.stringify(event.data))) })),
    file: async (name) => (name === sha256 ? changed : file(name)),
    chain,
  };
}

describe('an audit of runs', () => {
  test('finds nothing in those that are paid in SOL, or in the token', async () => {
    for (const { runs } of [sol, token])
      expect(await auditRunsIn(runs)).toEqual({ findings: [], unchecked: [] });
  });

  test('finds nothing wherever the log ends, while the chain goes on', async () => {
    for (const { runs } of [sol, token])
      for (const { position } of runs.events)
        expect(await auditRunsIn({ ...runs, until: position })).toEqual({ findings: [], unchecked: [] });
  });

  test.each<[string, (runs: Runs) => Runs, string]>([
    [
      'what a run takes over',
      inEvent('RunOpened', () => ({ number: 3 })),
      'RunOpened follows from the rules',
    ],
    [
      'the sums of a scan',
      inEvent('HoldersScanned', ({ sums }: { sums: { balances: string } }) => ({
        sums: { ...sums, balances: plus(sums.balances) },
      })),
      'a scan adds up to the supply',
    ],
    [
      'readings of the mint in another order',
      inEvent('HoldersScanned', ({ sums }: { sums: { mint: readonly { slot: string }[] } }) => ({
        sums: { ...sums, mint: sums.mint.map((reading, index) => ({ ...reading, slot: `${9 - index}` })) },
      })),
      'the mint is read after the scan',
    ],
    ['the supply of a scan', more('HoldersScanned', 'supply'), 'HoldersScanned follows from the rules'],
    ['what was collected', more('TaxCollected', 'collected'), 'TaxCollected follows from the rules'],
    [
      'the balance behind the withdrawal, and what was collected with it',
      inEvent('TaxCollected', ({ collected, balance }: { collected: string; balance: string }) => ({
        collected: plus(collected, -1n),
        balance: plus(balance, -1n),
      })),
      'the withdrawn amount is collected',
    ],
    [
      'the withdrawal',
      inEvent('TaxCollected', () => ({ withdraw: ['1'.repeat(64)] })),
      'a recorded transaction is on the chain',
    ],
    [
      'what a link burns',
      inActions(() => ({ amount: '1' })),
      "a till's address commits to the actions of its link",
    ],
    [
      'what a link sells',
      inActions(() => ({ amount: '900000000000000' }), 'split'),
      'a sale sells no more than the settings allow',
    ],
    [
      'the till that a link spends',
      inEach('LinksRecorded', 'links', () => ({ number: 40 })),
      'a link spends the till before it',
    ],
    [
      'what a close takes',
      inActions(({ left }: { left: string }) => ({ left: plus(left) }), 'close'),
      'a close returns the rest of its pot',
    ],
    [
      'what a till held',
      more('LinksLanded', 'lamports'),
      'a till is recorded with at most the amount that the next link found in it',
    ],
    [
      'less than a till held',
      more('LinksLanded', 'lamports', -1n),
      'a till is recorded with everything that its link left in it',
    ],
    [
      'the fee of a link',
      moreInEach('LinksLanded', 'links', 'fee'),
      'a recorded fee is the fee on the chain',
    ],
    [
      'the costs',
      inEvent('TaxSplit', ({ costs, holders }: { costs: string; holders: string }) => ({
        costs: plus(costs),
        holders: plus(holders, -1n),
      })),
      'TaxSplit follows from the rules',
    ],
    ['the shares', more('RunAllotted', 'shares'), 'RunAllotted follows from the rules'],
    [
      'the allowance of a pot',
      moreInEach('RunAllotted', 'pots', 'allowance'),
      'a pot may pay the sum in the ledger',
    ],
    [
      'the payments of a pot',
      inEvent('RunAllotted', ({ pots }: { pots: readonly Data[] }) => ({
        pots: pots.map((pot, index) => (index === 0 ? { ...pot, from: 1 } : pot)),
      })),
      'the pots of a run cover its payments',
    ],
    [
      'a delegate',
      inEach('RunAllotted', 'pots', () => ({ delegate: WALLET.address })),
      'the distributor pays out of a pot of SOL',
    ],
    [
      'the account of a pot',
      inEach('RunAllotted', 'pots', () => ({ address: WALLET.address })),
      "a pot is the wallet's",
    ],
    [
      'a payment that is left out of a plan',
      inEach('RoundRecorded', 'batches', ({ from }: { from: number }) => ({ without: [from] })),
      'a batch leaves out only refused payments',
    ],
    [
      'the payments of a plan',
      inEach('RoundRecorded', 'batches', ({ from }: { from: number }) => ({ from: from + 1 })),
      'a batch pays the next payments of its pot',
    ],
    [
      'a batch that was never planned',
      inEach('BatchesSettled', 'batches', ({ to }: { to: number }) => ({ to: to + 1 })),
      'a batch is recorded before it is signed',
    ],
    [
      'what a batch left',
      moreInEach('BatchesSettled', 'batches', 'left'),
      'a settled batch lowers its pot by its payments',
    ],
    [
      'the transaction of a batch',
      inEach('BatchesSettled', 'batches', () => ({ signature: '1'.repeat(64) })),
      'only recorded batches are paid',
    ],
    [
      'a batch that was removed',
      without(({ type }) => type === 'BatchesSettled'),
      'only recorded batches are paid',
    ],
    [
      'what a run paid',
      inEvent('RunClosed', ({ amounts }: { amounts: { paid: string } }) => ({
        amounts: { ...amounts, paid: plus(amounts.paid) },
      })),
      'RunClosed follows from the rules',
    ],
    [
      'the links of the log, put back to before the last run',
      ({ events, ...rest }) => ({
        ...rest,
        events: events.slice(
          0,
          events.findLastIndex(({ type }) => type === 'RunOpened'),
        ),
      }),
      'the wallet signs only recorded links and collections of tax',
    ],
  ])('finds %s', async (_what, tamper, rule) => {
    expect(rulesOf(await auditRunsIn(tamper(sol.runs)))).toContain(rule);
  });

  test.each<[string, (records: readonly LedgerRecord[]) => readonly LedgerRecord[]]>([
    [
      'exchanged shares of two holders',
      (records) => {
        const [one, other] = records.filter(({ kind, planned }) => kind === 'holder' && planned > 0n);
        const amounts = ({ share, planned }: LedgerRecord) => ({ share, planned });
        return records.map((record) => {
          if (record === one && other) return { ...record, ...amounts(other) };
          return record === other && one ? { ...record, ...amounts(one) } : record;
        });
      },
    ],
    [
      'earlier payments that are forgotten',
      (records) => {
        const [one, other] = records.filter(({ kind, paidBefore }) => kind === 'holder' && paidBefore > 0n);
        return records.map((record) => {
          if (record === one) return { ...record, paidBefore: record.paidBefore - 1n };
          return record === other ? { ...record, paidBefore: record.paidBefore + 1n } : record;
        });
      },
    ],
    [
      'a holder that another takes the place of',
      (records) =>
        records.map((record, index) =>
          index === records.length - 1 ? { ...record, reason: 'excluded-by-creator' } : record,
        ),
    ],
  ])('finds a ledger, written and named anew, with %s', async (_what, change) => {
    const { findings } = await auditRunsIn(await withRecords(sol.runs, change));
    const rows = findings.filter(({ what }) => what === 'a row of a ledger follows from the rules');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows[0]?.account).toMatch(/^\w{32,44}$/);
  });

  const signatureIn = (type: string, of: (data: never) => string, { events } = sol.runs) =>
    of(events.findLast((event) => event.type === type)?.data as never);
  const linkOf = ({ links }: { links: readonly { signature: string }[] }) => links[0]?.signature ?? '';

  const batchOf = ({ batches }: { batches: readonly { signature: string }[] }) => batches[0]?.signature ?? '';

  test.each<[string, string, (data: never) => string, string?, ((data: never) => string)?]>([
    ['a link matches its record', 'LinksLanded', linkOf],
    ['a batch matches its record', 'BatchesSettled', batchOf, 'BatchesSettled', batchOf],
    [
      'the tax is withdrawn',
      'TaxCollected',
      ({ withdraw }: { withdraw: readonly string[] }) => withdraw[0] ?? '',
    ],
  ])('finds that %s no more where another transaction landed', async (rule, type, of, instead = 'LinksLanded', ofOther = linkOf) => {
    const { events, file, chain } = sol.runs;
    const signature = signatureIn(type, of);
    const first = events.find(({ type: each }) => each === instead)?.data as never;
    const other = await chain.transaction(ofOther(first), 'finalized');
    const disturbed = {
      ...chain,
      transaction: async (asked: string) =>
        asked === signature ? other : chain.transaction(asked, 'finalized'),
    };
    expect(rulesOf(await auditRunsIn({ events, file, chain: disturbed }))).toContain(rule);
  });

  test('finds a distributor that receives more than the rents that it lent', async () => {
    const { events, file, chain } = sol.runs;
    const signature = signatureIn('LinksLanded', linkOf);
    const disturbed = {
      ...chain,
      async transaction(asked: string) {
        const landed = await chain.transaction(asked, 'finalized');
        if (asked !== signature || landed === undefined) return landed;
        const wire = Buffer.from(landed.wire);
        // The instruction that unwraps: its number, an amount that is there, and the amount's highest byte but two.
        const at = wire.indexOf(Buffer.of(45, 1));
        wire[at + 7] = 1;
        return { ...landed, wire };
      },
    };
    expect(rulesOf(await auditRunsIn({ events, file, chain: disturbed }))).toContain(
      'the distributor receives at most the rents that it lent',
    );
  });

  test.each([
    ['the till holds the owed and undivided amounts', 'sol'],
    ["the wallet's account holds the retained, owed and undivided amounts", 'token'],
  ] as const)('finds that %s no more', async (rule, asset) => {
    const { events, file, chain } = asset === 'sol' ? sol.runs : token.runs;
    const emptied = {
      ...chain,
      async accounts(...asked: Parameters<typeof chain.accounts>) {
        const accounts = await chain.accounts(...asked);
        return accounts.map(
          (account) => account && { ...account, data: Buffer.from(account.data).fill(0, 64, 72) },
        );
      },
    };
    const owing = inEvent('RunClosed', ({ carried }: { carried: Data }) => ({
      carried: { ...carried, owed: { sol: '5', token: '5' } },
    }));
    expect(rulesOf(await auditRunsIn({ ...owing({ events, file, chain }), chain: emptied }))).toContain(rule);
  });

  test('names a ledger file that is missing or changed, and audits the rest', async () => {
    const [first] = sol.runs.events.filter(({ type }) => type === 'RunAllotted');
    const sha256 = String(first?.data.ledger);
    for (const damaged of [undefined, Buffer.from('another file')]) {
      const { findings, unchecked } = await auditRunsIn({
        ...sol.runs,
        file: async (name) => (name === sha256 ? damaged : sol.runs.file(name)),
      });
      expect(findings).toMatchObject([
        { what: 'a ledger file has the content that the log names', event: { type: 'RunAllotted' } },
      ]);
      expect(unchecked).toHaveLength(1);
    }
  });

  test('does not execute runs by rules that it does not have, and compares them with the chain', async () => {
    const older = inEvent('RunOpened', () => ({ rules: 900 }), 0)(sol.runs);
    const { findings, unchecked } = await auditRunsIn(older);
    expect(findings).toEqual([]);
    expect(unchecked).toMatchObject([
      { why: 'this release does not include rules version 900; use the release that executed the run' },
    ]);
    const recorded = inEvent('LinksLanded', ({ lamports }: { lamports: string }) => ({
      lamports: plus(lamports, -1n),
    }))(older);
    expect(rulesOf(await auditRunsIn(recorded))).toContain(
      'a till is recorded with everything that its link left in it',
    );
  });

  test('proves nothing of the chain where the node does not have what it lists, or begins later', async () => {
    const { accounts, accountsAt, signaturesOf } = sol.runs.chain;
    const forgetful = {
      accounts,
      accountsAt,
      signaturesOf,
      transaction: async () => undefined,
    };
    expect((await auditRunsIn({ ...sol.runs, chain: forgetful })).unchecked).toHaveLength(1);
    const { findings, unchecked } = await auditRunsIn({ ...sol.runs, firstSlot: 2n ** 40n });
    expect(findings).toEqual([]);
    expect(unchecked[0]?.why).toMatch(/; the node stores transactions from slot \d+ on$/);
  });
});

describe('an audit of runs finds that the key of the wallet', () => {
  const thief = KEYRING.treasury.address;
  test.each([
    [
      'took kept tokens',
      (mint: string, tokens: string, tokensOfThief: string) =>
        taxedTransferInstruction({
          mint,
          decimals: 6,
          from: tokens,
          to: tokensOfThief,
          authority: WALLET.address,
          amount: 1n,
          fee: 1n,
        }),
    ],
    [
      'took withheld tax',
      (mint: string, _tokens: string, tokensOfThief: string) =>
        withdrawWithheldTax(mint, tokensOfThief, WALLET.address),
    ],
    [
      'took lamports of the till',
      (_mint: string, _tokens: string, _own: string, till: string) =>
        unwrapLamports({
          from: till,
          to: KEYRING.distributor.address,
          authority: WALLET.address,
          lamports: 1n,
        }),
    ],
  ])('%s', async (_what, theft) => {
    let stolen: string | undefined;
    const { findings } = await runEngine(5, {
      weather: CALM,
      assets: ['sol', 'token'],
      owners: [{ address: thief, tokens: 10n }],
      beforeAudit({ ledger, mint, tokensOf, till }) {
        const instruction = theft(mint, tokensOf(WALLET.address), tokensOf(thief), till);
        const { landed, error } = ledger.land(
          signed([instruction], [KEYRING.distributor, WALLET], ledger.at(ledger.slot()).blockhash),
        );
        stolen = landed && error === undefined ? 'landed' : error;
        ledger.finalizeUpTo(ledger.slot());
      },
    });
    expect(stolen).toBe('landed');
    expect(findings.map(({ what }) => what)).toContain(
      'the wallet signs only recorded links and collections of tax',
    );
  });
});
