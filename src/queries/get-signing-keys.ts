/** Public keys that verify the service's access tokens. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { AuthServices } from '../server/services.ts';

export const getSigningKeys = queriesFor<AuthServices>()({
  name: 'GetSigningKeys',
  summary: 'Get the public keys of access tokens (JWKS)',
  description:
    'The Ed25519 keys that verify access tokens of this service (RFC 7517). Cache them, and fetch them again ' +
    'when a token names an unknown `kid`.',
  route: { method: 'GET', url: '/.well-known/jwks.json', auth: 'none', limit: 'none', anyOrigin: true },
  input: {},
  output: Type.Object({
    keys: Type.Array(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'A JWK (RFC 7517).',
        examples: [
          { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', alg: 'EdDSA' },
        ],
      }),
    ),
  }),
  rejections: [],
  async answer(_input, { services: { accessTokens } }) {
    return accessTokens.jwks();
  },
});
