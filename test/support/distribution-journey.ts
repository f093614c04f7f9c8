/** A token with many holders and withheld tax on a service that runs as a process: asks for runs, and checks them on the chain. */
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  unpackAccount,
} from '@solana/spl-token';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { expect } from 'vitest';
import type { PaidTo, RunAmounts } from '../../src/streams/run-amounts.ts';
import { type Client, createClient } from './client.ts';
import { type Creator, fund, openCreator, type Running, type TokenInput } from './creator.ts';
import { eventually, Hopeless } from './eventually.ts';
import { findingsIn } from './full-audit.ts';
import { OPERATOR_KEY } from './operator.ts';
import type { Environment } from './service.ts';

export const DISTRIBUTION_ENVIRONMENT: Environment = {
  PUBLIC_URL: 'http://levy.example',
  LOCAL_CHAIN_SLOT_MS: '25',
  NONCE_ACCOUNTS_MIN: '1',
};

const DECIMALS = 6;
/** Maximum that fits into one transaction together with their accounts. */
const RECIPIENTS = 9;
const ACCOUNTS_PER_READ = 100;

export interface Payment {
  readonly index: number;
  readonly kind: 'costs' | 'developer' | 'holder' | 'debt';
  readonly asset: 'sol' | 'token';
  readonly wallet: string;
  readonly balance: string;
  readonly share: string;
  readonly owedBefore: string;
  readonly planned: string;
  readonly paid: string;
  readonly owedAfter: string;
  readonly reason: string;
  readonly signature: string | null;
}

/** Response of `GET /distribution/:tokenId/runs/:runId` for a closed run. */
interface PublicRun {
  readonly asset: 'sol' | 'token';
  readonly amounts: Omit<RunAmounts, 'sold' | 'shares'> & {
    readonly soldParts: RunAmounts['sold'];
    readonly allotted: string;
  };
  readonly paidDebts: string;
  readonly paidTo: PaidTo;
  readonly transactions: {
    readonly [Step in 'begin' | 'withdraw' | 'split' | 'open' | 'close']: readonly string[];
  };
  readonly pots: readonly {
    readonly asset: 'sol' | 'token';
    readonly address: string;
    readonly allowance: string;
    readonly left: string;
  }[];
  readonly ledger: { readonly sha256: string; readonly settlementSha256: string; readonly root: string };
}

type Parts = PublicRun['amounts']['kept'];

interface RunCard {
  readonly runId: string;
  readonly number: number;
  readonly status: 'open' | 'completed' | 'halted';
}

/** All amounts are known, since the run is closed. */
export interface ClosedRun extends RunCard, PublicRun {
  readonly paymentCount: number;
  readonly walletsPaid: number | null;
  readonly settings: { readonly [name: string]: unknown };
}

/** It may be paid from now on. */
type AnnouncedRun = Pick<ClosedRun, 'runId' | 'number' | 'status' | 'settings' | 'transactions'> & {
  readonly ledger: { readonly sha256: string; readonly settlementSha256: null };
};

interface TaxPage {
  readonly openRunId: string | null;
  readonly waitingFor: { readonly code: string; readonly detail: string };
}

