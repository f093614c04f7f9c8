/** The stand-in for EventStoreDB in tests: it ends with the test, or with the lifetime that is given. */
import { type Lifetime, ofTheTest } from '../lifetime.ts';
import { type EventStoreStandIn, openEventStoreStandIn, type StandInOptions } from './open-stand-in.ts';

export async function startEventStoreStandIn(
  options: StandInOptions & { readonly lifetime?: Lifetime } = {},
): Promise<EventStoreStandIn> {
  const { lifetime = ofTheTest, ...own } = options;
  const standIn = await openEventStoreStandIn(own);
  lifetime.atTheEnd(async () => standIn.stop());
  return standIn;
}
