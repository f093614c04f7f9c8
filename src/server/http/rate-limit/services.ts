/** The services that queries about partners use. */
import type { PartnerUsage } from './partner-usage.ts';
import type { Partner } from './policies.ts';

export interface PartnerServices {
  /** The entries of PARTNER_KEYS. */
  readonly partnersOfEnvironment: readonly Partner[];
  readonly partnerUsage: PartnerUsage;
}
