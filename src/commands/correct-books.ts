/**
 * Corrects balances that were recorded wrongly of a token's distribution: an operator states what the wallet holds, and the chain has to
 * show the same. What the open run made of the wrong balances and did not pay is decided again when the distribution is resumed.
 */

import { Type } from '@sinclair/typebox';
import { addressBytes, associatedTokenAddress, sameBytes } from 'levy-solana-wire';
import { readTokenAccount } from '../chain/token-accounts.ts';
import type { DraftServices } from '../drafts/services.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { BooksCorrected, type DistributionState, distribution } from '../streams/distribution.ts';
import { rejection } from '../streams/rejections.ts';
import { Amount, described } from '../streams/values.ts';
import {
  DistributionParams,
  DistributionStanding,
  distributionIn,
  requireTokenOf,
  standingOf,
} from './distribution-standing.ts';
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

/** Finalized holdings. */
export interface ShownBooks {
  readonly slot: bigint;
  /** Undefined where it does not show the account. */
  readonly tokens: bigint | undefined;
  readonly lamports: bigint | undefined;
  /** A link that is recorded has landed. */
  readonly hasLanded: boolean;
}

export const correctBooks = commandsFor<DraftServices>()({
  name: 'CorrectBooks',
  summary: "Correct the balances of a token's distribution",
  description:
    'For a halted distribution whose log has a wrong balance from a faulty node. Send the balances that you ' +
    'looked up elsewhere: the correction is refused unless the node shows exactly these, finalized. An open ' +
    'run decides again by the corrected balances once the distribution is resumed. Refused when the pots of ' +
    'the open run are open, since payments may have landed.',
  route: {
    method: 'POST',
    url: '/operator/distributions/:tokenId/correct',
    auth: 'operator',
    limit: 'operator',
  },
  input: { params: DistributionParams, body: Body },
  output: DistributionStanding,
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
    requireCorrectable(state);
    if (state.till === undefined || state.till.address !== till)
      throw rejection('CONCURRENT_CHANGE', 'The distribution has changed meanwhile; read it again.');
    if (shown.hasLanded)
      throw refused(
        'A recorded link has landed: resume, so that it is recorded, before anything is corrected.',
      );
    if (shown.tokens !== BigInt(tokens) || shown.lamports !== BigInt(lamports))
      throw refused(
        `At slot ${shown.slot} the node shows ${shown.tokens ?? 'no'} base units and ${shown.lamports ?? 'no'} lamports.`,
      );
    const { open, corrected } = state;
    const isSo = state.till.lamports === lamports && (open === undefined || corrected?.tokens === tokens);
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
  respond: standingOf,
});

function requireCorrectable({ halted, till, landed }: DistributionState): void {
  if (halted === undefined) throw refused('The distribution runs: halt it first.');
  if (till === undefined) throw refused('The token has no till yet, so that nothing was recorded wrongly.');
  if (landed.some(({ purpose }) => purpose === 'open'))
    throw refused(
      'The pots of the open run are open, and payments may have landed. Send what is missing to the wallet instead.',
    );
}

/** All as one finalized slot shows it. */
async function readBooks(
  chain: Pick<Chain, 'accountsAt'>,
  wallet: string,
  mint: string,
  { till, pending }: Pick<DistributionState, 'till' | 'pending'>,
): Promise<ShownBooks> {
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

function refused(message: string) {
  return rejection('CORRECTION_REFUSED', message);
}
