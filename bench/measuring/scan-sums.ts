/** Sums of a scan that a run records beside its amounts. The benchmarks compare nothing with them. */
import { NOTHING_CARRIED } from '../../src/streams/distribution.ts';
import type { ScanSums } from '../../src/streams/scan-sums.ts';

const MINT_AT_SLOT = { slot: '1', supply: '0', withheld: '0' };

export const SUMS: ScanSums = {
  balances: '0',
  withheld: '0',
  mint: [MINT_AT_SLOT, { ...MINT_AT_SLOT, slot: '2' }],
  slack: '0',
  inOneAnswer: true,
};

const { kept: none } = NOTHING_CARRIED;

export const NO_OWN_TAX = { before: none, returned: none, after: none };
