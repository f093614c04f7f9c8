/** Reads the two documents that every list of tokens needs besides the tokens' own documents. */
import { CollectionNotLive, type ReadModel } from '../kernel/ports/read-model.ts';
import { featuredList } from '../projections/featured-list.ts';
import { FEATURED_LIST } from '../streams/featured-list.ts';
import { haltOfAll } from '../views/distribution-access.ts';
import type { Surroundings } from '../views/token-card.ts';

export async function listContextAt(readModel: ReadModel, now: Date): Promise<Surroundings> {
  const [allHalted, promotions] = await Promise.all([
    whenBuilt(haltOfAll(readModel)),
    whenBuilt(readModel.get(featuredList, FEATURED_LIST)),
  ]);
  return { allHalted, featured: promotions, now };
}

/** Undefined while the read model is being built; tokens are then returned without its data. */
export async function whenBuilt<Found>(reading: Promise<Found | undefined>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof CollectionNotLive) return undefined;
    throw error;
  }
}
