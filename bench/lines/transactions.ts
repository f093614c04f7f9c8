/** Building, signing and checking the transaction that creates a token, compared with web3.js and spl-token. */
import {
  AuthorityType,
  createAssociatedTokenAccountInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { createInitializeInstruction, createUpdateAuthorityInstruction } from '@solana/spl-token-metadata';
import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { decodeLegacyTransaction, signTransaction, verify } from 'levy-solana-wire';
import { creationInstructions, type TokenTerms } from '../../src/chain/creation-transaction.ts';
import { compileDurableTransaction, type DurableTransaction } from '../../src/chain/durable-transaction.ts';
import { createKeyPair, createKeyring, type KeyPair } from '../../src/chain/keys.ts';
import { checkSubmission, countersign } from '../../src/drafts/countersign.ts';
import type { IssuedDraft } from '../../src/streams/draft-events.ts';
import { alternate, ratePerSecond } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';

const ROUNDS = 9;
const MILLISECONDS = 400;
const UNIT_LIMIT = 60_000;
const UNIT_PRICE = 1_000;
const MINT_SPACE = 346;

const keyring = createKeyring(new Uint8Array(32).fill(9));
const creator = createKeyPair(new Uint8Array(32).fill(1));
const mint = createKeyPair(new Uint8Array(32).fill(2));
const authority = keyring.nonceAuthority;
const signers = [creator, mint, authority];

type CreationInput = TokenTerms & Omit<DurableTransaction, 'payer' | 'instructions'>;

const input: CreationInput = {
  creator: creator.address,
  mint: mint.address,
  distributionWallet: createKeyPair(new Uint8Array(32).fill(3)).address,
  nonceAccount: keyring.nonceAccount(0).address,
  nonceAuthority: authority.address,
  nonceValue: createKeyPair(new Uint8Array(32).fill(4)).address,
  name: 'N'.repeat(32),
  symbol: 'S'.repeat(10),
  uri: 'u'.repeat(80),
  decimals: 6,
  supply: 10n ** 15n,
  transferFeeBasisPoints: 500,
  transferFeeAdjustable: true,
  immutableMetadata: true,
  computeUnitLimit: UNIT_LIMIT,
  computeUnitPrice: BigInt(UNIT_PRICE),
  mintRent: 5_000_000n,
};

function compiled() {
  const instructions = creationInstructions(input);
  return compileDurableTransaction({ ...input, payer: input.creator, instructions });
}

function built(): Uint8Array {
  const { bytes: message } = compiled();
  return signTransaction(message, new Map(signers.map((key) => [key.address, key.sign(message)])));
}

const keypairOf = ({ secretKey }: KeyPair) => Keypair.fromSecretKey(secretKey, { skipValidation: true });
const keypairs = signers.map(keypairOf);

function builtByWeb3(): Buffer {
  const [payer, mintKey, nonceAuthority] = [creator, mint, authority].map(
    ({ address }) => new PublicKey(address),
  );
  if (!payer || !mintKey || !nonceAuthority) throw new Error('three signers were given');
  const account = getAssociatedTokenAddressSync(mintKey, payer, false, TOKEN_2022_PROGRAM_ID);
  const transaction = new Transaction({
    feePayer: payer,
    blockhash: input.nonceValue,
    lastValidBlockHeight: 1,
  });
  transaction.add(
    SystemProgram.nonceAdvance({
      noncePubkey: new PublicKey(input.nonceAccount),
      authorizedPubkey: nonceAuthority,
    }),
    ComputeBudgetProgram.setComputeUnitLimit({ units: UNIT_LIMIT }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: UNIT_PRICE }),
    SystemProgram.createAccount({
      fromPubkey: payer,
      newAccountPubkey: mintKey,
      space: MINT_SPACE,
      lamports: Number(input.mintRent),
      programId: TOKEN_2022_PROGRAM_ID,
    }),
    createInitializeTransferFeeConfigInstruction(
      mintKey,
      payer,
      new PublicKey(input.distributionWallet),
      input.transferFeeBasisPoints,
      2n ** 64n - 1n,
      TOKEN_2022_PROGRAM_ID,
    ),
    createInitializeMetadataPointerInstruction(mintKey, null, mintKey, TOKEN_2022_PROGRAM_ID),
    createInitializeMint2Instruction(mintKey, input.decimals, payer, null, TOKEN_2022_PROGRAM_ID),
    createInitializeInstruction({
      programId: TOKEN_2022_PROGRAM_ID,
      metadata: mintKey,
      updateAuthority: payer,
      mint: mintKey,
      mintAuthority: payer,
      name: input.name,
      symbol: input.symbol,
      uri: input.uri,
    }),
    createUpdateAuthorityInstruction({
      programId: TOKEN_2022_PROGRAM_ID,
      metadata: mintKey,
      oldAuthority: payer,
      newAuthority: null,
    }),
    createAssociatedTokenAccountInstruction(payer, account, payer, mintKey, TOKEN_2022_PROGRAM_ID),
    createMintToInstruction(mintKey, account, payer, input.supply, [], TOKEN_2022_PROGRAM_ID),
    createSetAuthorityInstruction(mintKey, payer, AuthorityType.MintTokens, null, [], TOKEN_2022_PROGRAM_ID),
  );
  transaction.partialSign(...keypairs);
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
}

