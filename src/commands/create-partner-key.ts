/**
 * Creates a partner, rotates its key, and ends it. Only the response contains the key: it derives from the master seed
 * and an id, so that a repeated call returns it again, and the log contains its hash.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { DraftServices } from '../drafts/services.ts';
import { type CommandContext, commandsFor } from '../kernel/runtime/define-command.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { quotasView, RECOMMENDED_PARTNER_QUOTAS } from '../server/http/rate-limit/policies.ts';
import {
  PARTNERS,
  PartnerEnded,
  PartnerKeyRotated,
  PartnerMade,
  PartnerName,
  partnerNamed,
  partners,
} from '../streams/partners.ts';
import { invalidFieldRejection, rejection } from '../streams/rejections.ts';
import { PartnerQuotas } from '../views/partner-view.ts';
import { requireAddresses, requirePayable, unpayableReasons } from './developer-wallets.ts';
import { ShareInput } from './distribution-input.ts';
import { Reason, readReason } from './operator-reason.ts';
import { keyMadeBy, readQuotas, requirePartner } from './partner-input.ts';

type PartnerServices = RuntimeServices & Pick<DraftServices, 'keyring' | 'chain' | 'policy'>;

const PartnerParams = Type.Object({ partner: PartnerName });

const HOUR = 3_600;
const MAX_OVERLAP = 30 * 24 * HOUR;

const NewKey = Type.Object(
  {
    partner: PartnerName,
    keyId: Uuid,
    key: Type.String({
      description:
        'Value of `X-Partner-Key`. Returned only here, and by repetitions with the same Idempotency-Key.',
      examples: ['levy_partner_pJ2TzW0mFO4o9xq1nS3u6cXvR7yBdEaG5hKlLwQtYiM'],
    }),
  },
  { title: 'NewPartnerKey' },
);

const ofPartners = {
  stream: partners,
  streamId: () => PARTNERS,
};

export const makePartner = commandsFor<PartnerServices>()({
  ...ofPartners,
  name: 'CreatePartner',
  summary: 'Create a partner',
  description:
    'Creates a key for a launchpad, whose calls are then counted by partner. The key is returned once; only its hash is recorded. ' +
    'Each process accepts the key as soon as its read models contain it. Without `quotas`, the recommended quotas apply. With a `developerShare`, ' +
    "its wallet gets that share of the developer's part of each token that is created with the key. The share is shown to the creator before " +
    'signing, recorded with the token, and never changed.',
  route: { method: 'POST', url: '/operator/partners', auth: 'operator', limit: 'operator' },
  input: {
    body: Type.Object(
      {
        partner: PartnerName,
        quotas: Type.Optional(PartnerQuotas),
        developerShare: Type.Optional(ShareInput),
      },
      { additionalProperties: false },
    ),
  },
  output: NewKey,
  rejections: ['PARTNER_EXISTS', 'PARTNER_KEY_REPLACED', 'INVALID_ADDRESS'],
  prepare: async ({ body: { quotas, developerShare } }, { services, cause }) => {
    const { keyId, sha256 } = keyMadeBy(cause.commandId, services.keyring);
    if (developerShare !== undefined) await requireShare(services, developerShare);
    return {
      keyId,
      sha256,
      quotas: readQuotas(quotas ?? quotasView(RECOMMENDED_PARTNER_QUOTAS)),
      ...(developerShare && { developerShare }),
    };
  },
  decide(state, { body: { partner } }, facts) {
    const before = partnerNamed(state, partner);
    if (before === undefined || before.ended) return [PartnerMade({ partner, ...facts })];
    if (before.keyId === facts.keyId) return [];
    throw rejection('PARTNER_EXISTS', `Partner "${before.name}" exists; rotate its key, or end it first.`);
  },
  respond: (_state, { body: { partner } }, context) => newKey(partner, context),
});

/** Throws `VALIDATION_FAILED` for a share above the maximum, and `INVALID_ADDRESS` for a wallet that cannot be paid. */
async function requireShare(services: PartnerServices, share: Static<typeof ShareInput>): Promise<void> {
  const { maxPartnerShareBasisPoints: most } = services.policy;
  if (share.basisPoints > most)
    throw invalidFieldRejection(
      'developerShare.basisPoints',
      `must be at most ${most}`,
      `The share must be at most ${most} basis points (MAX_PARTNER_SHARE_PERCENT).`,
    );
  const wallets = [{ field: 'developerShare.wallet', wallet: share.wallet }];
  requireAddresses(wallets);
  requirePayable(wallets, await unpayableReasons(services, wallets));
}

