/** Lists the roles that a process can have, and parses them. */
import { listOf, oneOf, type ValueKind } from './value-kinds.ts';

const ROLES = ['api', 'projector', 'settler', 'publisher', 'distributor', 'notary'] as const;

/**
 * `api` answers calls, `projector` writes read models that several processes share, `settler` settles drafts and does the other work that
 * nobody calls for, `publisher` publishes outcomes to the bus, `distributor` collects the tax and pays it out, `notary` keeps
 * the transparency log.
 */
export type Role = (typeof ROLES)[number];

const anyNumber = listOf(oneOf(...ROLES));

export const roleList: ValueKind<ReadonlySet<Role>> = {
  ...anyNumber,
  allowed: `one or more of ${ROLES.map((role) => `\`${role}\``).join(', ')}, separated by commas`,
  parse: (text) => new Set(anyNumber.parse(text)),
};
