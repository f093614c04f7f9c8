/** Finds whose key it is: of the entries of PARTNER_KEYS, else of the partners that operators have made, as the read model shows them now. */
import { createHash } from 'node:crypto';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { type PartnerDocument, partners } from '../projections/partners.ts';
import { createHolderOf } from '../server/auth/named-keys.ts';
import type { PartnerKeys } from '../server/http/rate-limit/partners.ts';
import type { Partner, Quotas } from '../server/http/rate-limit/policies.ts';

export function createPartnerKeys(options: {
  readonly environment: readonly Partner[];
  readonly readModel: Pick<ReadModel, 'find'>;
  readonly now: () => Date;
}): PartnerKeys {
  const { environment, readModel, now } = options;
  return {
    ofEnvironment: createHolderOf(environment),
    async ofOperators(key) {
      const sha256 = createHash('sha256').update(key).digest('hex');
      const [found] = await readModel.find(partners, 'key', sha256, { limit: 1 });
      return found && validAt(found, sha256, now().toISOString());
    },
  };
}

/** Pure. Undefined for a key that is over at that time. */
export function validAt(
  { name, quotas, keys }: PartnerDocument,
  sha256: string,
  at: string,
): Partner | undefined {
  const key = keys.find((one) => one.sha256 === sha256);
  const isValid = key !== undefined && (key.endsAt === null || at < key.endsAt);
  return isValid ? { name, sha256, quotas: quotasOf(quotas) } : undefined;
}

function quotasOf(quotas: PartnerDocument['quotas']): Quotas {
  return Object.fromEntries(
    quotas.map(({ policy, calls, windowSeconds }) => [policy, { quota: calls, windowSeconds }]),
  );
}
