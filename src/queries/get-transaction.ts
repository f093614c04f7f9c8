/**
 * Returns a transaction's state, for clients that lost the response to their submission or received a 504, and its unsigned bytes
 * while it can be signed.
 */

import { Type } from '@sinclair/typebox';
import type { Keyring } from '../chain/keys.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { transactions } from '../projections/transactions.ts';
import type { IssuedDraft } from '../streams/draft-events.ts';
import { rejection } from '../streams/rejections.ts';
import { Amount, Base64, described } from '../streams/value-types.ts';
import { LaunchCurve, launchCurve } from '../views/launch-curve.ts';
import { Transaction, transactionView } from '../views/transaction-view.ts';
import { signedByPosition, UnsignedDraft, unsignedBytes } from '../views/unsigned-draft.ts';

interface TransactionServices extends RuntimeServices {
  /** Undefined if the service shows a past state, where transactions cannot be signed. */
  readonly keyring: Positions | undefined;
}

type Positions = Pick<Keyring, 'position'>;

export const getTransaction = queriesFor<TransactionServices>()({
  name: 'GetTransaction',
  summary: 'Follow a transaction',
  description:
    'The state of a draft or a submitted transaction of the signed-in wallet. Poll it after a ' +
    '`CONFIRMATION_PENDING`, or after a lost response. While it can be signed, it includes the unsigned bytes.',
  route: { method: 'GET', url: '/transactions/:transactionId', auth: 'wallet', limit: 'transactions' },
  input: { params: Type.Object({ transactionId: Uuid }) },
  output: Type.Object(
    {
      ...Transaction.properties,
      transaction: Type.Optional(
        described(
          UnsignedDraft.properties.transaction,
          'Base64, as returned by `create-unsigned`. Only while it can be signed, until `expiresAt`.',
        ),
      ),
      cost: Type.Optional(UnsignedDraft.properties.cost),
      launch: Type.Optional(
        Type.Object(
          {
            tokenAmount: described(Amount, 'Base units that leave the wallet, including the tax.'),
            decimals: Type.Integer({ minimum: 0, maximum: 9, examples: [6] }),
            targetMarketCap: described(Amount, 'Lamports.'),
            curve: LaunchCurve,
          },
          { description: 'Only for a launch: the amount for sale and the prices.' },
        ),
      ),
    },
    {
      examples: [
        {
          ...Transaction.examples[0],
          status: 'awaiting_signature',
          signature: null,
          settledAt: null,
          transaction: Base64.examples[0],
          cost: '5015000',
        },
      ],
    },
  ),
  rejections: ['TRANSACTION_NOT_FOUND', 'NOT_TRANSACTION_OWNER', 'STORE_UNAVAILABLE'],
  async answer({ params: { transactionId } }, { services: { readModel, clock, keyring }, call }) {
    const document = await readModel.get(transactions, transactionId);
    if (document === undefined) {
      throw rejection('TRANSACTION_NOT_FOUND', 'Transaction not found.');
    }
    if (document.issued.creator !== call.actor) {
      throw rejection('NOT_TRANSACTION_OWNER', 'This transaction was issued to another wallet.');
    }
    const now = clock.now().toISOString();
    const view = { ...transactionView(document, now), ...launchOf(document.issued) };
    // A launch retains this status after its expiry, until its outcome is observed on the chain.
    if (view.status !== 'awaiting_signature' || view.expiresAt <= now || keyring === undefined) return view;
    return { ...view, ...bytesOf(document.issued, keyring) };
  },
});

function launchOf({ subject }: IssuedDraft) {
  if (subject.kind !== 'launch') return {};
  const { tokenAmount, decimals, targetMarketCap } = subject;
  return { launch: { tokenAmount, decimals, targetMarketCap, curve: launchCurve(subject) } };
}

function bytesOf({ transactionId, message, subject, cost }: IssuedDraft, keyring: Positions) {
  const transaction =
    subject.kind === 'launch'
      ? signedByPosition(message, keyring.position(transactionId))
      : unsignedBytes(message);
  return { transaction, cost };
}
