/** The services that queries about partners use. */
import type { PartnerUsage } from './partner-usage.ts';

export interface PartnerServices {
  readonly partnerUsage: PartnerUsage;
}
