/** Rebuilds the transactions of recorded links and batches, and compares them with the landed ones. */
import { type Instruction, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, type TransferFee } from 'levy-solana-wire';
import type { NamedInstruction } from '../../../chain/landed-instructions.ts';
import { withdrawal } from '../../../distribution/collecting/harvest-tax.ts';
import type { DistributedToken } from '../../../distribution/distributed-token.ts';
import { linkOf } from '../../../distribution/links/link-content.ts';
import { payFromPot } from '../../../distribution/once/meter.ts';
import { linkInstructions } from '../../../distribution/once/till-chain.ts';
import type { PaymentBook } from '../../../distribution/paying/payment-book.ts';
import { errorMessage } from '../../../kernel/runtime/error-message.ts';
import type { RecordedLink } from '../../../streams/distribution.ts';
import type { PlannedBatch, PlannedPot } from '../../../streams/distribution-run.ts';
import { type PastTransaction, solTransferIn } from '../chain/landed-transactions.ts';

/** Placeholder: the chain rejects transfers with a wrong fee, so fees are not compared. */
const ANY_FEE: TransferFee = { epoch: 0n, basisPoints: 0, maximumFee: 0n };
const [TAXED_TRANSFER, WITH_FEE, FEE_AT] = [26, 1, 11];
const [UNWRAP, UNWRAP_AMOUNT_AT] = [45, 2];

/** First difference between a recorded and a landed transaction. */
export interface Difference {
  readonly expected: string;
  readonly found: string;
}

interface ComparedLink {
  readonly difference: Difference | undefined;
  /** Lamports that the distributor lent for each wrapped-SOL account that the link creates. */
  readonly lent: bigint;
  /** Lamports that the distributor received. */
  readonly returned: bigint;
}

export function compareLink(
  link: RecordedLink,
  token: DistributedToken,
  past: PastTransaction,
): ComparedLink {
  const distributor = token.distributor.address;
  const lent =
    past.instructions.map(solTransferIn).find((each) => each?.from === distributor)?.lamports ?? 0n;
  // The returned rent is limited to the lent rent elsewhere, so it is not compared here.
  const rents = { today: lent, ofPrevious: 1n };
  const built = () => linkInstructions(linkOf(link, token, { tax: ANY_FEE, rent: lent }), distributor, rents);
  const returned = past.instructions
    .filter((each) => isReturn(each, distributor))
    .reduce((sum, { data }) => sum + data.readBigUInt64LE(UNWRAP_AMOUNT_AT), 0n);
  return { difference: differenceOf(built, past, distributor), lent, returned };
}

export function compareBatch(
  { pot, batch }: { readonly pot: PlannedPot; readonly batch: PlannedBatch },
  { token, book }: { readonly token: DistributedToken; readonly book: PaymentBook },
  past: PastTransaction,
): Difference | undefined {
  const { asset, address, delegate } = pot;
  const { mint, decimals, wallet, distributor } = token;
  const paying = {
    address,
    owner: wallet.address,
    delegate,
    asset:
      asset === 'sol'
        ? ({ kind: 'sol' } as const)
        : ({ kind: 'token', mint, decimals, tax: ANY_FEE } as const),
  };
  const built = () => payFromPot(paying, BigInt(batch.value), book.paymentsOf(asset, batch));
  return differenceOf(built, past, distributor.address);
}

/** True if the transaction only withdraws withheld tax from the mint into the wallet's own account. */
export function isWithdrawal(token: DistributedToken, past: PastTransaction): boolean {
  return differenceOf(() => withdrawal(token, past.payer), past, past.payer) === undefined;
}

function differenceOf(
  build: () => readonly Instruction[],
  { instructions, payer }: PastTransaction,
  distributor: string,
): Difference | undefined {
  let built: readonly Instruction[];
  try {
    built = build();
  } catch (error) {
    // A manipulated record may not describe valid instructions.
    return { expected: 'a record that can be executed', found: errorMessage(error) };
  }
  if (payer !== distributor) return { expected: `paid by ${distributor}`, found: `paid by ${payer}` };
  const [expected, found] = [
    built.map(({ program, accounts, data }) => ({
      program,
      accounts: accounts.map(({ address }) => address),
      data: Buffer.from(data),
    })),
    instructions,
  ].map((each) => each.map((instruction) => textOf(instruction, distributor)));
  const at = expected?.findIndex((text, index) => text !== found?.[index]) ?? 0;
  if (at === -1 && expected?.length === found?.length) return undefined;
  const first = at === -1 ? (expected?.length ?? 0) : at;
  return {
    expected: expected?.[first] ?? 'no further instruction',
    found: found?.[first] ?? 'no further instruction',
  };
}

function textOf(instruction: NamedInstruction, distributor: string): string {
  const { program, accounts } = instruction;
  const data = Buffer.from(instruction.data);
  if (program === TOKEN_2022_PROGRAM && data[0] === TAXED_TRANSFER && data[1] === WITH_FEE)
    data.fill(0, FEE_AT);
  if (isReturn(instruction, distributor)) data.fill(0, UNWRAP_AMOUNT_AT);
  return `${program} ${data.toString('hex')} ${accounts.join(' ')}`;
}

/** True for instructions that repay lent rents from the till. */
function isReturn({ program, accounts, data }: NamedInstruction, distributor: string): boolean {
  return program === TOKEN_PROGRAM && data[0] === UNWRAP && accounts[1] === distributor;
}
