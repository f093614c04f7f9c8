/** 200 wallets that receive and trade tokens, so that the chain withholds the tax of each transfer. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  createTransferCheckedWithFeeInstruction,
  getAssociatedTokenAddressSync,
  getTransferFeeAmount,
  TOKEN_2022_PROGRAM_ID,
  unpackAccount,
} from '@solana/spl-token';
import { type Connection, Keypair, type PublicKey, SystemProgram } from '@solana/web3.js';
import { landAll, untilFinal } from './landing.ts';
import { steadily } from './steady.ts';
import { hold, sun, tell } from './telling.ts';

const WALLETS = 200;
const DECIMALS = 6;
const TAX_BASIS_POINTS = 350n;
/** Base units per wallet; all wallets together get nine tenths of the supply. */
const GIVEN = 4_500_000_000_000n;
/** Lamports per wallet, for the fees of its own transfers. */
const FOR_FEES = 2_000_000;
/** Maximum number of transfers in a legacy transaction of 1,232 bytes. */
const GIVEN_AT_ONCE = 7;
const ACCOUNTS_PER_CALL = 100;

export interface Traders {
  readonly mint: PublicKey;
  readonly wallets: readonly Trader[];
}

interface Trader {
  readonly keys: Keypair;
  /** Token account of the wallet. */
  readonly account: PublicKey;
}

function taxOf(amount: bigint): bigint {
  return (amount * TAX_BASIS_POINTS + 9_999n) / 10_000n;
}

/** Sends tokens of the creator to 200 new wallets. */
export async function giveTokens(
  connection: Connection,
  creator: Keypair,
  mint: PublicKey,
): Promise<Traders> {
  const wallets = Array.from({ length: WALLETS }, (): Trader => {
    const keys = Keypair.generate();
    return { keys, account: accountOf(keys.publicKey, mint) };
  });
  const from = { owner: creator.publicKey, account: accountOf(creator.publicKey, mint) };
  const batches = Array.from({ length: Math.ceil(WALLETS / GIVEN_AT_ONCE) }, (_, batch) =>
    wallets.slice(batch * GIVEN_AT_ONCE, (batch + 1) * GIVEN_AT_ONCE),
  );
  await landAll(
    connection,
    batches.map((some) => ({
      instructions: some.flatMap((to) => gift(from, to, mint)),
      signer: creator,
    })),
  );
  const withheld = await withheldTax(connection, wallets);
  hold(withheld === BigInt(WALLETS) * taxOf(GIVEN), 'the tax is withheld on the chain');
  tell(
    `The creator sends tokens to ${WALLETS} wallets; the chain withholds 3.5 percent of each transfer`,
    `each was sent ${sun(GIVEN)} and received ${sun(GIVEN - taxOf(GIVEN))}`,
    `tax withheld in their accounts: ${sun(withheld)}`,
  );
  return { mint, wallets };
}

function gift(
  from: { readonly owner: PublicKey; readonly account: PublicKey },
  { keys, account }: Trader,
  mint: PublicKey,
) {
  const { owner } = from;
  const to = keys.publicKey;
  return [
    SystemProgram.transfer({ fromPubkey: owner, toPubkey: to, lamports: FOR_FEES }),
    createAssociatedTokenAccountIdempotentInstruction(owner, account, to, mint, TOKEN_2022_PROGRAM_ID),
    createTransferCheckedWithFeeInstruction(
      from.account,
      mint,
      account,
      owner,
      GIVEN,
      DECIMALS,
      taxOf(GIVEN),
      [],
      TOKEN_2022_PROGRAM_ID,
    ),
  ];
}

/** Each wallet sends `amount` to the wallet `distance` further on, and pays the fee of its own transfer. */
export async function trade(
  connection: Connection,
  { mint, wallets }: Traders,
  { amount, distance }: { readonly amount: bigint; readonly distance: number },
): Promise<void> {
  const before = await withheldTax(connection, wallets);
  await landAll(
    connection,
    wallets.flatMap(({ keys, account }, index) => {
      const receiver = wallets[(index + distance) % wallets.length];
      if (receiver === undefined) return [];
      const instruction = createTransferCheckedInstruction(
        account,
        mint,
        receiver.account,
        keys.publicKey,
        amount,
        DECIMALS,
        [],
        TOKEN_2022_PROGRAM_ID,
      );
      return [{ instructions: [instruction], signer: keys }];
    }),
  );
  // A distribution reads only finalized state.
  await untilFinal(connection);
  const withheld = await withheldTax(connection, wallets);
  hold(withheld - before === BigInt(wallets.length) * taxOf(amount), 'each trade is taxed');
  tell(
    `The wallets trade: ${wallets.length} transfers of ${sun(amount)}`,
    `tax of these transfers: ${sun(withheld - before)}`,
    `tax now withheld: ${sun(withheld)}, in ${wallets.length} accounts; not collected yet`,
  );
}

/** Milliseconds between two transfers. With this pause, the wallets' SOL covers the fees of more than three days. */
const TRADE_PAUSE = 4_000;

/** Transfers tokens from one wallet after another until `signal` aborts. */
export async function keepTrading(
  connection: Connection,
  { mint, wallets }: Traders,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    const from = wallets[round % wallets.length];
    const to = wallets[(round * 7 + 1) % wallets.length];
    if (from === undefined || to === undefined || from === to) continue;
    const amount = BigInt(1_000_000 * (1 + ((round * 37) % 1_000)));
    const instruction = createTransferCheckedInstruction(
      from.account,
      mint,
      to.account,
      from.keys.publicKey,
      amount,
      DECIMALS,
      [],
      TOKEN_2022_PROGRAM_ID,
    );
    await landAll(connection, [{ instructions: [instruction], signer: from.keys }]);
    await sleep(TRADE_PAUSE, undefined, { signal }).catch(() => undefined);
  }
}

/** Withheld tax in the wallets' accounts, according to the chain. */
async function withheldTax(connection: Connection, wallets: readonly Trader[]): Promise<bigint> {
  let sum = 0n;
  for (let from = 0; from < wallets.length; from += ACCOUNTS_PER_CALL) {
    const addresses = wallets.slice(from, from + ACCOUNTS_PER_CALL).map(({ account }) => account);
    const accounts = await steadily(() => connection.getMultipleAccountsInfo(addresses, 'confirmed'));
    for (const [index, address] of addresses.entries()) {
      const account = unpackAccount(address, accounts[index] ?? null, TOKEN_2022_PROGRAM_ID);
      sum += getTransferFeeAmount(account)?.withheldAmount ?? 0n;
    }
  }
  return sum;
}

function accountOf(owner: PublicKey, mint: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, owner, false, TOKEN_2022_PROGRAM_ID);
}
