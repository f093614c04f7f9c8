// What a creator hands in is checked against what was issued, and only then signed by the service.
import { Keypair, Message, Transaction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { compileLegacyMessage, transactionSignature, unsignedTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyPair, type KeyPair } from '../../../src/chain/keys.ts';
import { checkSubmission, countersign, simulationMessage } from '../../../src/drafts/countersign.ts';
import type { IssuedDraft } from '../../../src/streams/draft-events.ts';
import { rejectionOf } from '../../support/command-spec.ts';
import { issuedDraft } from '../../support/domain-examples.ts';
import { buildCreation, creationInput, creator, keyring, mint } from '../chain/creation-input.ts';

const message = buildCreation(creationInput).message;
const issued: IssuedDraft = {
  ...issuedDraft,
  creator: creator.address,
  message: Buffer.from(message).toString('base64'),
};
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const stranger = createKeyPair(new Uint8Array(32).fill(99));
const serviceKeys = [mint, keyring.nonceAuthority];

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Signed as a wallet does, with web3.js. */
function signedBy(key: KeyPair, unsigned: Uint8Array = unsignedTransaction(message)): Uint8Array {
  const transaction = Transaction.from(unsigned);
  transaction.partialSign(Keypair.fromSecretKey(key.secretKey));
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
}

function withSignature(index: number, signature: Uint8Array, wire = signedBy(creator)): Uint8Array {
  const changed = Uint8Array.from(wire);
  changed.set(signature, 1 + index * 64);
  return changed;
}

const refusal = (wire: Uint8Array | string) => {
  const {
    code,
    kind,
    message: sentence,
  } = rejectionOf(() => checkSubmission(issued, typeof wire === 'string' ? wire : base64(wire)));
  return { code, kind, sentence };
};

describe('a transaction that the creator signed', () => {
  const checked = checkSubmission(issued, base64(signedBy(creator)));

  test.each([1, 2, 3])('is taken in every form of base64, whatever its length: %i more bytes', (more) => {
    const memo = { program: MEMO, accounts: [], data: new Uint8Array(more).fill(0xfb) };
    const { bytes } = compileLegacyMessage({
      payer: creator.address,
      instructions: [memo],
      recentBlockhash: mint.address,
    });
    const own: IssuedDraft = { ...issued, message: base64(bytes) };
    const padded = base64(signedBy(creator, unsignedTransaction(bytes)));
    const url = padded.replaceAll('+', '-').replaceAll('/', '_');
    const plain = padded.replace(/=+$/, '');
    const lines = `${padded.replace(/.{76}/g, '$&\r\n')}\n`;
    for (const text of [padded, plain, url, url.replace(/=+$/, ''), lines, ` ${plain}`]) {
      expect(base64(checkSubmission(own, text).message)).toBe(own.message);
    }
  });

  test('is simulated without a single signature: who sees that can send nothing', () => {
    expect(base64(simulationMessage(checked))).toBe(base64(unsignedTransaction(message)));
  });

  test('becomes a whole transaction whose every signature web3.js verifies', () => {
    const { wire, signature } = countersign(checked, creator.address, serviceKeys);
    const whole = Transaction.from(wire);
    expect(whole.verifySignatures()).toBe(true);
    expect(base64(whole.serialize())).toBe(base64(wire));
    expect(base64(whole.serializeMessage())).toBe(issued.message);
    expect(signature).toBe(transactionSignature(wire));
    expect(whole.feePayer?.toBase58()).toBe(creator.address);
  });

  test('is not completed with too few keys or a foreign one', () => {
    expect(() => countersign(checked, creator.address, [mint])).toThrow(TypeError);
    expect(() => countersign(checked, creator.address, [mint, stranger])).toThrow(TypeError);
  });
});

describe('a transaction is refused', () => {
  const wire = signedBy(creator);
  const other = buildCreation({ ...creationInput, supply: 2n }).message;
  const foreign = buildCreation({ ...creationInput, creator: stranger.address }).message;
  const signature = creator.sign(message);
  const wrongly = [stranger.sign(message), creator.sign(other), signature.with(63, (signature[63] ?? 0) ^ 1)];

  function versioned(): Uint8Array {
    const { payerKey, recentBlockhash, instructions } = TransactionMessage.decompile(Message.from(message));
    const transaction = new VersionedTransaction(
      new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToV0Message(),
    );
    transaction.sign([Keypair.fromSecretKey(creator.secretKey)]);
    return transaction.serialize();
  }

  test.each<[how: string, code: string, wires: readonly (Uint8Array | string)[]]>([
    [
      'as unreadable when it is not base64',
      'VALIDATION_FAILED',
      ['not base64!', 'AAA', 'AA-_', 'A===', 'A', `${base64(wire)}=A`],
    ],
    [
      'as unreadable when it is cut off, or something follows',
      'VALIDATION_FAILED',
      [wire.slice(0, -1), wire.slice(0, 40), new Uint8Array(0), Uint8Array.of(...wire, 0)],
    ],
    [
      'as unreadable when it has another number of signatures than its message says',
      'VALIDATION_FAILED',
      [Uint8Array.of(1, ...new Uint8Array(64), ...message)],
    ],
    ['as another one when it is larger than a packet', 'TRANSACTION_MISMATCH', [new Uint8Array(1_233)]],
    ['as another one when it is versioned', 'TRANSACTION_MISMATCH', [versioned()]],
    [
      'as another one when anything in it was changed, though it is signed',
      'TRANSACTION_MISMATCH',
      [signedBy(creator, unsignedTransaction(other)), signedBy(stranger, unsignedTransaction(foreign))],
    ],
    [
      'as unsigned when the creator’s signature is missing',
      'SIGNATURE_MISSING',
      [unsignedTransaction(message)],
    ],
    [
      'as wrongly signed when the signature is of another key, another message, or damaged',
      'SIGNATURE_INVALID',
      wrongly.map((each) => withSignature(0, each)),
    ],
  ])('%s', (_how, code, wires) => {
    const kind = code === 'VALIDATION_FAILED' ? 'invalid' : 'unprocessable';
    for (const each of wires) expect(refusal(each)).toMatchObject({ code, kind });
  });

  test.each([
    ['base58', (wire: Uint8Array) => bs58.encode(wire)],
    ['hexadecimal', (wire: Uint8Array) => Buffer.from(wire).toString('hex')],
    ['JSON', (wire: Uint8Array) => JSON.stringify([...wire])],
  ])('with the name of the encoding that it is in: %s', (name, encode) => {
    expect(refusal(encode(signedBy(creator)))).toMatchObject({
      code: 'VALIDATION_FAILED',
      sentence: `signedTransaction cannot be read: it is not base64; it looks like ${name}.`,
    });
  });
});
