/** Converts a link's recorded actions into instructions, and into the lines that the next till's address commits to. */
import {
  createApproveInstruction,
  createBurnCheckedInstruction,
  createRevokeInstruction,
} from '@solana/spl-token';
import { TOKEN_2022_PROGRAM, type TransferFee } from 'levy-solana-wire';
import type { KeyPair } from '../../chain/keys.ts';
import { memoInstruction } from '../../chain/memo-instruction.ts';
import { transferSol } from '../../chain/payment-instructions.ts';
import { tokenInstruction } from '../../chain/web3-instruction.ts';
import type { LinkAction, RecordedLink } from '../../streams/distribution.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { closePot, guardOf } from '../once/meter.ts';
import { solAccountOf, type TillAction, type TillLink, tillOf } from '../once/till-chain.ts';
import { guardProceeds, guardTokens, saleInstructions } from '../selling/sale-instructions.ts';
import type { Sale, SaleVenue, VenueName } from '../selling/sale-venue.ts';

/** Chain state read when a link is signed. It may differ between two signatures of the same content. */
interface LinkConditions {
  /** Transfer fee in the current epoch. */
  readonly tax: TransferFee;
  /** Current rent of a wrapped-SOL account, in lamports. */
  readonly rent: bigint;
}

type LinkOf = Pick<RecordedLink, 'number' | 'previous'> & { readonly actions: readonly LinkAction[] };

/** Adds the address of the till that the link creates. */
export function recordLink(link: LinkOf, token: DistributedToken): RecordedLink {
  const { number, previous, actions } = link;
  return { number, previous, till: tillOf(contentOf(link, token)).address, actions: [...actions] };
}

/** False if the till does not commit to the link's actions, which means that the log was altered. */
export function isTrueToContent(link: RecordedLink, token: DistributedToken): boolean {
  return tillOf(contentOf(link, token)).address === link.till;
}

/** Builds the link with the instructions of its actions. */
export function linkOf(link: LinkOf, token: DistributedToken, conditions: LinkConditions): TillLink {
  return {
    ...contentOf(link, token),
    actions: link.actions.map((action) => ({
      ...effectOf(action, token, conditions),
      content: contentLine(action, token),
    })),
  };
}

/** Keys that sign a link, the payer first. `delegates` returns a run's key by its address. */
export function signersOf(
  { actions }: Pick<RecordedLink, 'actions'>,
  token: DistributedToken,
  delegates: (address: string) => KeyPair,
  venueOf: (name: VenueName) => SaleVenue,
): readonly KeyPair[] {
  const { distributor, wallet } = token;
  const others = actions.flatMap((action) => {
    if (action.kind === 'sell') return venueOf(action.venue).signers(saleOf(action, token));
    return action.kind === 'revoke' && action.left !== '0' ? [delegates(action.delegate)] : [];
  });
  const keys = [distributor, wallet, ...others];
  return [...new Map(keys.map((key) => [key.address, key])).values()];
}

function contentOf(link: LinkOf, token: DistributedToken): TillLink {
  return {
    wallet: token.wallet.address,
    number: link.number,
    previous: link.previous ?? undefined,
    actions: link.actions.map((action) => ({ content: contentLine(action, token) })),
  };
}

function contentLine(action: LinkAction, { mint }: DistributedToken): string {
  switch (action.kind) {
    case 'burn':
      return `burn ${mint} ${action.amount}`;
    case 'sell': {
      const { venue, market, amount, minimum, tokensAfter, tillAfter } = action;
      return `sell ${mint} ${amount} at ${venue} ${market} for ${minimum} leaving ${tokensAfter} and ${tillAfter}`;
    }
    case 'memo':
      return `memo ${action.text}`;
    case 'open':
      return `open ${action.pot} ${action.seed} ${action.allowance}`;
    case 'approve':
      return `approve ${mint} ${action.delegate} ${action.allowance}`;
    case 'close':
      return `close ${action.pot} ${action.left} ${action.rent}`;
    case 'revoke':
      return `revoke ${mint} ${action.delegate} ${action.left}`;
  }
}

function effectOf(
  action: LinkAction,
  token: DistributedToken,
  { tax, rent }: LinkConditions,
): Omit<TillAction, 'content'> {
  const { mint, decimals, tokens, distributor } = token;
  const wallet = token.wallet.address;
  switch (action.kind) {
    case 'burn': {
      const burn = tokenInstruction(
        createBurnCheckedInstruction,
        tokens,
        mint,
        wallet,
        BigInt(action.amount),
        decimals,
        [],
        TOKEN_2022_PROGRAM,
      );
      return { collect: () => [burn] };
    }
    case 'sell': {
      const sale = saleOf(action, token);
      const accounts = (till: string) => ({ wallet, tokens, till, tax });
      return {
        collect: (till) => saleInstructions(sale, accounts(till)),
        spend: (till) => [
          ...guardTokens(sale, accounts(till), BigInt(action.tokensAfter)),
          ...guardProceeds(sale, accounts(till), BigInt(action.tillAfter) - sale.minimum),
        ],
      };
    }
    case 'memo':
      return { spend: () => [memoInstruction([wallet], action.text)] };
    case 'open': {
      const { pot, seed } = action;
      const allowance = BigInt(action.allowance);
      return {
        spend: (till) => [
          ...solAccountOf({ address: pot, seed, wallet, payer: distributor.address, rent }),
          transferSol({ from: till, to: pot, authority: wallet, lamports: allowance }),
          tokenInstruction(createApproveInstruction, pot, distributor.address, wallet, allowance),
        ],
      };
    }
    case 'approve': {
      const approval = tokenInstruction(
        createApproveInstruction,
        tokens,
        action.delegate,
        wallet,
        BigInt(action.allowance),
        [],
        TOKEN_2022_PROGRAM,
      );
      return { spend: () => [approval] };
    }
    case 'close': {
      const { pot, left, rent: lent } = action;
      const closed = {
        address: pot,
        owner: wallet,
        delegate: distributor.address,
        asset: { kind: 'sol' },
      } as const;
      return {
        collect: (till) => closePot(closed, BigInt(left), till),
        rentReturned: BigInt(lent),
      };
    }
    case 'revoke': {
      const asset = { kind: 'token', mint, decimals, tax } as const;
      const pot = { address: tokens, owner: wallet, delegate: action.delegate, asset };
      // At 0 the token program has removed the delegate, which then cannot sign the guard.
      const guards = action.left === '0' ? [] : [guardOf(pot, BigInt(action.left))];
      const revoke = tokenInstruction(createRevokeInstruction, tokens, wallet, [], TOKEN_2022_PROGRAM);
      return { spend: () => [...guards, revoke] };
    }
  }
}

function saleOf(action: Extract<LinkAction, { kind: 'sell' }>, { mint, decimals }: DistributedToken): Sale {
  const { venue, market, amount, minimum } = action;
  return { venue, mint, decimals, market, amount: BigInt(amount), minimum: BigInt(minimum) };
}
