/** Counts what has come of transactions and sales, by what was recorded of them. */
import type { DistributionEvent, RewardAsset } from '../../streams/distribution.ts';
import type { DistributionRunEvent } from '../../streams/distribution-run.ts';
import { isUnsoldReason } from '../../streams/unsold-reasons.ts';
import { sumOf } from '../amounts/split.ts';
import { bucketsOf } from '../carried-over.ts';
import { ACCOUNTS_PER_HARVEST } from '../collecting/harvest-tax.ts';
import type { DistributionCounts, TransactionKind } from '../services.ts';

/** `asset`: what the open run pays. */
export function countRecorded(
  counts: DistributionCounts,
  asset: RewardAsset | undefined,
  events: readonly (DistributionEvent | DistributionRunEvent)[],
): void {
  const landed = (kind: TransactionKind, times: number) => {
    for (let index = 0; index < times; index++) counts.transaction(kind, 'landed');
  };
  for (const event of events) {
    switch (event.type) {
      case 'LinksLanded':
        landed('link', event.data.links.length);
        break;
      case 'TaxCollected':
        landed('harvest', Math.ceil(event.data.harvested / ACCOUNTS_PER_HARVEST));
        landed('withdraw', 1);
        break;
      case 'BatchesSettled':
        landed('payment', event.data.batches.length);
        break;
      case 'BatchReplanned':
        counts.transaction('payment', 'refused');
        break;
      case 'TaxSplit': {
        const { sold, unsold } = event.data;
        const isSold = sumOf(bucketsOf(sold)) > 0n;
        if (isSold && asset === 'sol') counts.sale('sold');
        else if (isUnsoldReason(unsold)) counts.sale(unsold);
        break;
      }
    }
  }
}
