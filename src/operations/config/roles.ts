/** Roles of a process, and their parser. */
import { listOf, oneOf, type ValueKind } from './value-kinds.ts';

const ROLES = ['api', 'projector', 'settler', 'publisher', 'distributor', 'notary'] as const;

/**
 * `api` handles calls, `projector` writes read models that several processes share, `settler` settles drafts and does
 * the other background work, `publisher` publishes outcomes to the bus, `distributor` collects and pays out the tax,
 * `notary` signs the transparency log.
 */
export type Role = (typeof ROLES)[number];

const anyNumber = listOf(oneOf(...ROLES));

export const roleList: ValueKind<ReadonlySet<Role>> = {
  ...anyNumber,
  allowed: `one or more of ${ROLES.map((role) => `\`${role}\``).join(', ')}, separated by commas`,
  parse: (text) => new Set(anyNumber.parse(text)),
};
