/**
 * Checks the service's promises against the log and the chain: every promotion has a final payment, every launch has locked
 * liquidity, every run uses the creator's settings, and only the creator changes settings.
 */
import { NATIVE_MINT } from 'levy-solana-wire';
import { instructionsIn } from '../../../chain/landed-instructions.ts';
import { readPool } from '../../../chain/venue/judge-launch.ts';
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import type { DistributionEvent, DistributionState } from '../../../streams/distribution.ts';
import { draft } from '../../../streams/draft.ts';
import type { DraftState } from '../../../streams/draft-state.ts';
import type { FeaturedListEvent } from '../../../streams/featured-list.ts';
import type { LaunchEvent } from '../../../streams/launch.ts';
import { type TokenState, token } from '../../../streams/token.ts';
import { type AuditNode, unlessUnavailable } from '../chain/audit-node.ts';
import { solTransferIn } from '../chain/landed-transactions.ts';
import { CHECKS } from '../checks.ts';
import { type Place, recordedAt } from '../finding.ts';
import type { AuditedEvent, Visitor } from '../log/audit-log.ts';
import type { CheckNotes, Notebook } from '../report.ts';
import { auditSale } from './audit-sale.ts';

/** Maximum time between reading the settings and recording the run, in milliseconds. */
const OPENING_TAKES = 60_000;

/** `node`: undefined if the chain is not read; checks that need it are skipped. */
export function auditPromises(node: AuditNode | undefined, notebook: Notebook): Visitor {
  const promotions = notebook.check(CHECKS.promotions);
  const launches = notebook.check(CHECKS.launches);
  const settings = notebook.check(CHECKS.settings);
  const pinned = notebook.check(CHECKS.pinned);
  const prices = notebook.check(CHECKS.prices);
  if (node === undefined) launches.skipped('no chain was given');
  return async (met) => {
    const { event } = met;
    switch (event.type) {
      case 'PromotionStarted':
        return auditPromotion(met, node, promotions);
      case 'LaunchStarted':
        return node === undefined ? undefined : auditLaunch(met, node, launches);
      case 'DistributionSettingsUpdated':
        return auditChange(event, (met.before as TokenState)?.created.creator, settings);
      case 'OwnersListed': {
        const { state } = await met.states.at(
          `${token.category}-${String(event.data.tokenId)}`,
          event.position,
        );
        return auditChange(event, (state as TokenState)?.created.creator, settings);
      }
      case 'LinksRecorded':
        return auditSale(
          event as Recorded<Extract<DistributionEvent, { type: 'LinksRecorded' }>>,
          met.before as DistributionState,
          prices,
          { ...recordedAt(event), tokenId: String(event.data.tokenId), runId: String(event.data.runId) },
        );
      case 'RunOpened':
        return auditOpening(met, pinned);
      default:
        return undefined;
    }
  };
}

async function auditPromotion(
  { event, states }: AuditedEvent,
  node: AuditNode | undefined,
  notes: CheckNotes,
): Promise<void> {
  const { data } = event as Recorded<Extract<FeaturedListEvent, { type: 'PromotionStarted' }>>;
  const { transactionId, signature, creator, promotion } = data;
  const place = { ...recordedAt(event), signature, tokenId: promotion.tokenId };
  notes.checked();
  const { state } = await states.at(`${draft.category}-${transactionId}`, event.position);
  const payment = state as DraftState;
  const landed = 'landed' in payment ? payment.landed.signature : 'none';
  notes.equal('a promotion starts when its payment is final', 'finalized', payment.status, place);
  notes.equal('a promotion names its payment', landed, signature, place);
  if (node === undefined) return;
  await unlessUnavailable(notes, 'a promotion was paid for', place, async () => {
    const shown = await node.transaction(signature, 'finalized');
    // The check of submissions reports missing transactions.
    if (shown === undefined) return;
    const landed = shown.error === undefined ? instructionsIn(shown.wire) : undefined;
    const paid = (landed?.instructions ?? []).map(solTransferIn).reduce((sum, transfer) => {
      const isPayment = transfer?.from === creator && transfer.to === promotion.treasury;
      return isPayment ? sum + transfer.lamports : sum;
    }, 0n);
    notes.equal('a promotion was paid for', BigInt(promotion.price), paid, {
      ...place,
      account: promotion.treasury,
    });
  });
}

