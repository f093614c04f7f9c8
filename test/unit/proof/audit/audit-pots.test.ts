// The pots of a run as a chain shows them, with one thing about them spoiled at a time.
import { associatedTokenAddress, NATIVE_MINT, SYSTEM_PROGRAM, TOKEN_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createPotsAudit } from '../../../../src/proof/audit/audit-pots.ts';
import type { Action } from '../../../../src/proof/audit/decode-actions.ts';
import { createFindings, type Finding } from '../../../../src/proof/audit/finding.ts';
import type { BookedBatch, BookedPot, RunBooks } from '../../../../src/proof/audit/run-books.ts';
import { ownerOf } from '../../../support/ledger-files.ts';
import { historyOf, type Landed, tokenAccountOf } from '../../../support/past-transactions.ts';

const [MINT, WALLET, DISTRIBUTOR, POT, KEY, ONE, OTHER, STRANGER] = [1, 2, 3, 4, 5, 6, 7, 8].map(ownerOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

const move = (from: string, to: string, amount: bigint, authority = KEY): Action => ({
  kind: 'move',
  from,
  to,
  authority,
  amount,
  fee: undefined,
});
const approve = (account: string, amount: bigint, delegate = KEY): Action => ({
  kind: 'approve',
  account,
  delegate,
  authority: WALLET,
  amount,
});
const by = (signature: string, signers: readonly string[], ...actions: readonly Action[]): Landed => ({
  signature,
  signers,
  actions,
});

interface Case {
  readonly pot: BookedPot;
  readonly chain: readonly Landed[];
  readonly accounts: ReadonlyMap<string, ReturnType<typeof tokenAccountOf>>;
  readonly batches: readonly BookedBatch[];
}

async function found(...asked: Parameters<typeof findingsOf>): Promise<readonly string[]> {
  return (await findingsOf(...asked)).map(({ what }) => what.replace('run 1: ', ''));
}

async function findingsOf(seen: Case, records: RunBooks['records'] = RECORDS): Promise<readonly Finding[]> {
  const { pot, chain, accounts, batches } = seen;
  const run: RunBooks = {
    runId: '1',
    asset: pot.asset,
    amounts: undefined,
    pots: [pot],
    batches,
    records,
  };
  const findings = createFindings();
  await createPotsAudit(tokenWith([run]), historyOf(chain, accounts), findings)(run);
  return findings.list;
}

const tokenWith = (runs: readonly RunBooks[]) => ({
  mint: MINT,
  wallet: WALLET,
  distributor: DISTRIBUTOR,
  marker: '',
  runs,
  links: [],
  inTill: 0n,
  inAccount: 0n,
});

const record = (owner: string, planned: bigint): RunBooks['records'][number] => ({
  kind: 'holder',
  owner,
  share: planned,
  owedBefore: 0n,
  planned,
  paidBefore: 0n,
});
const RECORDS = [record(ONE, 200n), record(OTHER, 100n)];
const BATCH: BookedBatch = {
  pot: POT,
  signature: 'payment',
  payments: [
    { record: 0, amount: 200n },
    { record: 1, amount: 100n },
  ],
};

describe('a pot of SOL', () => {
  const made: Action = { kind: 'initialize', account: POT, owner: WALLET };
  const opening = by('opening', [DISTRIBUTOR, WALLET], made, approve(POT, 500n));
  const unwrap = (to: string, amount: bigint): Action => ({
    kind: 'unwrap',
    from: POT,
    to,
    authority: KEY,
    amount,
  });
  const payment = by('payment', [KEY], move(POT, POT, 500n), unwrap(ONE, 200n), unwrap(OTHER, 100n));
  const closingWith = (meter: bigint) =>
    by('closing', [DISTRIBUTOR, WALLET, KEY], move(POT, POT, meter), {
      kind: 'close',
      account: POT,
      to: STRANGER,
      authority: WALLET,
    });
  const holds = (delegated: bigint, address = KEY) =>
    new Map([
      [
        POT,
        tokenAccountOf({
          mint: NATIVE_MINT,
          owner: WALLET,
          amount: delegated,
          delegate: { address, amount: delegated },
        }),
      ],
    ]);
  const touched = (signer: string, program: string) =>
    by('touched', [signer], { kind: 'other', program, accounts: [STRANGER, POT] });

  const OPEN: Case = {
    pot: { asset: 'sol', address: POT, delegate: KEY, allowance: 500n },
    chain: [opening, payment],
    accounts: holds(200n),
    batches: [BATCH],
  };
  const CLOSED: Case = { ...OPEN, chain: [opening, payment, closingWith(200n)], accounts: new Map() };

  test('is right while it is open, and when it is closed', async () => {
    expect(await found(OPEN)).toEqual([]);
    expect(await found(CLOSED)).toEqual([]);
  });

  test('may be named by a stranger, and is made by the system program', async () => {
    const chain = [...OPEN.chain, touched(STRANGER, TOKEN_PROGRAM), touched(WALLET, SYSTEM_PROGRAM)];
    expect(await found({ ...OPEN, chain })).toEqual([]);
  });

  test('may have been tried by transactions that failed', async () => {
    const failed = { ...by('failed', [KEY], unwrap(STRANGER, 500n)), failed: true };
    expect(await found({ ...OPEN, chain: [...OPEN.chain, failed] })).toEqual([]);
  });

  test.each<[string, Case, readonly string[]]>([
    [
      "an instruction of another program that the run's key signed",
      { ...OPEN, chain: [...OPEN.chain, touched(KEY, STRANGER)] },
      ['nothing but payments and closings touches a pot'],
    ],
    [
      'an unknown instruction of the token program that the wallet signed',
      { ...OPEN, chain: [...OPEN.chain, touched(WALLET, TOKEN_PROGRAM)] },
      ['nothing but payments and closings touches a pot'],
    ],
    [
      'a meter that shows less while it is open',
      { ...OPEN, accounts: holds(199n) },
      ['what is paid is the allowance less the meter'],
    ],
    [
      'a meter that shows more while it is open',
      { ...OPEN, accounts: holds(201n) },
      ['what is paid is the allowance less the meter'],
    ],
    [
      'a meter that shows less at the close',
      { ...CLOSED, chain: [opening, payment, closingWith(199n)] },
      ['what is paid is the allowance less the meter at the close'],
    ],
    [
      'more paid than it may',
      {
        ...OPEN,
        pot: { ...OPEN.pot, allowance: 299n },
        chain: [by('opening', [WALLET], made, approve(POT, 299n)), payment],
        accounts: new Map(),
      },
      ['a pot pays no more than it may'],
    ],
    [
      'another allowance',
      { ...OPEN, chain: [by('opening', [WALLET], made, approve(POT, 501n)), payment] },
      ['a pot may pay what the ledger says'],
    ],
    [
      'payments that nobody was approved for, whatever the meter shows',
      { ...OPEN, chain: [payment], accounts: holds(100n) },
      ['a delegate is approved once for one account'],
    ],
    [
      'a delegate that was approved again',
      { ...OPEN, chain: [opening, by('again', [WALLET], approve(POT, 0n)), payment] },
      ['a delegate is approved once for one account'],
    ],
    [
      'somebody else who was approved',
      { ...OPEN, chain: [opening, payment, by('foreign', [WALLET], approve(POT, 9n, STRANGER))] },
      ['nobody else may pay from a pot of SOL'],
    ],
    [
      'somebody else who may pay from it now, whatever the node shows of how',
      { ...OPEN, accounts: holds(200n, STRANGER) },
      ['nobody else may pay from a pot of SOL'],
    ],
    [
      'what somebody else took out of it',
      { ...OPEN, chain: [opening, payment, by('taken', [STRANGER], move(POT, STRANGER, 9n, STRANGER))] },
      ['every payment on the chain is in the ledger', 'what is paid is the allowance less the meter'],
    ],
    [
      'a payment that the ledger leaves out',
      { ...OPEN, batches: [] },
      ['every payment on the chain is in the ledger'],
    ],
    [
      'a payment that is not on the chain',
      { ...OPEN, chain: [opening], accounts: holds(500n) },
      ['every payment of the ledger is on the chain'],
    ],
    [
      'a batch of another pot',
      { ...OPEN, batches: [BATCH, { pot: STRANGER, signature: 'other', payments: [] }] },
      ['every batch is paid by a pot of the run'],
    ],
    [
      'a payment to somebody else',
      {
        ...OPEN,
        chain: [opening, by('payment', [KEY], unwrap(ONE, 200n), unwrap(STRANGER, 100n))],
      },
      ["a payment is the ledger's"],
    ],
  ])('is found with %s', async (_what, seen, rules) => {
    expect(await found(seen)).toEqual(rules);
  });

  test('is found with two batches that pay one record', async () => {
    const again: BookedBatch = { pot: POT, signature: 'again', payments: [{ record: 1, amount: 100n }] };
    const chain = [opening, payment, by('again', [KEY], unwrap(OTHER, 100n))];
    const seen = { ...OPEN, chain, accounts: holds(100n), batches: [BATCH, again] };
    expect(await found(seen)).toEqual(['each is paid by one batch at most in one capacity']);
  });

  test('is found with an approval that no allowance of the ledger is for', async () => {
    const twice = [opening, by('again', [WALLET], approve(POT, 1n)), payment];
    expect(await found({ ...OPEN, chain: twice })).toEqual([
      'a pot may pay what the ledger says',
      'a delegate is approved once for one account',
    ]);
  });

  test('may be closed for whatever its guard says, and for all of it without one', async () => {
    const bare = by('closing', [WALLET], { kind: 'close', account: POT, to: STRANGER, authority: WALLET });
    const elsewhere = by('closing', [WALLET], move(STRANGER, POT, 1n, STRANGER), {
      kind: 'close',
      account: STRANGER,
      to: STRANGER,
      authority: WALLET,
    });
    expect(await found({ ...CLOSED, chain: [opening, payment, bare] })).toEqual([
      'what is paid is the allowance less the meter at the close',
    ]);
    expect(await found({ ...CLOSED, chain: [opening, payment, elsewhere] })).toEqual([]);
  });

  test('tells of the chain and the ledger what each has, and where', async () => {
    const list = await findingsOf({ ...OPEN, batches: [] });
    expect(list).toEqual([
      {
        what: 'run 1: every payment on the chain is in the ledger',
        expected: 'no payment',
        found: `200 to ${ONE}, 100 to ${OTHER}`,
        account: POT,
        signature: 'payment',
      },
    ]);
    const again: BookedBatch = { pot: POT, signature: 'again', payments: [{ record: 1, amount: 100n }] };
    expect(await findingsOf({ ...OPEN, batches: [BATCH, again] })).toEqual([
      {
        what: 'run 1: each is paid by one batch at most in one capacity',
        expected: 'payment',
        found: 'again',
        account: OTHER,
        signature: 'again',
      },
      {
        what: 'run 1: every payment of the ledger is on the chain',
        expected: 'a transaction of the pot',
        found: 'none',
        account: POT,
        signature: 'again',
      },
    ]);
  });

  test('is found with the first of two batches that pay one record, whatever others pay', async () => {
    const batches: readonly BookedBatch[] = ['first', 'second', 'third'].map((signature, index) => ({
      pot: POT,
      signature,
      payments: [{ record: index === 0 ? 0 : 1, amount: index === 0 ? 200n : 100n }],
    }));
    const chain = [opening, ...batches.map(({ signature }) => by(signature, [KEY]))];
    const list = await findingsOf({ ...OPEN, chain, accounts: new Map(), batches });
    expect(list.find(({ what }) => what.includes('each is paid by one batch'))).toMatchObject({
      expected: 'second',
      found: 'third',
    });
  });

  test('is found with a payment for a record that the ledger does not have', async () => {
    const list = await findingsOf(OPEN, RECORDS.slice(0, 1));
    const place = { signature: 'payment' };
    expect(list).toEqual([
      { what: 'run 1: a payment is what was planned', expected: '0', found: '100', ...place },
      {
        what: "run 1: a payment is the ledger's",
        expected: '100 to ',
        found: `100 to ${OTHER}`,
        account: POT,
        ...place,
      },
    ]);
  });

  test('that was announced and never made has nothing to be found', async () => {
    expect(await found({ ...OPEN, chain: [], accounts: new Map(), batches: [] })).toEqual([]);
  });

  test('pays an address, whatever lies there', async () => {
    const accounts = new Map(OPEN.accounts).set(
      ONE,
      tokenAccountOf({ mint: MINT, owner: STRANGER, amount: 1n }),
    );
    expect(await found({ ...OPEN, accounts })).toEqual([]);
  });

  test('that two runs name is audited with the second, by the payments and allowances of both', async () => {
    const { pot } = OPEN;
    const later: BookedBatch = { pot: POT, signature: 'later', payments: [{ record: 1, amount: 100n }] };
    const run = (runId: string, batches: readonly BookedBatch[]): RunBooks => ({
      runId,
      asset: 'sol',
      amounts: undefined,
      pots: [pot],
      batches,
      records: RECORDS,
    });
    const runs = [run('1', [BATCH]), run('2', [later])];
    const chain = [
      opening,
      payment,
      by('again', [WALLET], approve(POT, 500n)),
      by('later', [KEY], unwrap(OTHER, 100n)),
    ];
    const findings = createFindings();
    const audit = createPotsAudit(tokenWith(runs), historyOf(chain), findings);
    for (const each of runs) await audit(each);
    expect(findings.list).toEqual([
      {
        what: 'run 2: a delegate is approved once for one account',
        expected: '1',
        found: '2',
        account: POT,
      },
    ]);
  });

  test('is found with a payment that was not planned', async () => {
    expect(await found(OPEN, [record(ONE, 200n), record(OTHER, 99n)])).toEqual([
      'a payment is what was planned',
    ]);
  });
});

describe('a pot of the token', () => {
  const account = (owner: string) => associatedTokenAddress(owner, MINT);
  const opening = by('opening', [DISTRIBUTOR, WALLET], approve(POT, 500n));
  const payment = {
    ...by('payment', [DISTRIBUTOR, KEY], move(POT, account(ONE), 200n), move(POT, account(OTHER), 100n)),
  };
  const closing = by('closing', [DISTRIBUTOR, KEY, WALLET], move(POT, POT, 200n), {
    kind: 'revoke',
    account: POT,
    authority: WALLET,
  });
  const CLOSED: Case = {
    pot: { asset: 'token', address: POT, delegate: KEY, allowance: 500n },
    chain: [opening, payment, closing],
    accounts: new Map(),
    batches: [BATCH],
  };

  test("is right when its run's key paid what the ledger says", async () => {
    expect(await found(CLOSED)).toEqual([]);
  });

  test('may be approved for the key of another run, and its key for another account', async () => {
    const others: readonly Action[] = [
      { kind: 'approve', account: POT, delegate: STRANGER, authority: WALLET, amount: 7n },
      approve(STRANGER, 7n),
    ];
    const chain = [{ ...opening, actions: [...others, ...opening.actions] }, payment, closing];
    const held = { address: STRANGER, amount: 7n };
    const accounts = new Map([
      [POT, tokenAccountOf({ mint: MINT, owner: WALLET, amount: 50n, delegate: held })],
    ]);
    expect(await found({ ...CLOSED, chain, accounts })).toEqual([]);
  });

  test("may be paid into an account of the recipient that is not the standard one, and into nobody else's", async () => {
    const chain = [
      opening,
      { ...payment, actions: [move(POT, account(ONE), 200n), move(POT, STRANGER, 100n)] },
      closing,
    ];
    const paidTo = async (accounts: Case['accounts']) =>
      (await findingsOf({ ...CLOSED, chain, accounts })).map(({ expected, found }) => [expected, found]);
    const owned = (owner: string) =>
      new Map([[STRANGER, tokenAccountOf({ mint: MINT, owner, amount: 100n })]]);
    expect(await paidTo(owned(OTHER))).toEqual([]);
    expect(await paidTo(owned(ONE))).toEqual([[`100 to ${OTHER}`, `100 to ${ONE}`]]);
    expect(await paidTo(new Map())).toEqual([[`100 to ${OTHER}`, `100 to ${STRANGER}`]]);
  });

  test('may be moved from by the wallet, which sells', async () => {
    const sale = by('sale', [WALLET, KEY], move(POT, STRANGER, 70n, WALLET));
    expect(await found({ ...CLOSED, chain: [opening, sale, payment, closing] })).toEqual([]);
  });

  test.each<[string, readonly Landed[], readonly string[]]>([
    [
      'a meter that shows another sum',
      [opening, { ...payment, actions: payment.actions.slice(0, 1) }, closing],
      [
        'a batch pays as many as the ledger says',
        'what is paid is the allowance less the meter at the close',
      ],
    ],
  ])('is found with %s', async (_what, chain, rules) => {
    expect(await found({ ...CLOSED, chain })).toEqual(rules);
  });

  test('is paid from by the distributor, who may pay others as well, in the books of earlier runs', async () => {
    const delegate = DISTRIBUTOR;
    const chain = [
      by('opening', [WALLET], { kind: 'approve', account: POT, delegate, authority: WALLET, amount: 500n }),
      by('elsewhere', [DISTRIBUTOR], { kind: 'lamports', from: DISTRIBUTOR, to: STRANGER, amount: 5n }),
    ];
    expect(await found({ ...CLOSED, pot: { ...CLOSED.pot, delegate }, chain, batches: [] })).toEqual([]);
  });
});