export const rotatePartnerKey = commandsFor<PartnerServices>()({
  ...ofPartners,
  name: 'RotatePartnerKey',
  summary: "Replace a partner's key",
  description:
    'Creates a new key, which is returned once. The previous key stays valid for `overlapSeconds` ' +
    '(default: a day), so that the partner can switch; an older key ends immediately.',
  route: { method: 'POST', url: '/operator/partners/:partner/rotate', auth: 'operator', limit: 'operator' },
  input: {
    params: PartnerParams,
    body: Type.Object(
      {
        overlapSeconds: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: MAX_OVERLAP,
            default: 24 * HOUR,
            description: 'Time for which the previous key stays valid; 0 ends it immediately.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: NewKey,
  rejections: ['PARTNER_NOT_FOUND', 'PARTNER_KEY_REPLACED'],
  prepare: async ({ body: { overlapSeconds = 24 * HOUR } }, { services: { keyring, clock }, cause }) => {
    const { keyId, sha256 } = keyMadeBy(cause.commandId, keyring);
    const formerEndsAt = new Date(clock.now().getTime() + overlapSeconds * 1_000).toISOString();
    return { keyId, sha256, formerEndsAt };
  },
  decide(state, { params }, facts) {
    const { name, keyId } = requirePartner(state, params.partner);
    return keyId === facts.keyId ? [] : [PartnerKeyRotated({ partner: name, ...facts })];
  },
  respond: (_state, { params: { partner } }, context) => newKey(partner, context),
});

export const endPartner = commandsFor<RuntimeServices>()({
  ...ofPartners,
  name: 'EndPartner',
  summary: 'End a partner',
  description:
    'Revokes all keys of the partner. Its tokens are not affected, and retain its name. The name can be ' +
    'reused. Keys of `PARTNER_KEYS` are revoked by removing their entry there.',
  route: { method: 'POST', url: '/operator/partners/:partner/end', auth: 'operator', limit: 'operator' },
  input: {
    params: PartnerParams,
    body: Type.Object({ reason: Reason }, { additionalProperties: false }),
  },
  output: Type.Object({ partner: PartnerName, ended: Type.Boolean() }, { title: 'EndedPartner' }),
  rejections: ['PARTNER_NOT_FOUND'],
  prepare: async ({ body }) => ({ reason: readReason(body.reason) }),
  decide(state, { params }, { reason }) {
    const known = partnerNamed(state, params.partner);
    if (known?.ended) return [];
    return [PartnerEnded({ partner: requirePartner(state, params.partner).name, reason })];
  },
  respond: (_state, { params: { partner } }) => ({ partner, ended: true }),
});

/** Rejects with `PARTNER_KEY_REPLACED` if a repeated call would return a key that has been rotated or ended since. */
async function newKey(
  partner: string,
  { services: { keyring, executor }, cause }: CommandContext<PartnerServices>,
): Promise<Static<typeof NewKey>> {
  const { keyId, key } = keyMadeBy(cause.commandId, keyring);
  const current = partnerNamed((await executor.load(partners, PARTNERS)).state, partner);
  if (current?.keyId === keyId && !current.ended) return { partner, keyId, key };
  throw rejection(
    'PARTNER_KEY_REPLACED',
    `The key that this call created for "${partner}" has been replaced or ended; rotate the key to get a new one.`,
  );
}
