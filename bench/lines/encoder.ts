/** Building the messages of full payments in version 1 transactions, compared with @solana/kit. */
import {
  type AccountMeta,
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { compileVersion1Message, type Instruction, type Version1Config } from 'levy-solana-wire';
import { createKeyring } from '../../src/chain/keys.ts';
import { type Pot, payFromPot } from '../../src/distribution/once/meter.ts';
import { RECIPIENTS } from '../../src/distribution/paying/plan-batches.ts';
import { alternate, ratePerSecond } from '../measuring/alternate.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { addressFor } from '../measuring/many-tokens.ts';

const ROUNDS = 9;
const MILLISECONDS = 300;
const TARGET = { atLeast: 20 };
const PAYMENT = 20_000n;
const CONFIG: Version1Config = {
  computeUnitLimit: 20_000,
  loadedAccountsDataSizeLimit: 8 * 1_024 * 1_024,
};

const { distributor, distributionWallet, distributorOfRun } = createKeyring(new Uint8Array(32).fill(9));
const RUN_ID = '00000000-0000-4000-8000-000000000001';
const recentBlockhash = addressFor(1);
const payer = distributor.address;

export const encoder: Line = async () => [await comparison('sol'), await comparison('token')];

async function comparison(asset: 'sol' | 'token'): Promise<Comparison> {
  const recipients = RECIPIENTS[asset];
  const instructions = paymentsOf(asset, recipients);
  const forKit = instructions.map(asKit);
  const ours = () => compileVersion1Message({ payer, instructions, recentBlockhash, config: CONFIG }).bytes;
  const kits = () => compiledByKit(forKit);
  if (ours().length !== kits().length) throw new Error('the messages are not equally long');
  const { medians, ratio } = await alternate(ROUNDS, {
    ours: () => ratePerSecond(MILLISECONDS, ours),
    kits: () => ratePerSecond(MILLISECONDS, kits),
  });
  return {
    what: `message of version 1 with ${recipients} payments in ${asset === 'sol' ? 'SOL' : 'the token'}, from its instructions / @solana/kit's`,
    ratio: ratio('ours', 'kits'),
    target: TARGET,
    figures: `${written(medians.ours)}/s, ${written(medians.kits)}/s; ${ours().length} bytes`,
  };
}

function paymentsOf(asset: 'sol' | 'token', count: number): readonly Instruction[] {
  const { address: owner } = distributionWallet(RUN_ID);
  const pot: Pot = {
    address: addressFor(2),
    owner,
    delegate: asset === 'sol' ? payer : distributorOfRun(RUN_ID).address,
    asset:
      asset === 'sol'
        ? { kind: 'sol' }
        : {
            kind: 'token',
            mint: addressFor(3),
            decimals: 6,
            tax: { epoch: 0n, basisPoints: 300, maximumFee: 2n ** 64n - 1n },
          },
  };
  const payments = Array.from({ length: count }, (_, index) => ({
    to: addressFor(100 + index),
    amount: PAYMENT,
  }));
  return payFromPot(pot, PAYMENT * BigInt(count), payments);
}

type KitInstruction = Parameters<typeof appendTransactionMessageInstructions>[0][number];

function asKit({ program, accounts, data }: Instruction): KitInstruction {
  return {
    programAddress: address(program),
    accounts: accounts.map(
      (account): AccountMeta => ({
        address: address(account.address),
        role: account.signer
          ? account.writable
            ? AccountRole.WRITABLE_SIGNER
            : AccountRole.READONLY_SIGNER
          : account.writable
            ? AccountRole.WRITABLE
            : AccountRole.READONLY,
      }),
    ),
    data,
  };
}

function compiledByKit(instructions: readonly KitInstruction[]): ArrayLike<number> {
  const empty = setTransactionMessageFeePayer(address(payer), createTransactionMessage({ version: 1 }));
  const living = setTransactionMessageLifetimeUsingBlockhash(
    { blockhash: recentBlockhash as Blockhash, lastValidBlockHeight: 1n },
    setTransactionMessageConfig({ ...CONFIG }, empty),
  );
  return compileTransaction(appendTransactionMessageInstructions(instructions, living)).messageBytes;
}
