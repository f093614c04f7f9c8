/** One stream per partner: how many calls its keys made, counted by each process now and then. */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';
import { deriveId, Uuid } from '../kernel/runtime/ids.ts';
import { PartnerName } from './partners.ts';
import { Timestamp } from './values.ts';

const Count = Type.Integer({ minimum: 1 });
const counts = (example: string) => Type.Record(Type.String(), Count, { examples: [{ [example]: 41 }] });

/** Numbers of calls with a partner's key. */
export const PartnerCalls = Type.Object({
  calls: Type.Integer({ minimum: 1, examples: [41] }),
  /** Indexed by HTTP status. */
  byStatus: counts('200'),
  /** Indexed by the code of the problem that was answered. */
  refusals: counts('RATE_LIMITED'),
  /** Indexed by the rate-limit policy that refused them. */
  limitedBy: counts('general'),
});

export type PartnerCalls = Static<typeof PartnerCalls>;

const partnerUsageEvents = {
  PartnerCallsCounted: Type.Composite([
    Type.Object({
      partner: PartnerName,
      countId: Uuid,
      /** When the process began this count. It ends when it is recorded. */
      since: Timestamp,
    }),
    PartnerCalls,
  ]),
};

export const { PartnerCallsCounted } = constructorsOf(partnerUsageEvents);

/** A count is recorded again within a few minutes if it is unknown whether it was recorded. */
const RECENT_COUNTS = 64;

/** The ids of the latest counts, newest last. */
type PartnerUsageState = readonly string[];

/** Names of partners differ by more than the case of letters. */
export function partnerUsageId(partner: string): string {
  return deriveId('partner-usage', partner.toLowerCase());
}

export const partnerUsage = defineStream({
  category: 'usage',
  events: partnerUsageEvents,
  internal: { PartnerCallsCounted: "A partner's calls are its own affair and the operator's." },
  snapshots: { version: 1, every: 1_000, state: Type.Array(Uuid) },
  initial: [] as PartnerUsageState,
  evolve: (state, { data }): PartnerUsageState => [...state, data.countId].slice(-RECENT_COUNTS),
});