export interface DistributionJourney {
  readonly tokenId: string;
  readonly mint: string;
  readonly creator: Creator;
  /** Wallets that hold the token and no SOL but what runs pay them. */
  readonly holders: readonly Keypair[];
  readonly developer: string;
  /** Client of the currently running service, which may have been restarted. */
  client(): Client;
  /** Address of the chain itself, regardless of proxies. */
  chainUrl(): string;
  /** Goes on with the service that was started again. */
  moveTo(running: Running): void;
  chain(): Connection;
  /** Resolves when everything that was sent so far is final: runs see nothing else. */
  untilFinal(): Promise<void>;
  /** From the creator; the chain withholds tax from each. */
  spread(wallets: readonly string[], amountOf: (index: number) => bigint): Promise<void>;
  /** The creator pays the fee and signs first. */
  send(instructions: readonly TransactionInstruction[], signers?: readonly Keypair[]): Promise<void>;
  /** A wallet's own account of the token. */
  accountOf(wallet: string): PublicKey;
  /** A holder sends part of its tokens to another. */
  trade(from: Keypair, to: string, amount: bigint): Promise<void>;
  operate<Answer = unknown>(path: string): Promise<Answer>;
  askForRun(): Promise<void>;
  runs(): Promise<readonly RunCard[]>;
  tax(): Promise<TaxPage>;
  /** Waits until the open run has decided who gets how much; nobody is paid before `DISTRIBUTION_ANNOUNCE` has passed. */
  announcedRun(number: number): Promise<AnnouncedRun>;
  /** Waits for as many completed runs, and gives the latest. */
  closedRun(number: number, patience?: { readonly seconds: number }): Promise<ClosedRun>;
  paymentsOf(runId: string): Promise<readonly Payment[]>;
  lamportsOf(wallets: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  tokensOf(wallets: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
}

export interface DistributionJourneyOptions {
  readonly holders: number;
  /** Base units that a holder is sent, by its index. */
  readonly amountOf?: (index: number) => bigint;
  readonly token?: TokenInput;
  readonly partnerKey?: string;
}

/** Balance, of a supply of 10^15 base units; at the desk a holder's share of the tax is worth millions of lamports. */
const plentiful = (index: number): bigint => 5_000_000_000_000n + BigInt(index) * 7_000_000_001n;

export async function openDistributionJourney(
  running: Running,
  { holders: count, amountOf = plentiful, token: fields, partnerKey }: DistributionJourneyOptions,
): Promise<DistributionJourney> {
  const opened = await openCreator(running, { sol: 50, partnerKey });
  const developer = Keypair.generate().publicKey.toBase58();
  const { mintAddress: mint, token } = await opened.createToken({
    burnPercent: 10,
    developerFeePercent: 5,
    developerWallet: developer,
    percentageToSellPerDistribution: 100,
    distributionInterval: '24h',
    ...fields,
  });
  let now = running;
  const holders = Array.from({ length: count }, () => Keypair.generate());
  const chain = () => new Connection(now.chainUrl, 'confirmed');
  const accountOf = (wallet: string) =>
    getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(wallet), true, TOKEN_2022_PROGRAM_ID);
  const client = () => createClient(now.url);

  function transfer(from: string, to: string, amount: bigint): TransactionInstruction {
    const key = new PublicKey(mint);
    const source = accountOf(from);
    const owner = new PublicKey(from);
    const target = accountOf(to);
    return createTransferCheckedInstruction(
      source,
      key,
      target,
      owner,
      amount,
      DECIMALS,
      [],
      TOKEN_2022_PROGRAM_ID,
    );
  }

  function openAccount(payer: PublicKey, owner: string): TransactionInstruction {
    return createAssociatedTokenAccountIdempotentInstruction(
      payer,
      accountOf(owner),
      new PublicKey(owner),
      new PublicKey(mint),
      TOKEN_2022_PROGRAM_ID,
    );
  }

  async function send(
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[] = [],
  ): Promise<void> {
    const connection = chain();
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
    const transaction = new Transaction({
      feePayer: opened.keypair.publicKey,
      blockhash,
      lastValidBlockHeight,
    });
    transaction.add(...instructions).sign(opened.keypair, ...signers);
    await connection.sendRawTransaction(transaction.serialize());
    // The local chain executes a transaction before it answers, and simulates it first.
  }

  const journey: DistributionJourney = {
    tokenId: token.id,
    mint,
    creator: opened,
    holders,
    developer,
    client,
    chainUrl: () => now.chainUrl,
    moveTo(next) {
      now = next;
    },
    chain,
    untilFinal,
    async spread(wallets, amounts) {
      const { publicKey } = opened.keypair;
      for (let from = 0; from < wallets.length; from += RECIPIENTS) {
        const page = wallets.slice(from, from + RECIPIENTS);
        const instructions = page.flatMap((wallet, index) => [
          openAccount(publicKey, wallet),
          transfer(opened.address, wallet, amounts(from + index)),
        ]);
        await send(instructions);
      }
    },
    send,
    accountOf,
    trade: (from, to, amount) =>
      send(
        [openAccount(opened.keypair.publicKey, to), transfer(from.publicKey.toBase58(), to, amount)],
        [from],
      ),
    operate: (path) =>
      client().ask('POST', `/operator/${path}`, {
        operatorKey: OPERATOR_KEY,
        json: { reason: 'A test asks for it.' },
      }),
    async askForRun() {
      await untilFinal();
      await journey.operate(`distributions/${token.id}/run`);
    },
    async runs() {
      return (await client().ask<{ runs: readonly RunCard[] }>('GET', `/distribution/${token.id}/runs`)).runs;
    },
    tax: () => client().ask('GET', `/distribution/${token.id}/tax`),
    announcedRun: (number) =>
      eventually(`run ${number} is announced`, async () => {
        const run = (await journey.runs()).find((one) => one.number === number);
        if (run === undefined) throw new Error(JSON.stringify(await journey.tax()));
        const path = `/distribution/${token.id}/runs/${run.runId}`;
        const page = (await client().ask<{ run: AnnouncedRun | (RunCard & { ledger: null }) }>('GET', path))
          .run;
        return page.ledger === null ? undefined : (page as AnnouncedRun);
      }),
    async closedRun(number, patience = { seconds: 60 }) {
      const closed = await eventually(
        `run ${number} is closed`,
        async () => {
          const runs = await journey.runs();
          const run = runs.find((one) => one.number === number);
          if (run?.status === 'halted') throw new Hopeless(JSON.stringify(await journey.tax()));
          if (run?.status === 'completed') return run;
          throw new Error(JSON.stringify([run, await journey.tax(), await standing()]));
        },
        patience,
      );
      const path = `/distribution/${token.id}/runs/${closed.runId}`;
      return (await client().ask<{ run: ClosedRun }>('GET', path)).run;
    },
    async paymentsOf(runId) {
      const payments: Payment[] = [];
      for (let after = ''; ; ) {
        const path = `/distribution/${token.id}/runs/${runId}/payments?limit=100${after}`;
        const page = await client().ask<{ payments: Payment[]; next: string | null }>('GET', path);
        payments.push(...page.payments);
        if (page.next === null) return payments;
        after = `&after=${page.next}`;
      }
    },
    lamportsOf: (wallets) =>
      amountsOf(
        wallets,
        (wallet) => new PublicKey(wallet),
        (_key, { lamports }) => BigInt(lamports),
      ),
    tokensOf: (wallets) =>
      amountsOf(
        wallets,
        accountOf,
        (key, account) => unpackAccount(key, account, TOKEN_2022_PROGRAM_ID).amount,
      ),
  };

  async function untilFinal(): Promise<void> {
    const slot = await chain().getSlot('processed');
    await eventually(`slot ${slot} is final`, async () => (await chain().getSlot('finalized')) >= slot);
  }

  async function standing(): Promise<unknown> {
    const { distributions } = await client().ask<{ distributions: { tokenId: string }[] }>(
      'GET',
      '/operator/distributions?limit=100',
      { operatorKey: OPERATOR_KEY },
    );
    return distributions.find(({ tokenId }) => tokenId === token.id);
  }

  async function amountsOf(
    wallets: readonly string[],
    keyOf: (wallet: string) => PublicKey,
    read: (key: PublicKey, account: NonNullable<Awaited<ReturnType<Connection['getAccountInfo']>>>) => bigint,
  ): Promise<ReadonlyMap<string, bigint>> {
    const amounts = new Map<string, bigint>();
    for (let from = 0; from < wallets.length; from += ACCOUNTS_PER_READ) {
      const page = wallets.slice(from, from + ACCOUNTS_PER_READ);
      const keys = page.map(keyOf);
      const accounts = await chain().getMultipleAccountsInfo(keys);
      for (const [index, wallet] of page.entries()) {
        const [key, account] = [keys[index], accounts[index]];
        amounts.set(wallet, key === undefined || !account ? 0n : read(key, account));
      }
    }
    return amounts;
  }

  await journey.spread(
    holders.map(({ publicKey }) => publicKey.toBase58()),
    amountOf,
  );
  return journey;
}

export const addressOfKey = ({ publicKey }: Keypair): string => publicKey.toBase58();

/** So that a wallet lives, and may be paid less than the rent of a new one. */
export async function fundHolders({ chainUrl }: Running, holders: readonly Keypair[]): Promise<void> {
  for (const holder of holders) await fund(chainUrl, addressOfKey(holder), LAMPORTS_PER_SOL / 10);
}

const sum = (amounts: readonly string[]): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount), 0n);
const whole = ({ developer, holders }: Parts): bigint => BigInt(developer) + BigInt(holders);

