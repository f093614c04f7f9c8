/** The machine with a token of ours on it, and a distribution wallet that has collected some of it and has a till. */

import { associatedTokenAddress, feeOfTransfer, type Instruction, type TransferFee } from 'levy-solana-wire';
import type { KeyPair } from '../../../src/chain/keys.ts';
import { taxedTransferInstruction } from '../../../src/chain/payment-instructions.ts';
import { linkInstructions, type TillLink, tillOf } from '../../../src/distribution/once/till-chain.ts';
import {
  guardProceeds,
  guardTokens,
  saleInstructions,
} from '../../../src/distribution/selling/sale-instructions.ts';
import type { Sale, SaleAccounts, SaleVenue } from '../../../src/distribution/selling/sale-venue.ts';
import type { Chain } from '../../../src/kernel/ports/chain.ts';
import {
  createAssociatedTokenAccountIfAbsent,
  TOKEN_ACCOUNT_SIZE,
} from '../../support/token-instructions.ts';
import * as example from '../../unit/chain/venue/launch-example.ts';
import { type Outcome, openTokenMachine, type ProgramFile, type TokenMachine } from './token-machine.ts';

const { creator, keyring, mint, tokenTerms } = example;
const SOL = 1_000_000_000n;
/** Base units that leave the creator's account; the tax is taken of them. */
const COLLECTED = 100_000_000_000_000n;

const wallet = keyring.distributionWallet('0f8fad5b-d9cb-469f-a165-70867728950e');
const payer = keyring.feePayer;
const tokens = associatedTokenAddress(wallet.address, mint.address);

export const tax: TransferFee = {
  epoch: 0n,
  basisPoints: tokenTerms.transferFeeBasisPoints,
  maximumFee: 2n ** 64n - 1n,
};

export const token: Parameters<SaleVenue['quote']>[0] = {
  mint: mint.address,
  decimals: tokenTerms.decimals,
  supply: tokenTerms.supply,
  tax,
};

/** Overrides of the engine's values for a sale. */
interface Deviation {
  readonly instructions?: (accounts: SaleAccounts) => readonly Instruction[];
  readonly keys?: readonly KeyPair[];
}

export interface SaleMachine {
  readonly machine: TokenMachine;
  readonly chain: Pick<Chain, 'accounts' | 'rentExemption' | 'airdrop'>;
  /** Base units in the wallet's account. */
  held(): bigint;
  /** Lamports in the till, without its rent. */
  inTill(): bigint;
  /** The link that sells, signed as the engine signs it: with the guards of what is held now. */
  sign(venue: SaleVenue, sale: Sale, deviation?: Deviation): Uint8Array;
  /** Signs and sends; the till moves on when it lands. */
  sell(venue: SaleVenue, sale: Sale, deviation?: Deviation): Outcome;
}

export function openSaleMachine(programs: readonly ProgramFile[] = []): SaleMachine {
  const machine = openTokenMachine(programs);
  const rent = machine.rent(TOKEN_ACCOUNT_SIZE);
  const rents = { today: rent, ofPrevious: rent };
  for (const { address } of [creator, payer, example.buyer]) machine.fund(address, 10_000n * SOL);
  machine.createToken(tokenTerms, [creator, mint]);
  machine.execute(
    [
      createAssociatedTokenAccountIfAbsent({
        payer: payer.address,
        tokenAccount: tokens,
        owner: wallet.address,
        mint: mint.address,
      }),
      taxedTransferInstruction({
        mint: mint.address,
        decimals: token.decimals,
        from: associatedTokenAddress(creator.address, mint.address),
        to: tokens,
        authority: creator.address,
        amount: COLLECTED,
        fee: feeOfTransfer(tax, COLLECTED),
      }),
    ],
    [payer, creator],
  );
  let link: TillLink = { wallet: wallet.address, number: 0, previous: undefined, actions: [] };
  machine.execute(linkInstructions(link, payer.address, rents), [payer, wallet]);

  const till = () => tillOf(link).address;
  const contentOf = ({ venue, market, amount, minimum }: Sale) =>
    `sell ${amount} at ${venue} ${market} for ${minimum}`;

  function nextLink(sale: Sale, instructions?: Deviation['instructions']): TillLink {
    const [left, carried] = [self.held() - sale.amount, self.inTill()];
    const accounts = (to: string): SaleAccounts => ({
      wallet: wallet.address,
      tokens,
      till: to,
      tax,
    });
    return {
      wallet: wallet.address,
      number: link.number + 1,
      previous: till(),
      actions: [
        {
          content: contentOf(sale),
          collect: (to) => instructions?.(accounts(to)) ?? saleInstructions(sale, accounts(to)),
          spend: (to) => [
            ...guardTokens(sale, accounts(to), left),
            ...guardProceeds(sale, accounts(to), carried),
          ],
        },
      ],
    };
  }

  const self: SaleMachine = {
    machine,
    chain: {
      accounts: async (addresses) => addresses.map((address) => machine.account(address)),
      rentExemption: async (size) => machine.rent(size),
      airdrop: async (address, lamports) => machine.fund(address, lamports),
    },
    held: () => machine.tokenAccount(tokens)?.amount ?? 0n,
    inTill: () => machine.tokenAccount(till())?.amount ?? 0n,
    sign(venue, sale, { instructions, keys = venue.signers(sale) } = {}) {
      const next = nextLink(sale, instructions);
      return machine.sign(linkInstructions(next, payer.address, rents), [payer, wallet, ...keys]);
    },
    sell(venue, sale, deviation) {
      const next = nextLink(sale);
      const outcome = machine.send(self.sign(venue, sale, deviation));
      if (outcome.error === undefined) link = next;
      return outcome;
    },
  };
  return self;
}
