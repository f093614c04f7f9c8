/** For whom each transaction of a run paid, by its allotment and the stretches of payments that it settled. */
import type { AllotmentOfRun, SettledStretch } from './ledger-files.ts';
import type { Asset, BookedBatch } from './run-books.ts';

export function bookedBatches(
  allotment: AllotmentOfRun,
  stretches: readonly SettledStretch[],
): readonly BookedBatch[] {
  const places = { sol: placesOf(allotment, 'sol'), token: placesOf(allotment, 'token') };
  return stretches.map(({ asset, pot, from, to, without, signature }) => ({
    pot,
    signature,
    payments: places[asset]
      .slice(from, to)
      .filter((_record, place) => !without.includes(from + place))
      .map((record) => ({ record, amount: allotment.records[record]?.planned ?? 0n })),
  }));
}

/** The places of the records that are paid in an asset: the payment of each number. */
function placesOf({ asset: ofRun, records }: AllotmentOfRun, asset: Asset): readonly number[] {
  return records.flatMap(({ kind, planned }, place) =>
    planned > 0n && (kind === 'debt') === (asset !== ofRun) ? [place] : [],
  );
}