/** A creation with the signatures of the creator and the mint, as sent by a client that holds both keys. */
const { bytes: message } = compiled();
const twice = signTransaction(
  message,
  new Map([
    ...[creator, mint].map((key) => [key.address, key.sign(message)] as const),
    [authority.address, new Uint8Array(64)],
  ]),
);

function checkTwoSignatures(): void {
  const decoded = decodeLegacyTransaction(twice);
  if (!decoded.ok) throw new Error('a transaction of ours is not one');
  const { message: parts, signatures } = decoded.transaction;
  for (const place of [0, 1]) {
    const [key, signature] = [parts.accountKeys[place], signatures[place]];
    if (!key || !signature || !verify(key, parts.bytes, signature)) throw new Error('a signature is wrong');
  }
}

function checkTwoSignaturesByWeb3(): void {
  // Does not require all signatures, because the third is missing.
  if (!Transaction.from(twice).verifySignatures(false)) throw new Error('a signature is wrong');
}

const issued: IssuedDraft = {
  transactionId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  creator: creator.address,
  message: Buffer.from(message).toString('base64'),
  lifetime: { kind: 'durable-nonce', nonceAccount: input.nonceAccount, nonceValue: input.nonceValue },
  cost: '1',
  expiresAt: '2026-01-01T00:00:00.000Z',
  // The check ignores this field.
  subject: {} as IssuedDraft['subject'],
};
const signedTransaction = Buffer.from(twice).toString('base64');

/** All work of a submit on the bytes: decode, compare with the issued message, verify, sign twice. */
function submit(): void {
  countersign(checkSubmission(issued, signedTransaction), creator.address, [mint, authority]);
}

function submitByWeb3(): void {
  const transaction = Transaction.from(Buffer.from(signedTransaction, 'base64'));
  if (transaction.serializeMessage().compare(message) !== 0) throw new Error('another message');
  if (!transaction.verifySignatures(false)) throw new Error('a signature is wrong');
  transaction.partialSign(...keypairs.slice(1));
  transaction.serialize({ verifySignatures: false });
}

export const transactions: Line = async () => {
  // The order of the accounts may differ; everything else must be equal.
  if (built().length !== builtByWeb3().length) {
    throw new Error('the two sides do not build the same transaction');
  }
  const rateOf = (work: () => void) => () => ratePerSecond(MILLISECONDS, work);
  const sides = {
    build: rateOf(built),
    buildByWeb3: rateOf(builtByWeb3),
    check: rateOf(checkTwoSignatures),
    checkByWeb3: rateOf(checkTwoSignaturesByWeb3),
    submit: rateOf(submit),
    submitByWeb3: rateOf(submitByWeb3),
  };
  for (const side of Object.values(sides)) side();
  const { medians, ratio } = await alternate(ROUNDS, sides);
  const both = (ours: keyof typeof sides, theirs: keyof typeof sides) =>
    `${written(medians[ours])}/s, ${written(medians[theirs])}/s`;
  return [
    {
      what: 'creation transaction built and signed by its three signers / web3.js `partialSign`',
      ratio: ratio('build', 'buildByWeb3'),
      target: { atLeast: 3.5 },
      figures: both('build', 'buildByWeb3'),
    },
    {
      what: 'decoded and two signatures verified / web3.js `verifySignatures`',
      ratio: ratio('check', 'checkByWeb3'),
      target: { atLeast: 8 },
      figures: both('check', 'checkByWeb3'),
    },
    {
      what: 'submit as a whole: decoded, compared, verified, signed twice / the same with web3.js',
      ratio: ratio('submit', 'submitByWeb3'),
      figures: both('submit', 'submitByWeb3'),
    },
  ];
};
