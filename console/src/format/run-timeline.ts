/** Titles, descriptions and results of the steps of a run. */
import type { DistributionRunDetail, DistributionRunStepTaken } from 'levy-client';

type Step = DistributionRunStepTaken;

export const STEPS: { readonly [Name in Step['step']]: { readonly title: string; readonly does: string } } = {
  begin: { title: 'Begin', does: 'Creates the account that the token’s runs use.' },
  scan: { title: 'Scan', does: 'Reads all accounts of the token.' },
  collect: { title: 'Collect', does: 'Collects the withheld tax.' },
  split: { title: 'Split', does: 'Burns a part of the collected tax, and sells a part.' },
  allot: { title: 'Allot', does: 'Computes each owner’s payment and records the ledger.' },
  announce: {
    title: 'Announce',
    does: 'Waits for the announced time: the ledger is public, nothing is paid yet.',
  },
  open: { title: 'Open', does: 'Opens the payment accounts.' },
  pay: { title: 'Pay', does: 'Pays the owners, batch by batch.' },
  close: {
    title: 'Close',
    does: 'Closes the payment accounts, checks the books and writes the settlement.',
  },
};

/** `token` and `paid`: base units of the token and of the reward asset; `sol`: lamports. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly unit?: 'token' | 'paid' | 'sol';
}

/** Results of a finished step. Each step occurs once per run. */
export function factsAfter(run: DistributionRunDetail, { step, endedAt, batchCount }: Step): readonly Fact[] {
  if (endedAt === null && step !== 'pay') return [];
  const { amounts, scanned, ledger, pots, sale, asset } = run;
  const known = (name: string, value: string | null | undefined, unit: Fact['unit']): readonly Fact[] =>
    value === null || value === undefined ? [] : [{ name, value, ...(unit && { unit }) }];
  switch (step) {
    case 'scan':
      return [
        ...known('Owners', scanned?.ownerCount.toString(), undefined),
        ...known('Accounts', scanned?.accounts.toString(), undefined),
        ...known('Tax withheld', scanned?.withheld, 'token'),
        ...known('Supply', scanned?.supply, 'token'),
      ];
    case 'collect':
      return known('Collected', amounts.collected, 'token');
    case 'split':
      return [
        ...known('Burned', amounts.burned, 'token'),
        ...(asset === 'sol' ? known('Sold', together(amounts.soldParts), 'token') : []),
        ...known('Carried over', together(amounts.keptAfter), 'token'),
        ...(asset === 'sol' ? known('Proceeds', amounts.proceeds, 'sol') : []),
        ...(sale?.unsold ? known('Not sold', sale.unsold.detail ?? sale.unsold.code, undefined) : []),
        ...known('For holders', amounts.holders, 'paid'),
        ...known('For the developer', amounts.developer, 'paid'),
        ...known('For the distributor’s costs', amounts.costs, 'paid'),
      ];
    case 'allot':
      return [
        ...known('Records', ledger?.records.toString(), undefined),
        ...known('To be paid', amounts.planned, 'paid'),
        ...known('Shares of holders', amounts.allotted, 'paid'),
      ];
    case 'open':
      return known('Payment accounts', String(pots.length), undefined);
    case 'pay':
      return [
        ...known('Paid', amounts.paid, 'paid'),
        ...known('Payments', run.paymentCount.toString(), undefined),
        ...known('Transactions', batchCount.toString(), undefined),
      ];
    case 'close':
      return [...known('Paid', amounts.paid, 'paid'), ...known('Still owed', amounts.owedAfter, 'paid')];
    default:
      return [];
  }
}

function together(parts: { readonly developer: string; readonly holders: string } | null): string | null {
  return parts && (BigInt(parts.developer) + BigInt(parts.holders)).toString();
}
