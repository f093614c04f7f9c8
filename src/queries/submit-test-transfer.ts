/** Sends a signed transfer to the embedded chain, and responds when it has landed. Records nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { transactionSignature, verify } from 'levy-solana-wire';
import { decodeSentTransaction } from '../chain/decode-submitted.ts';
import { undecodableTransactionRejection } from '../drafts/countersign.ts';
import { SignedTransaction } from '../drafts/define-submission.ts';
import { ChainUnavailable } from '../kernel/ports/chain.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { rejection } from '../streams/rejections.ts';
import { Signature } from '../streams/value-types.ts';
import { type TestChainServices, testChainOf } from './test-chain-services.ts';

/** Milliseconds between two polls, and maximum number of polls. */
const ASK_EVERY = 100;
const MAX_POLLS = 100;

export const submitTestTransfer = queriesFor<TestChainServices>()({
  name: 'SubmitTestTransfer',
  summary: 'Send a signed transfer',
  description:
    'Sends the transaction of `POST /faucet/transfers/create-unsigned`, signed by its sender, and responds when ' +
    'the chain has confirmed it. Only on the embedded chain; other chains return 404 `NO_FAUCET`.',
  route: {
    method: 'POST',
    url: '/faucet/transfers/submit',
    auth: 'none',
    limit: 'faucet',
    ignoresIdempotencyKey: true,
  },
  input: {
    body: Type.Object(
      {
        signedTransaction: SignedTransaction,
      },
      { additionalProperties: false, examples: [{ signedTransaction: 'AQAA' }] },
    ),
  },
  output: Type.Object({ signature: Signature }),
  rejections: [
    'VALIDATION_FAILED',
    'SIGNATURE_INVALID',
    'TRANSACTION_FAILED',
    'NO_FAUCET',
    'CHAIN_UNAVAILABLE',
  ],
  async answer({ body: { signedTransaction } }, { services }) {
    const chain = testChainOf(services);
    const decoded = decodeSentTransaction(signedTransaction);
    if (!decoded.ok) throw undecodableTransactionRejection(decoded.reason);
    const { bytes: wire, signatures, message } = decoded.transaction;
    const isSigned = signatures.every((each, index) => {
      const key = message.accountKeys[index];
      return key !== undefined && verify(key, message.bytes, each);
    });
    if (!isSigned) throw rejection('SIGNATURE_INVALID', 'The transfer is not signed by its sender.');
    // Simulate first: the chain would drop a failing transaction without a trace.
    const { error } = await chain.simulate(wire);
    if (error !== undefined) throw transferFailedRejection(error);
    const signature = transactionSignature(wire);
    await chain.send(wire);
    for (let polls = 0; polls < MAX_POLLS; polls++) {
      const [status] = await chain.statuses([signature]);
      if (status?.error !== undefined) throw transferFailedRejection(status.error);
      if (status !== undefined && status.commitment !== 'processed') return { signature };
      await sleep(ASK_EVERY);
    }
    throw new ChainUnavailable(
      'the embedded chain has not confirmed the transfer in time; check the signature or try again',
    );
  },
});

function transferFailedRejection(error: string) {
  return rejection('TRANSACTION_FAILED', `The chain rejected the transfer: ${error}.`);
}
