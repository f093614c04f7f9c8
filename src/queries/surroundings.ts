/** Reads the data that every list of tokens shows besides the tokens' own documents: two documents, for a list of any length. */
import { CollectionNotLive, type ReadModel } from '../kernel/ports/read-model.ts';
import { featured } from '../projections/featured.ts';
import { FEATURED_LIST } from '../streams/featured-list.ts';
import { haltOfAll } from '../views/distribution-access.ts';
import type { Surroundings } from '../views/token-card.ts';

export async function surroundingsAt(readModel: ReadModel, now: Date): Promise<Surroundings> {
  const [allHalted, promotions] = await Promise.all([
    whenBuilt(haltOfAll(readModel)),
    whenBuilt(readModel.get(featured, FEATURED_LIST)),
  ]);
  return { allHalted, featured: promotions, now };
}

/** Undefined while that read model is still being built: tokens are shown without. */
export async function whenBuilt<Found>(reading: Promise<Found | undefined>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof CollectionNotLive) return undefined;
    throw error;
  }
}
