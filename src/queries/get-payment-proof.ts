/** Returns a wallet's payment in a run with its offline proof, up to the signed checkpoint of the transparency log. */

import { Type } from '@sinclair/typebox';
import { PAYMENT_PROOF } from 'levy-transparency-log';
import type { LedgerServices } from '../distribution/ledger/open-ledgers.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import type { EventProof, LogServices } from '../proof/transparency/published-log.ts';
import { Sha256 } from '../streams/distribution.ts';
import { distributionRun } from '../streams/distribution-run.ts';
import { rejection } from '../streams/rejections.ts';
import { described } from '../streams/value-types.ts';
import { WalletReference } from '../views/address-params.ts';
import { TokenReference } from '../views/token-access.ts';
import { getPayment, provedPayments } from './get-payment.ts';
import { PaymentView, provedFields } from './payment-views.ts';

const proved = { payment: PaymentView, ...provedFields };

export const getPaymentProof = queriesFor<
  RuntimeServices & Pick<LedgerServices, 'runLedgers'> & LogServices
>()({
  name: 'GetPaymentProof',
  summary: "Get the proof of a wallet's payment as one file",
  description:
    'File with all parts of the proof: the record, its path to the root of the ledger, the event that recorded ' +
    'that root, its path to the root of the transparency log, and the signed checkpoint. `levy verify` and ' +
    '`examples/verify-payment.mjs --proof` check it without the service. For a wallet that is not in the ' +
    'ledger, the response is that of `GET /distribution/{tokenId}/runs/{runId}/payments/{wallet}`.',
  route: {
    method: 'GET',
    url: '/distribution/:tokenId/runs/:runId/payments/:wallet/proof',
    auth: 'optional',
  },
  input: { params: Type.Object({ tokenId: TokenReference, runId: Uuid, wallet: WalletReference }) },
  output: Type.Object({
    format: Type.Literal(PAYMENT_PROOF),
    ...proved,
    root: described(Sha256, 'Root of the ledger, also in the event.'),
    others: Type.Optional(Type.Array(Type.Object(proved, { title: 'DistributionPaymentOfProof' }))),
    event: Type.Object(
      {
        id: Uuid,
        type: Type.String({ examples: ['RunAllotted'] }),
        stream: Type.String({ examples: ['run-7c9e6679-7425-40de-944b-e07fc1f90ae7'] }),
        revision: Type.Integer({ minimum: 0, examples: [3] }),
        data: Type.Record(Type.String(), Type.Unknown(), { examples: [{}] }),
        metadata: Type.Record(Type.String(), Type.Unknown(), { examples: [{}] }),
      },
      {
        title: 'LoggedEvent',
        description: 'The SHA-256 of its canonical JSON (RFC 8785) is the entry of the log.',
      },
    ),
    log: Type.Object(
      {
        key: Type.String({
          description: 'Verifier key of the log. Compare it with a key from another source.',
          examples: ['levy.example/log+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'],
        }),
        proof: Type.String({
          description: 'A C2SP `tlog-proof` of the event.',
          examples: ['c2sp.org/tlog-proof@v1\nindex 0\n\nlevy.example/log\n1\n…'],
        }),
      },
      { title: 'LogProof' },
    ),
  }),
  rejections: [...getPayment.rejections],
  async answer(input, { services, call }) {
    const { answer } = await provedPayments(input.params, services, call.actor);
    const stream = `${distributionRun.category}-${input.params.runId}`;
    const { event, key, proof } = requireProved(
      await services.publishedLog.proveFirst(stream, 'RunAllotted'),
    );
    const { id, type, revision, data, metadata } = event;
    const whole = {
      format: PAYMENT_PROOF,
      ...answer,
      event: { id, type, stream, revision, data, metadata },
      log: { key, proof },
    } as const;
    return new TaggedAnswer(whole);
  },
});

function requireProved(found: EventProof) {
  if (found.outcome === 'proved') return found;
  throw rejection(
    'STORE_UNAVAILABLE',
    found.outcome === 'changed'
      ? 'The recorded event differs from its entry in the transparency log; an operator must investigate.'
      : 'The transparency log has not published this run yet; try again.',
    { retryAfterSeconds: found.outcome === 'changed' ? 60 : 1 },
  );
}
