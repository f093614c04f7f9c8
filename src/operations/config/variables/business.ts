/** Promotions and distributions. */
import { address, amount, duration, oneOf, percentage, wholeNumber } from '../value-kinds.ts';
import { advanced, variable, variableOrElse } from '../variable.ts';

export const business = {
  treasury: variableOrElse(
    'TREASURY_ADDRESS',
    address,
    { value: undefined, shown: 'on the local chain an address derived from the master seed, elsewhere none' },
    'The address that receives payments for promotions. Without it, promotions are not sold.',
  ),
  featuredPricePerDay: advanced(
    'You set your own price.',
    variable(
      'FEATURED_PRICE_PER_DAY',
      amount('lamports'),
      '100000000',
      'The price of a day on the featured list.',
    ),
  ),
  maxTransferFeeBasisPoints: advanced(
    'You accept no such taxes, or higher ones.',
    variable(
      'MAX_TRANSFER_FEE_PERCENT',
      percentage,
      '10',
      'The highest tax that the service accepts for a token.',
    ),
  ),
  distributionAnnounceMs: advanced(
    'Holders should be able to check a ledger before it is paid.',
    variable(
      'DISTRIBUTION_ANNOUNCE',
      duration('0s', '168h'),
      '0s',
      'How long a run waits between the publication of its ledger and the first payment.',
    ),
  ),
  distributionHolding: advanced(
    'Wallets hold for the moment of a scan only.',
    variable(
      'DISTRIBUTION_HOLDING',
      oneOf('now', 'least-of-two'),
      'now',
      "What counts as a holder's balance: `now` is the one at the run's scan, `least-of-two` the lesser of it and the one at the scan before. " +
        "A token's first run goes by `now`.",
    ),
  ),
  distributionMinPayout: advanced(
    'Payments are so small that their fees are a large part of them.',
    variable(
      'DISTRIBUTION_MIN_PAYOUT',
      amount('lamports'),
      '10000',
      'The smallest payment in SOL. Below it, a wallet stays owed what it earned until a later run.',
    ),
  ),
  distributionSelfCostsPerDay: advanced(
    'Distributions in tokens cost you too much, or wait for the next day.',
    variable(
      'DISTRIBUTION_SELF_COSTS_PER_DAY',
      amount('lamports'),
      '5000000',
      'The most that distributions in the token itself may cost the operator for a token in a day: nothing repays their fees.',
    ),
  ),
  distributionTokensAtOnce: advanced(
    "The provider's limit on calls is reached, or due runs wait for each other.",
    variable(
      'DISTRIBUTION_TOKENS_AT_ONCE',
      wholeNumber(1, 1_000, 'tokens'),
      '16',
      'The number of tokens whose runs advance side by side.',
    ),
  ),
} as const;
