/** Makes partners as operators do. */
import { quotas as quotasKind } from '../../src/operations/config/quotas.ts';
import { quotasShown } from '../../src/server/http/rate-limit/policies.ts';
import { createClient } from './client.ts';
import { OPERATOR_KEY } from './operator.ts';

/** Resolves with the key. `quotas` as in RATE_LIMITS. */
export async function makePartner(
  { url }: { readonly url: string },
  partner: string,
  quotas?: string,
): Promise<string> {
  const { key } = await createClient(url).ask<{ readonly key: string }>('POST', '/operator/partners', {
    operatorKey: OPERATOR_KEY,
    json: { partner, ...(quotas === undefined ? {} : { quotas: quotasShown(quotasKind.parse(quotas)) }) },
  });
  return key;
}
