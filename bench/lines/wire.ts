/**
 * The service's own encoders and decoders, compared with web3.js, spl-token and bs58: which of them are worth their
 * code.
 */
import { readFileSync } from 'node:fs';
import {
  createTransferCheckedWithFeeInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  unpackAccount,
  unpackMint,
} from '@solana/spl-token';
import {
  type AccountInfo,
  Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import {
  addressBytes,
  associatedTokenAddress,
  base58,
  compileLegacyMessage,
  decodeTransaction,
  fromBase58,
  readMint,
  readTokenAccount,
  tokenAccountFigures,
  unsignedTransaction,
  verify,
} from 'levy-solana-wire';
import { creationInstructions } from '../../src/chain/creation-transaction.ts';
import { createKeyPair } from '../../src/chain/keys.ts';
import { taxedTransferInstruction, transferSol } from '../../src/chain/payment-instructions.ts';
import { instructionOf, publicKey } from '../../src/chain/web3-instruction.ts';
import { alternate, ratePerSecond } from '../measuring/alternate.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { addressFor } from '../measuring/many-tokens.ts';

const ROUNDS = 7;
const MILLISECONDS = 200;
const TARGET = { atLeast: 2 };
const PAYMENTS = 60;

const key = createKeyPair(new Uint8Array(32).fill(1));
const keypair = Keypair.fromSecretKey(key.secretKey, { skipValidation: true });
const mint = addressFor(1);
const bytes = addressBytes(mint);

const instructions = creationInstructions({
  creator: key.address,
  mint,
  distributionWallet: addressFor(2),
  name: 'N'.repeat(32),
  symbol: 'S'.repeat(10),
  uri: 'u'.repeat(80),
  decimals: 6,
  supply: 10n ** 15n,
  transferFeeBasisPoints: 500,
  transferFeeAdjustable: true,
  immutableMetadata: true,
  mintRent: 5_000_000n,
});
const theirInstructions = instructions.map(
  ({ program, accounts, data }) =>
    new TransactionInstruction({
      programId: new PublicKey(program),
      keys: accounts.map(({ address, signer, writable }) => ({
        pubkey: new PublicKey(address),
        isSigner: signer,
        isWritable: writable,
      })),
      data: Buffer.from(data),
    }),
);
const recentBlockhash = addressFor(3);
const { bytes: message } = compileLegacyMessage({ payer: key.address, instructions, recentBlockhash });
const wire = unsignedTransaction(message);
const signed = new Transaction({
  feePayer: keypair.publicKey,
  blockhash: recentBlockhash,
  lastValidBlockHeight: 1,
});
signed.add(new TransactionInstruction({ programId: new PublicKey(mint), keys: [], data: Buffer.alloc(100) }));
signed.sign(keypair);
const signedMessage = signed.serializeMessage();
const { signature } = signed;
if (signature === null) throw new Error('it was signed');

function recorded(name: string): { readonly owner: string; readonly info: AccountInfo<Buffer> } {
  const file = new URL(`../../packages/solana-wire/test/recorded/${name}.json`, import.meta.url);
  const { account } = JSON.parse(readFileSync(file, 'utf8')) as {
    account: { data: [string, string]; owner: string };
  };
  const data = Buffer.from(account.data[0], 'base64');
  return {
    owner: account.owner,
    info: { data, owner: new PublicKey(account.owner), lamports: 1, executable: false },
  };
}
const [aMint, anAccount] = [recorded('mint'), recorded('creator-token-account')];

const recipients = Array.from({ length: PAYMENTS }, (_, index) => addressFor(100 + index));
const payment = { from: addressFor(4), authority: key.address };
const taxed = { ...payment, mint, decimals: 6, amount: 20_000n, fee: 600n };

interface Sides {
  readonly what: string;
  readonly ours: () => unknown;
  readonly theirs: () => unknown;
}

const comparisons: readonly Sides[] = [
  {
    what: "legacy message of a creation compiled / web3.js's",
    ours: () => compileLegacyMessage({ payer: key.address, instructions, recentBlockhash }),
    theirs: () =>
      new TransactionMessage({
        payerKey: keypair.publicKey,
        instructions: theirInstructions,
        recentBlockhash,
      })
        .compileToLegacyMessage()
        .serialize(),
  },
  {
    what: "transaction of a creation decoded / web3.js's",
    ours: () => decodeTransaction(wire),
    theirs: () => VersionedTransaction.deserialize(wire),
  },
  {
    what: "message signed / web3.js's",
    ours: () => key.sign(signedMessage),
    theirs: () => signed.partialSign(keypair),
  },
  {
    what: "signature verified / web3.js's",
    ours: () => verify(key.publicKey, signedMessage, signature),
    theirs: () => signed.verifySignatures(),
  },
  { what: 'address written / bs58', ours: () => base58(bytes), theirs: () => bs58.encode(bytes) },
  { what: 'address read / bs58', ours: () => fromBase58(mint), theirs: () => bs58.decode(mint) },
  {
    what: "associated token account derived / spl-token's",
    ours: () => associatedTokenAddress(key.address, mint),
    theirs: () =>
      getAssociatedTokenAddressSync(new PublicKey(mint), keypair.publicKey, true, TOKEN_2022_PROGRAM_ID),
  },
  {
    what: 'mint read / spl-token',
    ours: () => readMint({ owner: aMint.owner, data: aMint.info.data }),
    theirs: () => unpackMint(PublicKey.default, aMint.info, TOKEN_2022_PROGRAM_ID),
  },
  {
    what: 'token account read / spl-token',
    ours: () => readTokenAccount({ owner: anAccount.owner, data: anAccount.info.data }),
    theirs: () => unpackAccount(PublicKey.default, anAccount.info, TOKEN_2022_PROGRAM_ID),
  },
  {
    what: 'owner and amounts of a token account, for a scan / spl-token',
    ours: () => tokenAccountFigures(anAccount.info.data),
    theirs: () => unpackAccount(PublicKey.default, anAccount.info, TOKEN_2022_PROGRAM_ID),
  },
  {
    what: `instructions of ${PAYMENTS} transfers of SOL / by spl-token`,
    ours: () => recipients.map((to) => transferSol({ ...payment, to, lamports: 20_000n })),
    theirs: () =>
      recipients.map((to) =>
        instructionOf(
          createTransferInstruction(
            publicKey(payment.from),
            publicKey(to),
            publicKey(payment.authority),
            20_000n,
          ),
        ),
      ),
  },
  {
    what: `instructions of ${PAYMENTS} payments in the token / by spl-token`,
    ours: () => recipients.map((to) => taxedTransferInstruction({ ...taxed, to })),
    theirs: () =>
      recipients.map((to) =>
        instructionOf(
          createTransferCheckedWithFeeInstruction(
            publicKey(taxed.from),
            publicKey(mint),
            publicKey(to),
            publicKey(taxed.authority),
            taxed.amount,
            taxed.decimals,
            taxed.fee,
          ),
        ),
      ),
  },
];

export const wireBytes: Line = async () => {
  const found: Comparison[] = [];
  for (const { what, ours, theirs } of comparisons) {
    const { medians, ratio } = await alternate(ROUNDS, {
      ours: () => ratePerSecond(MILLISECONDS, ours),
      theirs: () => ratePerSecond(MILLISECONDS, theirs),
    });
    const figures = `${written(medians.ours)}/s, ${written(medians.theirs)}/s`;
    found.push({ what, ratio: ratio('ours', 'theirs'), target: TARGET, figures });
  }
  return found;
};