async function auditLaunch({ event }: AuditedEvent, node: AuditNode, notes: CheckNotes): Promise<void> {
  const { data } = event as Recorded<Extract<LaunchEvent, { type: 'LaunchStarted' }>>;
  const { launch, creator, signature } = data;
  const place = { ...recordedAt(event), account: launch.poolAddress, signature, tokenId: launch.tokenId };
  notes.checked();
  await unlessUnavailable(notes, 'the liquidity of a launch is locked', place, async () => {
    const [account] = await node.accounts([launch.poolAddress], 'finalized');
    const pool = account && readPool(account);
    if (pool === undefined) {
      notes.add({ what: 'a launch has its pool', expected: 'a pool of the venue', found: 'none', ...place });
      return;
    }
    notes.equal('a pool is of the launched token', launch.mintAddress, pool.tokenMint, place);
    notes.equal('a pool is paid in SOL', NATIVE_MINT, pool.quoteMint, place);
    notes.equal("a pool is the creator's", creator, pool.creator, place);
    notes.atLeast(
      'the liquidity of a launch is locked',
      BigInt(launch.liquidity),
      pool.lockedLiquidity,
      place,
    );
  });
}

function auditChange(event: Recorded, creator: string | undefined, notes: CheckNotes): void {
  notes.checked();
  notes.equal('settings are changed by the creator', creator ?? 'no token', event.metadata.actor, {
    ...recordedAt(event),
    tokenId: String(event.data.tokenId),
  });
}

async function auditOpening({ event, states }: AuditedEvent, notes: CheckNotes): Promise<void> {
  const { data } = event as Recorded<Extract<DistributionEvent, { type: 'RunOpened' }>>;
  const place = { ...recordedAt(event), tokenId: data.tokenId, runId: data.runId };
  notes.checked();
  const state = (await states.at(`${token.category}-${data.tokenId}`, event.position)).state as TokenState;
  if (state === undefined) {
    notes.add({ what: 'a run is of a token', expected: 'a token', found: 'none', ...place });
    return;
  }
  await auditSettings(state, data, { event, states, place, notes });
  notes.equal('a run distributes the mint of its token', state.created.token.mintAddress, data.mint, place);
  notes.equal(
    'a run is paid by the wallet of its token',
    state.created.token.distributionWallet,
    data.distributionWallet,
    place,
  );
}

/**
 * The engine reads the settings, then the tax from the chain, then records the run. A change recorded in between precedes the
 * run in the log and applies to the next run.
 */
async function auditSettings(
  { settings }: NonNullable<TokenState>,
  { tokenId, settings: pinned }: Extract<DistributionEvent, { type: 'RunOpened' }>['data'],
  {
    event,
    states,
    place,
    notes,
  }: Pick<AuditedEvent, 'event' | 'states'> & { readonly place: Place; readonly notes: CheckNotes },
): Promise<void> {
  const { telegramGroupId: _private, ...current } = settings;
  const all = Object.keys({ ...current, ...pinned }) as (keyof typeof current)[];
  const text = (of: Partial<typeof current> | undefined, name: keyof typeof current) =>
    JSON.stringify(of?.[name]) ?? 'absent';
  const names = all.filter((name) => text(current, name) !== text(pinned, name));
  if (names.length === 0) return;
  const begun = new Date(Date.parse(event.metadata.occurredAt) - OPENING_TAKES).toISOString();
  const recent = (await states.since(`${token.category}-${tokenId}`, begun, event.position)) as TokenState[];
  const isOneOf = recent.some((state) =>
    all.every((name) => text(state?.settings, name) === text(pinned, name)),
  );
  if (isOneOf) return;
  for (const name of names)
    notes.equal(
      `a run uses the settings of its creator: ${name}`,
      text(current, name),
      text(pinned, name),
      place,
    );
}
