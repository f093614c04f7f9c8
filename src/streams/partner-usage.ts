/** One stream per partner: number of calls with its keys, recorded periodically by each process. */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';
import { deriveId, Uuid } from '../kernel/runtime/ids.ts';
import { PartnerName } from './partners.ts';
import { Timestamp } from './value-types.ts';

const Count = Type.Integer({ minimum: 1 });
const counts = (example: string) => Type.Record(Type.String(), Count, { examples: [{ [example]: 41 }] });

/** Numbers of calls with a partner's key. */
export const PartnerCalls = Type.Object({
  calls: Type.Integer({ minimum: 1, examples: [41] }),
  /** Indexed by HTTP status. */
  byStatus: counts('200'),
  /** Indexed by the code of the returned problem. */
  refusals: counts('RATE_LIMITED'),
  /** Indexed by the rate-limit policy that refused the calls. */
  limitedBy: counts('general'),
});

export type PartnerCalls = Static<typeof PartnerCalls>;

const partnerUsageEvents = {
  PartnerCallsCounted: Type.Composite([
    Type.Object({
      partner: PartnerName,
      countId: Uuid,
      /** Start of this count; its recording is the end. */
      since: Timestamp,
    }),
    PartnerCalls,
  ]),
};

export const { PartnerCallsCounted } = constructorsOf(partnerUsageEvents);

/** Number of stored count ids. A process that does not know if its count was recorded repeats it within a few minutes. */
const RECENT_COUNTS = 64;

/** The ids of the latest counts, newest last. */
type PartnerUsageState = readonly string[];

/** Stream id of a partner; names are compared without case. */
export function partnerUsageId(partner: string): string {
  return deriveId('partner-usage', partner.toLowerCase());
}

export const partnerUsage = defineStream({
  category: 'usage',
  events: partnerUsageEvents,
  internal: { PartnerCallsCounted: "A partner's calls concern only the partner and the operator." },
  snapshots: { version: 1, every: 1_000, state: Type.Array(Uuid) },
  initial: [] as PartnerUsageState,
  evolve: (state, { data }): PartnerUsageState => [...state, data.countId].slice(-RECENT_COUNTS),
});