/** Both sides of every equation of a closed run, by its page and by its payments. */
export function expectBooksToAgree({ asset, amounts, pots }: ClosedRun, payments: readonly Payment[]): void {
  const n = (name: Exclude<keyof typeof amounts, 'kept' | 'soldParts' | 'keptAfter' | 'ownTax'>) =>
    BigInt(amounts[name]);
  expect(whole(amounts.kept) + n('collected'), 'collected + kept').toBe(
    n('burned') + whole(amounts.soldParts) + whole(amounts.keptAfter),
  );
  if (asset === 'sol') {
    expect(n('proceeds'), 'proceeds').toBe(n('costs') + n('developer') + n('holders'));
  } else {
    expect(whole(amounts.soldParts), 'paid out as it is').toBe(n('developer') + n('holders'));
  }
  expect(n('holders') + n('dust'), 'to be divided').toBe(n('allotted') + n('dustAfter'));
  expect(n('owed') + n('costs') + n('developer') + n('allotted'), 'owed and earned').toBe(
    n('paid') + n('owedAfter'),
  );
  const own = payments.filter((payment) => payment.asset === asset);
  const column = (name: 'share' | 'owedBefore' | 'planned' | 'paid' | 'owedAfter') =>
    sum(own.map((payment) => payment[name]));
  expect(column('paid'), 'paid to all').toBe(n('paid'));
  expect(column('planned'), 'planned for all').toBe(n('planned'));
  expect(column('owedAfter'), 'owed to all').toBe(n('owedAfter'));
  expect(column('owedBefore'), 'owed before').toBe(n('owed'));
  const fromPots = pots.filter((pot) => pot.asset === asset);
  expect(sum(fromPots.map(({ allowance }) => allowance)) - sum(fromPots.map(({ left }) => left))).toBe(
    n('paid'),
  );
  for (const { share, owedBefore, paid, owedAfter, signature, wallet } of payments) {
    expect(BigInt(share) + BigInt(owedBefore), wallet).toBe(BigInt(paid) + BigInt(owedAfter));
    expect(signature === null, wallet).toBe(paid === '0');
  }
}

