// A NATS operator with one account and one user, in the formats of its own tools: the server's configuration and the user's
// `.creds` file.
import { nkeys } from 'nats';

type KeyPair = ReturnType<typeof nkeys.createUser>;

const UNLIMITED = { subs: -1, data: -1, payload: -1 };
const WITH_JETSTREAM = {
  ...UNLIMITED,
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: -1,
  mem_storage: -1,
  disk_storage: -1,
  streams: -1,
  consumer: -1,
};

export function natsCredentials() {
  const [operator, account, user] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createUser()];
  // JetStream does not start without one.
  const system = nkeys.createAccount();
  const accountJwt = signed(operator, account, 'levy', { type: 'account', limits: WITH_JETSTREAM });
  const userJwt = signed(account, user, 'levy', { type: 'user', ...UNLIMITED });
  return {
    /** For the server. */
    configuration: [
      `operator: ${signed(operator, operator, 'operator', { type: 'operator' })}`,
      'resolver: MEMORY',
      `system_account: ${system.getPublicKey()}`,
      'resolver_preload: {',
      `${account.getPublicKey()}: ${accountJwt}`,
      `${system.getPublicKey()}: ${signed(operator, system, 'system', { type: 'account', limits: UNLIMITED })}`,
      '}',
    ].join('\n'),
    /** For the client. */
    file: [
      '-----BEGIN NATS USER JWT-----',
      userJwt,
      '------END NATS USER JWT------',
      '',
      '-----BEGIN USER NKEY SEED-----',
      new TextDecoder().decode(user.getSeed()),
      '------END USER NKEY SEED------',
      '',
    ].join('\n'),
  };
}

function signed(issuer: KeyPair, subject: KeyPair, name: string, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = [
    part({ typ: 'JWT', alg: 'ed25519-nkey' }),
    part({
      jti: subject.getPublicKey(),
      iat: 1_700_000_000,
      iss: issuer.getPublicKey(),
      sub: subject.getPublicKey(),
      name,
      nats: { ...claims, version: 2 },
    }),
  ].join('.');
  return `${body}.${Buffer.from(issuer.sign(Buffer.from(body))).toString('base64url')}`;
}
