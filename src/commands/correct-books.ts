/**
 * Corrects wrong balances in the log of a token's distribution. An operator states the wallet's balances, and the
 * chain must show the same ones. When the distribution is resumed, the unpaid part of the open run is decided again.
 */

import { Type } from '@sinclair/typebox';
import { addressBytes, associatedTokenAddress, sameBytes } from 'levy-solana-wire';
import { readTokenAccount } from '../chain/token-accounts.ts';
import type { DraftServices } from '../drafts/services.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { BooksCorrected, type DistributionState, distribution } from '../streams/distribution.ts';
import { rejection } from '../streams/rejections.ts';
import { Amount, described } from '../streams/value-types.ts';
import {
  DistributionParams,
  DistributionStatus,
  distributionIn,
  requireTokenOf,
  statusOf,
} from './distribution-status.ts';
import { Reason, readReason } from './operator-reason.ts';

const Body = Type.Object(
  {
    tokenAmount: described(Amount, "Base units in the distribution wallet's own account of the token."),
    lamports: described(Amount, 'Wrapped lamports in the last till, without its rent.'),
    reason: Reason,
  },
  {
    additionalProperties: false,
    examples: [
      { tokenAmount: '1250000', lamports: '88880000', reason: 'Two explorers show less than the node did.' },
    ],
  },
);

/** Finalized balances of the distribution wallet. */
export interface BooksReading {
  readonly slot: bigint;
  /** Undefined if the account does not exist at that slot. */
  readonly tokens: bigint | undefined;
  readonly lamports: bigint | undefined;
  /** True if a link that is recorded as pending has landed. */
  readonly hasLanded: boolean;
}

export const correctBooks = commandsFor<DraftServices>()({
  name: 'CorrectBooks',
  summary: "Correct the balances of a token's distribution",
  description:
    'Corrects a wrong balance that a faulty node caused in the log of a halted distribution. Send the balances that ' +
    "other nodes show. They must equal the finalized balances at the service's node. When the distribution is " +
    'resumed, an open run uses the corrected balances. Refused if the pots of the open run are on the chain, ' +
    'because payments may have landed.',
  route: {
    method: 'POST',
    url: '/operator/distributions/:tokenId/correct',
    auth: 'operator',
    limit: 'operator',
  },
  input: { params: DistributionParams, body: Body },
  output: DistributionStatus,
  rejections: ['TOKEN_NOT_FOUND', 'CORRECTION_REFUSED', 'CONCURRENT_CHANGE', 'CHAIN_UNAVAILABLE'],
  stream: distribution,
  streamId: distributionIn,
  async prepare(input, { services: { executor, chain, keyring } }) {
    const reason = readReason(input.body.reason);
    const { created } = await requireTokenOf(input, executor);
    const { state } = await executor.load(distribution, distributionIn(input));
    const { mintAddress, walletId } = created.token;
    const wallet = keyring.distributionWallet(walletId).address;
    return { reason, till: state.till?.address, shown: await readBooks(chain, wallet, mintAddress, state) };
  },
  decide(state, input, { reason, till, shown }) {
    const { tokenAmount: tokens, lamports } = input.body;
    const current = correctableTill(state);
    if (current.address !== till)
      throw rejection('CONCURRENT_CHANGE', 'The distribution has changed; read it again.');
    if (shown.hasLanded)
      throw correctionRejection(
        'A pending link has landed; resume the distribution first, so that the link is recorded as landed.',
      );
    if (shown.tokens !== BigInt(tokens) || shown.lamports !== BigInt(lamports))
      throw correctionRejection(
        `The node shows other balances at slot ${shown.slot}: ${shown.tokens ?? 'no'} base units and ${shown.lamports ?? 'no'} lamports.`,
      );
    const { open, corrected } = state;
    const isSo = current.lamports === lamports && (open === undefined || corrected?.tokens === tokens);
    if (isSo) return [];
    return [
      BooksCorrected({
        tokenId: distributionIn(input),
        runId: open?.runId ?? null,
        tokens,
        lamports,
        slot: shown.slot.toString(),
        reason,
      }),
    ];
  },
  respond: statusOf,
});

function correctableTill({ halted, till, landed }: DistributionState) {
  if (halted === undefined) throw correctionRejection('The distribution is running; halt it first.');
  if (till === undefined)
    throw correctionRejection('The token has no till yet, so no balance needs a correction.');
  if (landed.some(({ purpose }) => purpose === 'open'))
    throw correctionRejection(
      'The pots of the open run are on the chain, so payments may have landed. Send the missing amount to the wallet instead.',
    );
  return till;
}

/** Reads all balances at one finalized slot. */
async function readBooks(
  chain: Pick<Chain, 'accountsAt'>,
  wallet: string,
  mint: string,
  { till, pending }: Pick<DistributionState, 'till' | 'pending'>,
): Promise<BooksReading> {
  if (till === undefined) return { slot: 0n, tokens: undefined, lamports: undefined, hasLanded: false };
  const owner = addressBytes(wallet);
  const recorded = pending.map((link) => link.till);
  const { slot, accounts } = await chain.accountsAt(
    [associatedTokenAddress(wallet, mint), till.address, ...recorded],
    'finalized',
    { atLeastSlot: BigInt(till.slot) },
  );
  const [tokens, lamports, ...others] = accounts.map((account) => {
    const shown = account && readTokenAccount(account);
    return shown !== undefined && sameBytes(shown.owner, owner) ? shown.amount : undefined;
  });
  return { slot, tokens, lamports, hasLanded: others.some((amount) => amount !== undefined) };
}

function correctionRejection(message: string) {
  return rejection('CORRECTION_REFUSED', message);
}
