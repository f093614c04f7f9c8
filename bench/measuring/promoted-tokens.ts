/** Log of a few tokens with running promotions, recorded as by the service. */
import { join } from 'node:path';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { systemClock } from '../../src/kernel/runtime/clock.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { causeOf, createExecutor } from '../../src/kernel/runtime/execute.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import { FEATURED_LIST, featuredList, PromotionStarted } from '../../src/streams/featured-list.ts';
import { streams } from '../../src/streams/index.ts';
import { token } from '../../src/streams/token.ts';
import { creationOf } from './many-tokens.ts';

const DAY = 86_400_000;

/**
 * Creates a database `levy.db` that a service can open. Resolves with the ids of the tokens, which have one creator.
 */
export async function writePromotedTokens(
  folder: string,
  { count, creator }: { readonly count: number; readonly creator: string },
): Promise<readonly string[]> {
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  const store = createSqliteEventStore(database);
  const executor = createExecutor(store, createEventCodec(streams), systemClock);
  const cause = causeOf('bench');
  const begun = Date.now() - DAY / 2;
  const paidAt = new Date(begun).toISOString();
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const creation = creationOf(number, creator);
    const { transactionId, signature, token: born } = creation.data;
    const { tokenId, mintAddress, name, symbol, imageUri, description } = born;
    const promotion = {
      kind: 'promotion-purchase' as const,
      tokenId,
      mintAddress,
      promotionId: deriveId('promotion', tokenId),
      days: 7,
      price: '700000000',
      treasury: creator,
      card: { name, symbol, imageUri, description },
    };
    const started = PromotionStarted({
      transactionId,
      signature,
      creator,
      promotion,
      paidAt,
      startsAt: new Date(begun + number).toISOString(),
      endsAt: new Date(begun + 7 * DAY).toISOString(),
    });
    await executor.execute(token, tokenId, cause, () => [creation]);
    await executor.execute(featuredList, FEATURED_LIST, cause, () => [started]);
    ids.push(tokenId);
  }
  await store.close();
  await database.close();
  return ids;
}