/** Every equation of all runs, each a closed one: by their pages, their payments, their files and the chain. */
export async function expectAllToAgree(journey: DistributionJourney): Promise<readonly Payment[]> {
  const payments: Payment[] = [];
  for (const { number } of (await journey.runs()).toReversed()) {
    const run = await journey.closedRun(number);
    const own = await journey.paymentsOf(run.runId);
    expectBooksToAgree(run, own);
    payments.push(...own);
  }
  await expectNothingFound(journey);
  return payments;
}

/** An audit of everything finds nothing, whatever befell the service. */
export async function expectNothingFound(journey: DistributionJourney): Promise<void> {
  await journey.untilFinal();
  expect(await findingsOf(journey)).toEqual([]);
}

/** Of an audit of everything, at the address where the service is now. */
export function findingsOf(journey: DistributionJourney): ReturnType<typeof findingsIn> {
  return findingsIn({ url: journey.client().url, chainUrl: journey.chainUrl() });
}

/** What wallets that do nothing else have on the chain is what all runs say that they were paid. */
export async function expectPaidOnChain(
  journey: DistributionJourney,
  payments: readonly Payment[],
  wallets: readonly string[],
  before: ReadonlyMap<string, bigint> = new Map(),
): Promise<void> {
  const paid = new Map<string, bigint>(wallets.map((wallet) => [wallet, before.get(wallet) ?? 0n]));
  for (const payment of payments) {
    const known = paid.get(payment.wallet);
    if (known !== undefined && payment.asset === 'sol')
      paid.set(payment.wallet, known + BigInt(payment.paid));
  }
  expect(await journey.lamportsOf(wallets)).toEqual(paid);
}
