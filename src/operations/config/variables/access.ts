/** Who may call, with which keys, and how often. */
import { webOrigin } from '../address-kinds.ts';
import { operatorKeys } from '../operator-keys.ts';
import { partnerKeys } from '../partner-keys.ts';
import { rateLimits } from '../quotas.ts';
import { addressRange, issuers, listOf, onOff, secretFile } from '../value-kinds.ts';
import { advanced, variable, variableOrElse } from '../variable.ts';

export const access = {
  masterSeedFile: variable(
    'MASTER_SEED_FILE',
    secretFile,
    '<DATA_DIR>/master-seed',
    'A file (mode 0600) with the master seed, 64 hexadecimal digits. All keys of the service derive from it. Made on the first start if ' +
      'event store and chain are both embedded. Keep a copy: without the seed, the collected tax is lost.',
  ),
  jwtKeyFile: variable(
    'JWT_KEY_FILE',
    secretFile,
    '<DATA_DIR>/jwt-key.json',
    'A file (mode 0600) with the key that signs access tokens: a private JWK, Ed25519 or P-256. Made on the first start like the master seed.',
  ),
  operatorKeys: variableOrElse(
    'OPERATOR_KEYS',
    operatorKeys,
    { value: [], shown: 'none' },
    'The operators who may call `/operator/*`, and the hashes of their keys. Without any, these routes do not exist. See [Operator keys](../how-to/operate/use-operator-routes.md#keys).',
  ),
  allowedOrigins: variableOrElse(
    'ALLOWED_ORIGINS',
    listOf(webOrigin),
    { value: [], shown: 'none' },
    'Origins of web pages that may call the service from a browser (CORS) and ask users to sign in.',
  ),
  console: advanced(
    'Users have a page of their own, and nobody is to be led to this one.',
    variable(
      'CONSOLE',
      onOff,
      'on',
      'Whether the web console is served at `/console/`, to which `/` then leads browsers; else `/` leads them to `/docs/`.',
    ),
  ),
  trustedProxies: variableOrElse(
    'TRUSTED_PROXIES',
    listOf(addressRange),
    { value: [], shown: 'none' },
    'Proxies whose `X-Forwarded-*` headers are trusted. Rate limits count by the resulting address.',
  ),
  rateLimits: advanced(
    'Callers are refused too early, or somebody calls too often. `off` is for load tests.',
    variable(
      'RATE_LIMITS',
      rateLimits,
      'on',
      'Rate limits: `on`, `off`, or those that differ from [the defaults](rate-limits.md), as calls per period: `general=300/15m,featured=10/h`.',
    ),
  ),
  partnerKeys: advanced(
    'A launchpad calls for many users from few addresses.',
    variableOrElse(
      'PARTNER_KEYS',
      partnerKeys,
      { value: [], shown: 'none' },
      'Partners whose calls are counted by partner instead of by address, and the hashes of their keys: `acme:<hash>:general=10000/15m;create-unsigned=1000/h`. See [Partners](../how-to/operate/limit-calls.md#partners).',
    ),
  ),
  acceptedIssuers: advanced(
    'Users sign in at another service.',
    variableOrElse(
      'ACCEPTED_ISSUERS',
      issuers,
      { value: [], shown: 'none' },
      'Other issuers whose access tokens the service accepts.',
    ),
  ),
} as const;
