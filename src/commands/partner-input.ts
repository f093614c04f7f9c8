/** Common parts of the partner commands: the generated key, quotas, and finding the partner. */
import { createHash } from 'node:crypto';
import type { Keyring } from '../chain/keys.ts';
import { deriveId } from '../kernel/runtime/ids.ts';
import { isPartnersPolicy, PARTNER_POLICIES } from '../server/http/rate-limit/policies.ts';
import {
  type PartnerQuota,
  type PartnersState,
  partnerNamed,
  type RecordedPartner,
} from '../streams/partners.ts';
import { rejection } from '../streams/rejections.ts';

/** Derives the key of a call; a repeated call gets the same key. */
export function keyMadeBy(commandId: string, keyring: Pick<Keyring, 'partnerKey'>) {
  const keyId = deriveId('partner-key', commandId);
  const key = `levy_partner_${Buffer.from(keyring.partnerKey(keyId)).toString('base64url')}`;
  return { keyId, key, sha256: createHash('sha256').update(key).digest('hex') };
}

/** Throws `PARTNER_NOT_FOUND` for an unknown or ended partner. */
export function requirePartner(state: PartnersState, name: string): RecordedPartner {
  const known = partnerNamed(state, name);
  if (known !== undefined && !known.ended) return known;
  throw rejection(
    'PARTNER_NOT_FOUND',
    `Partner "${name}" does not exist or has ended. Partners of PARTNER_KEYS are managed in that variable.`,
  );
}

/** Throws `VALIDATION_FAILED` for an unknown or repeated policy. */
export function readQuotas(quotas: readonly PartnerQuota[]): PartnerQuota[] {
  const details = quotas.flatMap(({ policy }, index) => {
    const path = ['quotas', String(index), 'policy'];
    if (!isPartnersPolicy(policy)) {
      return [{ path, message: `must be one of ${PARTNER_POLICIES.join(', ')}` }];
    }
    const isRepeated = quotas.findIndex((other) => other.policy === policy) < index;
    return isRepeated ? [{ path, message: 'must not be repeated' }] : [];
  });
  if (details.length === 0) return [...quotas];
  throw rejection('VALIDATION_FAILED', 'Invalid quotas; see the details.', { details });
}
