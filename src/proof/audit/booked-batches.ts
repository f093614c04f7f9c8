/** For whom each transaction of a run paid, by its allotment and the stretches of payments that it settled. */
import type { AllotmentOfRun, SettledStretch } from './ledger-files.ts';
import type { Asset, BookedBatch, BookedPayment } from './run-books.ts';

/** The payments of a batch are listed whenever they are asked for: a run has as many as it has holders. */
export function bookedBatches(
  allotment: AllotmentOfRun,
  stretches: readonly SettledStretch[],
): readonly BookedBatch[] {
  const places = { sol: placesOf(allotment, 'sol'), token: placesOf(allotment, 'token') };
  return stretches.map(({ asset, pot, from, to, without, signature }) => ({
    pot,
    signature,
    get payments(): readonly BookedPayment[] {
      const payments: BookedPayment[] = [];
      for (const [index, record] of places[asset].subarray(from, to).entries())
        if (!without.includes(from + index))
          payments.push({ record, amount: allotment.records.at(record)?.planned ?? 0n });
      return payments;
    },
  }));
}

/** The places of the records that are paid in an asset: the payment of each number. */
function placesOf({ asset: ofRun, records }: AllotmentOfRun, asset: Asset): Uint32Array {
  const places = new Uint32Array(records.length);
  let count = 0;
  let place = 0;
  for (const { kind, planned } of records) {
    if (planned > 0n && (kind === 'debt') === (asset !== ofRun)) places[count++] = place;
    place += 1;
  }
  return places.slice(0, count);
}
