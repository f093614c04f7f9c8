/**
 * The chain port over a faulty network: nodes that are behind, that forget, that leave accounts out, that do not answer.
 * They invent nothing, and keep what the port promises: what ignores the least slot is refused by the adapter, and so here.
 */
import type { ChainAccount, Commitment } from '../../../src/kernel/ports/chain.ts';
import { type Chain, ChainBehind, ChainUnavailable } from '../../../src/kernel/ports/chain.ts';
import type { FaultyNetwork } from './faulty-network.ts';
import type { View } from './forking-ledger.ts';
import type { Random } from './random.ts';

const ACCOUNTS_PER_CALL = 100;
const TOKEN_ACCOUNTS_PER_PAGE = 5;
const FIRST_SLOT = 1_000;

export function createFaultyChain(network: FaultyNetwork, random: Random): Chain {
  const draws = random.of('nodes');
  const hiding = random.of('hidden accounts');
  const { ledger } = network;

  /** Time passes with every call, and some are not answered. */
  async function called<Result>(answer: () => Result): Promise<Result> {
    const { haste, failing } = network.weather;
    network.pass(draws.between(0, haste));
    if (!draws.chance(failing)) return answer();
    if (draws.chance(0.5)) answer();
    throw new ChainUnavailable('the node does not answer');
  }

  function view(commitment: Commitment, atLeastSlot = 0n): View {
    const { stale, furthestBehind } = network.weather;
    const newest = commitment === 'finalized' ? ledger.finalized() : ledger.slot();
    const behind = draws.chance(stale) ? draws.between(1, furthestBehind) : 0;
    const dropped = ledger.dropped();
    const seen =
      commitment === 'confirmed' && behind > 0 && dropped.length > 0 && draws.chance(0.3)
        ? draws.pick(dropped)
        : ledger.at(Math.max(FIRST_SLOT, newest - behind));
    if (BigInt(seen.slot) < atLeastSlot) throw new ChainBehind('the node has not reached the slot');
    return seen;
  }

  const copied = (account: ChainAccount | undefined, maxData?: number): ChainAccount | undefined =>
    account && {
      owner: account.owner,
      lamports: account.lamports,
      data: Uint8Array.from(account.data.subarray(0, maxData)),
    };

  function shownBy(seen: View, address: string, maxData?: number): ChainAccount | undefined {
    return hiding.chance(network.weather.hidden) ? undefined : copied(seen.account(address), maxData);
  }

  function accountsAt(
    addresses: readonly string[],
    commitment: Commitment,
    { atLeastSlot, maxData }: { readonly atLeastSlot?: bigint; readonly maxData?: number } = {},
  ) {
    if (addresses.length > ACCOUNTS_PER_CALL) throw new RangeError('more accounts than one call takes');
    return called(() => {
      const seen = view(commitment, atLeastSlot);
      return {
        slot: BigInt(seen.slot),
        accounts: addresses.map((address) => shownBy(seen, address, maxData)),
      };
    });
  }

  const chain = {
    genesisHash: () => called(() => '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'),
    recentBlockhash: () =>
      called(() => {
        const { blockhash } = view('confirmed');
        return { blockhash, lastValidBlockHeight: BigInt(ledger.lastValidHeight(blockhash)) };
      }),
    tip: (commitment) =>
      called(() => {
        const slot = BigInt(view(commitment).slot);
        return { slot, blockHeight: slot };
      }),
    slotMilliseconds: () => called(() => undefined),
    slotLeader: () => called(() => '1'.repeat(32)),
    epoch: () => called(() => ledger.epoch()),
    accountsAt,
    accounts: async (addresses, commitment, options) =>
      (await accountsAt(addresses, commitment, options)).accounts,
    tokenAccounts: (
      mint: string,
      {
        after: place,
        changedSinceSlot,
        atLeastSlot = 0n,
        inOneAnswer = false,
      }: {
        readonly after?: string;
        readonly changedSinceSlot?: bigint;
        readonly atLeastSlot?: bigint;
        readonly inOneAnswer?: boolean;
      } = {},
    ) =>
      called(() => {
        const [first = '0', after] = place?.split('/') ?? [];
        const seen = view(
          'finalized',
          [atLeastSlot, changedSinceSlot ?? 0n, BigInt(first)].reduce((most, each) =>
            each > most ? each : most,
          ),
        );
        const page = seen
          .tokenAccounts(mint)
          .filter(({ address }) => after === undefined || address > after)
          .filter(
            ({ address, account }) =>
              changedSinceSlot === undefined ||
              !sameData(
                ledger.at(Math.max(FIRST_SLOT, Number(changedSinceSlot) - 1)).account(address),
                account,
              ),
          );
        const shown = inOneAnswer ? page : page.slice(0, TOKEN_ACCOUNTS_PER_PAGE);
        return {
          slot: BigInt(seen.slot),
          accounts: shown.map(({ address, account }) => ({ address, account: copied(account) ?? account })),
          next:
            page.length > shown.length
              ? `${place === undefined ? seen.slot : first}/${shown.at(-1)?.address}`
              : undefined,
        };
      }),
    balance: (address) => called(() => shownBy(view('confirmed'), address)?.lamports ?? 0n),
    rentExemption: (size) => called(() => ledger.rent(size)),
    recentPrices: () => called(() => []),
    simulate: (wire) => called(() => ledger.simulate(wire)),
    send: (wire) => called(() => network.send(Uint8Array.from(wire))),
    statuses: (signatures) =>
      called(() => {
        const seen = [...view('confirmed').transactions()];
        return signatures.map((signature) => {
          if (draws.chance(network.weather.forgetful)) return undefined;
          const landed = seen.find((transaction) => transaction.signature === signature);
          return (
            landed && {
              slot: landed.slot,
              error: landed.error,
              commitment: landed.slot <= ledger.finalized() ? ('finalized' as const) : ('confirmed' as const),
            }
          );
        });
      }),
    signaturesOf: (address, { before, until, limit, commitment, atLeastSlot }) =>
      called(() => {
        // The index is written behind the blocks.
        const missing = draws.chance(network.weather.forgetful) ? draws.between(1, 20) : 0;
        const seen = view(commitment, atLeastSlot);
        const named = [
          ...ledger.at(Math.max(FIRST_SLOT, Math.min(seen.slot, ledger.slot()) - missing)).transactions(),
        ].filter(({ names }) => names.includes(address));
        const placeOf = (wanted: string) => named.findIndex(({ signature }) => signature === wanted);
        const from = before === undefined ? 0 : placeOf(before) + 1;
        if (before !== undefined && from === 0) throw new ChainUnavailable('the node does not know `before`');
        const to = until === undefined ? -1 : placeOf(until);
        return named
          .slice(from, Math.min(from + limit, to === -1 ? named.length : to))
          .map(({ signature, slot, error }) => ({
            signature,
            slot,
            error,
            memo: undefined,
            blockTime: undefined,
          }));
      }),
    firstSlot: async () => BigInt(FIRST_SLOT),
    transaction: (signature, commitment) =>
      called(() => {
        if (draws.chance(network.weather.forgetful)) return undefined;
        const landed = [...view(commitment).transactions()].find((seen) => seen.signature === signature);
        return landed && { ...landed, wire: Uint8Array.from(landed.wire), logs: [...landed.logs] };
      }),
    airdrop: () => Promise.reject(new ChainUnavailable('nobody gives lamports away here')),
  } satisfies Chain;
  return chain;
}

function sameData(one: ChainAccount | undefined, other: ChainAccount): boolean {
  return one !== undefined && one.lamports === other.lamports && Buffer.compare(one.data, other.data) === 0;
}
