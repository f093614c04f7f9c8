// Creates the secrets of an installation: infra/.env with passwords filled in, and the files of infra/secrets.
// Existing files are not changed.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** User of the image. Only this user may read the files. */
const OWNER = 1000;

const given = process.argv.slice(2);
if (given.length > 1 || given[0]?.startsWith('-')) {
  console.error(
    'node make-secrets.mjs [FOLDER]   creates .env and secrets in FOLDER (default: the folder of this script)',
  );
  process.exit(1);
}
const folder = resolve(given[0] ?? import.meta.dirname);
const example = join(import.meta.dirname, '.env.example');

const password = () => `p${randomBytes(24).toString('base64url')}`;

function make(file, text) {
  const path = join(folder, file);
  if (existsSync(path)) {
    console.log(`left as it is: ${path}`);
    return;
  }
  writeFileSync(path, text(), { mode: 0o600, flag: 'wx' });
  chmodSync(path, 0o600);
  if (process.getuid?.() === 0 && file.startsWith('secrets/')) chownSync(path, OWNER, OWNER);
  console.log(`created: ${path}`);
}

mkdirSync(join(folder, 'secrets'), { recursive: true, mode: 0o711 });
make('secrets/master-seed', () => `${randomBytes(32).toString('hex')}\n`);
make('secrets/jwt-key.json', () => {
  const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  // The thumbprint of RFC 7638, which prescribes this order of the members.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  return `${JSON.stringify({ kty, crv, alg: 'EdDSA', kid, x, d })}\n`;
});
make('.env', () =>
  readFileSync(example, 'utf8').replace(/^(\w+_PASSWORD)=$/gm, (_line, name) => `${name}=${password()}`),
);

// The servers read their passwords from .env, and the service reads the same passwords from files.
function credentials(user, variable) {
  const [, found] =
    new RegExp(`^${variable}=(.+)$`, 'm').exec(readFileSync(join(folder, '.env'), 'utf8')) ?? [];
  return `${user}:${found ?? password()}\n`;
}
make('secrets/event-store-credentials', () => credentials('admin', 'EVENT_STORE_ADMIN_PASSWORD'));
make('secrets/mongodb-credentials', () => credentials('levy', 'MONGODB_LEVY_PASSWORD'));
make('secrets/mongodb-key', () => `${randomBytes(576).toString('base64')}\n`);

if (process.getuid?.() !== 0 && process.getuid?.() !== OWNER) {
  console.log(
    `The containers read the secrets as user ${OWNER}: sudo chown ${OWNER}:${OWNER} ${join(folder, 'secrets')}/*`,
  );
}
console.log(
  'Store a copy of the master seed separately. If the master seed is lost, the collected tax is lost.',
);
