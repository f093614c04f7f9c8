/** All variables of the environment. The reference page, the checks and the configuration's type follow from these lists. */
import type { Variable } from './variable.ts';
import { access } from './variables/access.ts';
import { business } from './variables/business.ts';
import { chains } from './variables/chains.ts';
import { drafts } from './variables/drafts.ts';
import { places } from './variables/places.ts';
import { watching } from './variables/watching.ts';

/** In the order of the reference page; a default may refer to what stands before it. */
export const variables = { ...places, ...chains, ...access, ...drafts, ...business, ...watching } as const;

export const groups: readonly { readonly title: string; readonly variables: readonly Variable[] }[] = [
  { title: 'Servers and files', variables: Object.values<Variable>(places) },
  { title: 'The chain', variables: Object.values<Variable>(chains) },
  { title: 'Callers', variables: Object.values<Variable>(access) },
  { title: 'Drafts and submissions', variables: Object.values<Variable>(drafts) },
  { title: 'Promotions and distributions', variables: Object.values<Variable>(business) },
  { title: 'The bus, the transparency log and the monitoring', variables: Object.values<Variable>(watching) },
];

/** Refused by name, so that nobody takes them to be in effect. */
export const REMOVED_VARIABLES = [
  'CHAIN_STALL',
  'CLAIM_LAPSE',
  'DESK_BUDGET',
  'DESK_MARKET_CAP',
  'DESK_MINTS',
  'DISTRIBUTION_COSTS_MAX_PERCENT',
  'DRAFT_LIFETIME',
  'JWT_LIFETIME',
  'KEEP_ALIVE_TIMEOUT',
  'LOCAL_CHAIN_NONCES',
  'MAX_CONNECTIONS',
  'OBSERVE_PAUSE',
  'SALE_MAX_IMPACT_PERCENT',
  'SHUTDOWN_TIMEOUT',
] as const;

type ValueOf<Of> = Of extends Variable<infer Value> ? Value : never;

/** The values of all variables, by their names in the code. */
export type Values = { readonly [Key in keyof typeof variables]: ValueOf<(typeof variables)[Key]> };
