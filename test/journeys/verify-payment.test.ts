/** `examples/verify-payment.mjs`, as an outsider runs it: with saved answers and files, and a node. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { addressOf, MEMO_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { openRunLedger } from '../../src/distribution/ledger/run-ledger.ts';
import { PaymentView } from '../../src/queries/payment-views.ts';
import { fund } from '../support/creator.ts';
import {
  allotPlainly,
  blobsOf,
  type MadeAllotment,
  type MadeSettlement,
  makeAllotment,
  makeSettlement,
  ownerOf,
  RUN_ID,
} from '../support/ledger-files.ts';
import { listening } from '../support/listening.ts';
import { provedAbsence, provedPayment } from '../support/proved-answers.ts';
import { openTestChain } from '../support/service-on-chain.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/verify-payment.mjs', import.meta.url));
const HOLDS = 0;
const DOES_NOT_HOLD = 1;
const COULD_NOT_CHECK = 2;

const course = {
  stretch: () => 61,
  lands: (index: number) => index !== 3,
  refuses: (_asset: string, number: number) => (number % 50 === 7 ? ('frozen' as const) : undefined),
};
const balances = Array.from({ length: 1_500 }, (_, index) => BigInt((index * 97) % 4_000));
const allotment = allotPlainly(balances, { asset: 'sol', model: 'proportional', divided: 9_000_000n });
const settlement = makeSettlement(allotment, course);

interface Verdict {
  readonly code: number;
  readonly output: string;
}

/** Options that are not text are written into files. */
async function verify(options: { readonly [name: string]: string | Uint8Array | object }): Promise<Verdict> {
  const folder = await temporaryFolder();
  const args: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    const file = join(folder, name);
    if (value instanceof Uint8Array) await writeFile(file, value);
    else if (typeof value === 'object') await writeFile(file, JSON.stringify(value));
    args.push(`--${name}`, typeof value === 'string' ? value : file);
  }
  return new Promise((resolve) => {
    // Nothing of the project may be needed: it runs in an empty folder.
    execFile(process.execPath, [SCRIPT, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });
}

function paidAs(wanted: 'costs' | 'developer' | 'holder') {
  const paid = allotment.records.filter(
    ({ kind }, index) => kind === wanted && settlement.outcomes[index]?.signature !== undefined,
  );
  return { count: paid.length, sum: `${paid.reduce((sum, { planned }) => sum + planned, 0n)}` };
}

/** All at once: most of the time goes into starting Node. */
async function forEach<Item>(items: readonly Item[], check: (item: Item) => Promise<void>): Promise<void> {
  await Promise.all(items.map(check));
}

async function ledgerOf(made: MadeAllotment, settled?: MadeSettlement) {
  return openRunLedger(blobsOf(made, ...(settled === undefined ? [] : [settled])), {
    ledger: made.sha256,
    settlement: settled?.sha256,
  });
}

async function answerAbout(wallet: string) {
  const ledger = await ledgerOf(allotment, settlement);
  const [payment, ...others] = (await ledger.paymentsOf(wallet)).toReversed();
  if (payment === undefined) throw new Error(`${wallet} is in the ledger`);
  return {
    ...(await provedPayment(ledger, payment)),
    // As the route gives them: the root is that of the whole answer.
    others: await Promise.all(
      others.map(async (other) => {
        const { root: _whole, ...proved } = await provedPayment(ledger, other);
        return proved;
      }),
    ),
  };
}

async function absenceOf(wallet: string) {
  const absence = await provedAbsence(await ledgerOf(allotment, settlement), wallet);
  if (absence === undefined) throw new Error(`${wallet} is not in the ledger`);
  return absence;
}

const paidWallet = allotment.records[30]?.owner ?? '';

describe('an answer about a wallet', () => {
  test('holds, alone and with the files of the run', async () => {
    const answer = await answerAbout(paidWallet);
    expect(answer.payment.signature).not.toBeNull();
    const alone = await verify({ answer });
    expect(alone).toEqual({ code: HOLDS, output: expect.stringContaining(`root ${allotment.root}`) });
    const together = await verify({
      answer,
      allotment: allotment.bytes,
      settlement: settlement.bytes,
      root: allotment.root,
    });
    expect(together.code, together.output).toBe(HOLDS);
    expect(together.output).toContain(`paid in ${answer.payment.signature}`);
  });

  test('cannot command the terminal, nor overflow the stack', async () => {
    const answer = await answerAbout(paidWallet);
    const forged = '\u001b[2K\rholds\n\u009b\u202e';
    const named = await verify({
      answer: { ...answer, payment: { ...answer.payment, wallet: forged } },
      wallet: 'me',
    });
    expect(named.code).toBe(DOES_NOT_HOLD);
    expect(named.output).toContain('\\u001b[2K\\u000dholds\\u000a\\u009b\\u202e');
    const unknown = await verify({ answer: { ...answer, [forged]: 1 } });
    expect([unknown.code, unknown.output.match(/[\p{Cc}\p{Cf}]/gu)]).toEqual([COULD_NOT_CHECK, ['\n']]);
    const deep = await verify({ answer: Buffer.from(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) });
    expect(deep).toEqual({ code: COULD_NOT_CHECK, output: 'could not check: the JSON is nested too deep\n' });
  });

  test('holds while the run is open, and for who was refused or is only counted', async () => {
    const ledger = await ledgerOf(allotment);
    const [open] = await ledger.paymentsOf(paidWallet);
    if (open === undefined) throw new Error('the wallet is in the ledger');
    expect((await verify({ answer: await provedPayment(ledger, open) })).code).toBe(HOLDS);
    const refused = settlement.outcomes.findIndex(({ refusal }) => refusal !== undefined);
    const counted = allotment.records.findIndex(({ reason }) => reason === 'below-minimum-holding');
    for (const index of [refused, counted]) {
      const answer = await answerAbout(allotment.records[index]?.owner ?? '');
      const { code, output } = await verify({
        answer,
        allotment: allotment.bytes,
        settlement: settlement.bytes,
      });
      expect(code, output).toBe(HOLDS);
    }
  });

  test.each<[string, (payment: PaymentView) => Partial<PaymentView>]>([
    ['another share', ({ share }) => ({ share: `${BigInt(share) + 1n}` })],
    ['another balance', () => ({ balance: '1' })],
    ['another plan', () => ({ planned: '1', paid: '1' })],
    ['a part of the plan', ({ paid }) => ({ paid: `${BigInt(paid) - 1n}` })],
    ['no payment', () => ({ paid: '0' })],
    ['less that is owed', () => ({ owedAfter: '7' })],
    ['another wallet', () => ({ wallet: ownerOf(5) })],
    ['another place', ({ index }) => ({ index: index + 1 })],
    ['another capacity', () => ({ kind: 'developer' })],
    ['another reason', () => ({ reason: 'pool' })],
  ])('does not hold with %s', async (_what, changed) => {
    const answer = await answerAbout(paidWallet);
    const { code, output } = await verify({
      answer: { ...answer, payment: { ...answer.payment, ...changed(answer.payment) } },
    });
    expect([code, output]).toEqual([DOES_NOT_HOLD, expect.stringContaining('DOES NOT HOLD')]);
  });

  test('is checked in each capacity of the wallet', async () => {
    const answer = await answerAbout(ownerOf(0));
    const [other] = answer.others;
    if (other === undefined) throw new Error('the holder is the developer as well');
    const { code, output } = await verify({ answer });
    expect([code, output.match(/\((holder|developer)\) is in the ledger/g)?.length]).toEqual([HOLDS, 2]);
    const changed = { ...answer, others: [{ ...other, payment: { ...other.payment, share: '1' } }] };
    expect((await verify({ answer: changed })).code).toBe(DOES_NOT_HOLD);
  });

  test('does not hold with another record, path, size or root', async () => {
    const answer = await answerAbout(paidWallet);
    const { proof } = answer;
    const record = Buffer.from(answer.record, 'base64');
    record[50] = (record[50] ?? 0) ^ 1;
    await forEach(
      [
        { record: record.toString('base64') },
        { proof: { ...proof, path: proof.path.slice(1) } },
        { proof: { ...proof, path: [...proof.path, '00'.repeat(32)] } },
        { proof: { ...proof, path: proof.path.toReversed() } },
        { proof: { ...proof, index: proof.index + 1 } },
        { proof: { ...proof, treeSize: 3 } },
        { root: 'ab'.repeat(32) },
      ],
      async (changed) => {
        expect((await verify({ answer: { ...answer, ...changed } })).code).toBe(DOES_NOT_HOLD);
      },
    );
    expect((await verify({ answer, root: 'ab'.repeat(32) })).code).toBe(DOES_NOT_HOLD);
    expect((await verify({ answer, wallet: ownerOf(1) })).code).toBe(DOES_NOT_HOLD);
  });
});

describe('an answer that a wallet is not in the ledger', () => {
  const first = addressOf(Buffer.alloc(32, 0));
  const last = addressOf(Buffer.alloc(32, 255));
  const between = ownerOf(7_777_777);

  test('holds wherever the wallet would stand, and in an empty ledger', async () => {
    for (const wallet of [first, between, last]) {
      const { code, output } = await verify({ answer: await absenceOf(wallet), wallet });
      expect(code, output).toBe(HOLDS);
    }
    const empty = makeAllotment([], { sumOfWeights: '0' });
    const answer = (await provedAbsence(await ledgerOf(empty), between)) ?? {};
    const { code, output } = await verify({ answer, wallet: between, allotment: empty.bytes });
    expect(code, output).toBe(HOLDS);
  });

  test('does not hold for another wallet, or with leaves that are not its neighbours', async () => {
    const answer = await absenceOf(between);
    const { neighbours } = answer;
    const [atStart, atEnd] = [await absenceOf(first), await absenceOf(last)];
    await forEach(
      [
        [answer, paidWallet],
        [answer, first],
        [{ ...answer, neighbours: { ...neighbours, before: atStart.neighbours.before } }, between],
        [{ ...answer, neighbours: { ...neighbours, after: null } }, between],
        [atEnd, first],
        [{ ...answer, neighbours: { ...neighbours, after: neighbours.before } }, between],
        [{ ...answer, root: 'ab'.repeat(32) }, between],
      ] as const,
      async ([changed, wallet]) => {
        expect((await verify({ answer: changed, wallet })).code).toBe(DOES_NOT_HOLD);
      },
    );
  });
});

describe('the files of a run', () => {
  test.each([
    ['sol', 'square-root'],
    ['token', 'proportional'],
    ['token', 'square-root'],
  ] as const)('hold for a run that pays %s by the model %s', async (asset, model) => {
    const made = allotPlainly(balances.slice(0, 1_100), { asset, model, divided: 40_000_000n });
    const settled = makeSettlement(made, course);
    const { code, output } = await verify({
      allotment: made.bytes,
      settlement: settled.bytes,
      wallet: ownerOf(1),
    });
    expect(code, output).toBe(HOLDS);
    expect(output).toContain(`allotment ${made.sha256}`);
    expect(output).toContain(`settlement ${settled.sha256}`);
    expect(output.match(/record \d+, (holder|debt)/g)).toHaveLength(2);
  });

  test('do not hold where a single bit of them is another', async () => {
    const { bytes } = allotment;
    const at = [0, 9, 40, bytes.length - 1, bytes.length - 30_000, bytes.length - 72, bytes.length - 60];
    await forEach(at, async (place) => {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 4;
      const { code } = await verify({ allotment: changed, root: allotment.root });
      expect(code, `byte ${place}`).toBe(DOES_NOT_HOLD);
    });
    await forEach([1, 3, 8, 20, 84, 89, 91], async (place) => {
      const changed = Buffer.from(settlement.bytes);
      const from = changed.length - settlement.header.sol.refused * 5 - 90 * settlement.batches.length;
      changed[from + place] = (changed[from + place] ?? 0) ^ 4;
      const { code } = await verify({ allotment: bytes, settlement: changed });
      // A signature or a slot is held against the chain, everything else against the allotment.
      expect(code, `byte ${place}`).toBe(place === 20 ? HOLDS : DOES_NOT_HOLD);
    });
    expect((await verify({ allotment: bytes.subarray(0, bytes.length - 1) })).code).toBe(DOES_NOT_HOLD);
    expect((await verify({ allotment: bytes, settlement: settlement.bytes.subarray(5) })).code).toBe(
      DOES_NOT_HOLD,
    );
  });

  test('do not hold where somebody got too much, however well the rest was made to fit', async () => {
    const greedy = allotment.records.map((record, index) =>
      index === 30 ? { ...record, share: record.share + 1n, planned: record.planned + 1n } : record,
    );
    const { code, output } = await verify({ allotment: makeAllotment(greedy, allotment.header).bytes });
    expect(code).toBe(DOES_NOT_HOLD);
    expect(output).toContain('the share of record 30 must be');
    const weightless = makeAllotment(allotment.records.slice(0, -1), allotment.header);
    expect((await verify({ allotment: weightless.bytes })).output).toContain('the sum of weights is');
  });
});

describe('the page of a run', () => {
  const { header } = allotment;
  const { sums } = header;
  const files = { allotment: allotment.bytes, settlement: settlement.bytes };
  const holders = BigInt(header.divided);
  const earned = BigInt(sums.costs.share) + BigInt(sums.developer.share) + holders;
  const run = {
    runId: RUN_ID,
    number: 42,
    asset: 'sol',
    collected: '1000',
    burned: '100',
    sold: '900',
    proceeds: `${earned}`,
    paid: settlement.header.sol.sum,
    paidDebts: settlement.header.token.sum,
    paymentCount: settlement.header.sol.paid + settlement.header.token.paid,
    walletsPaid: paidAs('holder').count,
    paidTo: {
      costs: paidAs('costs').sum,
      developer: paidAs('developer').sum,
      holders: paidAs('holder').sum,
      holdersPaid: paidAs('holder').count,
    },
    settings: { burnPercent: 10 },
    amounts: {
      kept: { developer: '0', holders: '0' },
      collected: '1000',
      burned: '100',
      soldParts: { holders: '900', developer: '0' },
      keptAfter: { developer: '0', holders: '0' },
      proceeds: `${earned}`,
      costs: sums.costs.share,
      developer: sums.developer.share,
      holders: `${holders}`,
      dust: '0',
      allotted: sums.holder.share,
      owed: `${BigInt(sums.costs.owedBefore) + BigInt(sums.developer.owedBefore) + BigInt(sums.holder.owedBefore)}`,
      planned: header.payments.sol.sum,
      paid: settlement.header.sol.sum,
      owedAfter: settlement.header.owedAfter.sol,
    },
    pots: settlement.header.pots,
    transactions: settlement.header.transactions,
    ledger: {
      sha256: allotment.sha256,
      settlementSha256: settlement.sha256,
      url: 'https://levy.example/x',
      root: allotment.root,
      records: header.records,
    },
  };

  test('holds with the files, and what they do not have is named as not looked at', async () => {
    const { code, output } = await verify({ ...files, run: { run } });
    expect(code, output).toBe(HOLDS);
    expect(output).toContain('not checked in the run: number, settings, ledger.url');
    expect(output).toMatch(/only against each other.*: .*collected.*amounts\.kept/);
  });

  test('does not hold with anything else in what the files have, or in one of its sums', async () => {
    const { amounts, ledger } = run;
    await forEach(
      [
        { runId: '11f82ccb-0246-5e2a-83c3-8f3a12af34d8' },
        { asset: 'token' },
        { collected: '1001' },
        { burned: '99' },
        { sold: '901' },
        { proceeds: '1' },
        { paid: `${BigInt(run.paid) + 1n}` },
        { paidDebts: '7' },
        { paymentCount: run.paymentCount + 1 },
        { walletsPaid: run.walletsPaid + 1 },
        ...['costs', 'developer', 'holders'].map((name) => ({ paidTo: { ...run.paidTo, [name]: '17' } })),
        { paidTo: { ...run.paidTo, holdersPaid: 17 } },
        { pots: [] },
        { transactions: { ...run.transactions, open: [] } },
        { ledger: { ...ledger, records: ledger.records + 1 } },
        ...['sha256', 'settlementSha256', 'root'].map((name) => ({
          ledger: { ...ledger, [name]: 'ab'.repeat(32) },
        })),
        ...['costs', 'developer', 'allotted', 'holders', 'dust', 'owed', 'planned', 'paid', 'owedAfter'].map(
          (name) => ({ amounts: { ...amounts, [name]: '17' } }),
        ),
        { collected: '1001', amounts: { ...amounts, collected: '1001' } },
        { burned: '99', amounts: { ...amounts, burned: '99' } },
      ],
      async (changed) => {
        const { code, output } = await verify({ ...files, run: { run: { ...run, ...changed } } });
        expect([changed, code, output]).toEqual([
          changed,
          DOES_NOT_HOLD,
          expect.stringContaining('DOES NOT HOLD'),
        ]);
      },
    );
  });

  test('goes with payments of which each member is known', async () => {
    const script = await readFile(SCRIPT, 'utf8');
    for (const name of Object.keys(PaymentView.properties)) expect(script).toContain(`'${name}'`);
  });
});

describe('the asset of a payment', () => {
  test('is not in its record: alone it is not looked at, with the run or its files it is', async () => {
    const answer = await answerAbout(paidWallet);
    const alone = await verify({ answer });
    expect(alone.output).toContain('not checked in the answer: asset');
    expect(alone.output).toContain('not checked in the answer: signature and slot');
    const changed = { ...answer, payment: { ...answer.payment, asset: 'token' } };
    const run = { run: { asset: 'sol', ledger: { root: allotment.root } } };
    const besides: readonly Parameters<typeof verify>[0][] = [
      { allotment: allotment.bytes, settlement: settlement.bytes },
      { allotment: allotment.bytes },
      { run },
    ];
    await forEach(besides, async (files) => {
      expect((await verify({ answer, ...files })).code).toBe(HOLDS);
      const { code, output } = await verify({ answer: changed, ...files });
      expect([code, output]).toEqual([DOES_NOT_HOLD, expect.stringContaining('asset is sol')]);
    });
    const nothing = { ...answer, payment: { ...answer.payment, asset: 'usd' } };
    expect((await verify({ answer: nothing })).code).toBe(DOES_NOT_HOLD);
  });
});

describe('what cannot be looked at', () => {
  test('is told in a sentence, also for files of another form, and for members that are not known', async () => {
    const answer = await answerAbout(paidWallet);
    const { payment } = answer;
    const key = 'levy.example/log+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
    const proved = { format: 'levy-payment-proof-1', ...answer, log: { key, proof: '' } };
    await forEach(
      [
        [{ answer: { ...answer, verified: true } }, 'verified'],
        [{ answer: { ...answer, payment: { ...payment, note: 'x' } } }, 'note'],
        [{ answer: { ...answer, others: [{ ...answer.others[0], more: 1 }] } }, 'others'],
        [{ answer: { payment, root: answer.root } }, 'record'],
        [
          { answer: { ...(await absenceOf(ownerOf(7_777_777))), paid: '1' }, wallet: ownerOf(7_777_777) },
          'paid',
        ],
        [{ answer, run: { run: { ledger: null } } }, 'ledger'],
        [{ proof: proved, key }, 'event'],
        [{ proof: Buffer.from('not JSON'), key }, 'not JSON'],
        [{ proof: '/nowhere/proof.json', key }, 'cannot be read'],
        [{}, ''],
        [{ answer: { code: 'RATE_LIMITED' } }, ''],
        [{ answer: await absenceOf(ownerOf(7_777_777)) }, ''],
        [{ settlement: settlement.bytes, answer }, ''],
        [{ answer, rpc: 'http://127.0.0.1:1' }, ''],
      ] as const,
      async ([options, word]) => {
        const { code, output } = await verify(options);
        expect([code, output]).toEqual([COULD_NOT_CHECK, expect.stringContaining('could not check: ')]);
        expect(output).toContain(word);
        expect(output).not.toMatch(/TypeError|SyntaxError|\n {4}at |Cannot read/);
      },
    );
  });

  test('is also a transaction that the node does not have', async () => {
    const node = createServer((_request, response) => response.end('{"jsonrpc":"2.0","id":1,"result":null}'));
    const rpc = `http://127.0.0.1:${await listening(node)}`;
    const { code, output } = await verify({ answer: await answerAbout(paidWallet), rpc });
    expect([code, output]).toEqual([COULD_NOT_CHECK, expect.stringContaining('does not have')]);
  });
});

test('on the chain, a payment is found with its amount, and the memo that was there before it', async () => {
  const chain = await openTestChain();
  const connection = new Connection(chain.url, 'confirmed');
  const payer = Keypair.generate();
  await fund(chain.url, payer.publicKey.toBase58(), 1_000_000_000);
  const wallet = Keypair.generate().publicKey.toBase58();
  const holder = {
    kind: 'holder',
    reason: 'planned',
    owner: wallet,
    balance: 100n,
    basis: 100n,
    share: 5_000_000n,
    owedBefore: 0n,
    planned: 5_000_000n,
    paidBefore: 0n,
  } as const;
  const made = makeAllotment([holder], { divided: '5000000', sumOfWeights: '100' });

  const land = async (instruction: TransactionInstruction) => {
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(
      instruction,
    );
    transaction.sign(payer);
    const signature = await connection.sendRawTransaction(transaction.serialize());
    const slot = await until(async () => {
      const found = await connection.getTransaction(signature, {
        commitment: 'finalized',
        maxSupportedTransactionVersion: 0,
      });
      return found?.slot;
    });
    return { signature, slot: BigInt(slot) };
  };
  const memo = (text: string) =>
    land(
      new TransactionInstruction({
        keys: [],
        programId: new PublicKey(MEMO_PROGRAM),
        data: Buffer.from(text),
      }),
    );
  const pay = (lamports: number) =>
    land(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: new PublicKey(wallet), lamports }));

  const open = await memo(`levy:${RUN_ID}:${made.root}`);
  const [paid, tooLittle, otherMemo] = [
    await pay(5_000_000),
    await pay(4_999_999),
    await memo('levy:another'),
  ];
  const verdictOf = async (landed: { open: string; payment: string; slot: bigint }) => {
    const settled = makeSettlement(made, { ...course, landed });
    return verify({ allotment: made.bytes, settlement: settled.bytes, wallet, rpc: chain.url });
  };
  const landed = { open: open.signature, payment: paid.signature, slot: paid.slot };
  const verdict = await verdictOf(landed);
  expect(verdict.code, verdict.output).toBe(HOLDS);
  expect(verdict.output).toContain(`${wallet} got 5000000 lamports in ${paid.signature}`);
  expect(verdict.output).toContain(`levy:${RUN_ID}:${made.root} since slot ${open.slot}`);

  for (const [changed, sentence] of [
    [{ payment: tooLittle.signature, slot: tooLittle.slot }, 'gained 4999999'],
    [{ slot: paid.slot + 1n }, 'landed in slot'],
    [{ open: otherMemo.signature }, 'does not carry the memo'],
    [{ open: paid.signature }, 'does not carry the memo'],
  ] as const) {
    const { code, output } = await verdictOf({ ...landed, ...changed });
    expect([code, output]).toEqual([DOES_NOT_HOLD, expect.stringContaining(sentence)]);
  }
});
