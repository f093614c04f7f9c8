// Start script and health check of the MongoDB container, from an empty server to one that accepts the service.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { INFRA } from './operators-choices.ts';

const script = readFileSync(join(INFRA, 'mongodb/health.js'), 'utf8');
const MEMBERS = 'mongodb-1:27017,mongodb-2:27017';

interface User {
  readonly user: string;
  readonly pwd: string;
  readonly roles: readonly unknown[];
}

/** A server as mongosh shows it to the script, with the rules of the localhost exception. */
function aServer(state: 'uninitiated' | 'starting' | 'primary' | 'secondary' | 'alone') {
  const users = new Map<string, User>();
  const server = { state, users, initiated: [] as unknown[], isDown: false };
  const refused = (codeName: string) => Object.assign(new Error(codeName), { codeName });

  function check(environment: Record<string, string> = {}): number {
    let loggedIn: string | undefined;
    function mayManageUsers(): void {
      if (server.state !== 'primary') throw refused('NotWritablePrimary');
      if (users.size > 0 && loggedIn !== 'admin') throw refused('Unauthorized');
    }
    const admin = {
      runCommand(command: object) {
        expect(command).toEqual({ hello: 1 });
        if (server.isDown) throw refused('HostUnreachable');
        return {
          uninitiated: { isWritablePrimary: false, secondary: false, isreplicaset: true },
          starting: { setName: 'rs0', isWritablePrimary: false, secondary: false },
          primary: { setName: 'rs0', isWritablePrimary: true, secondary: false },
          secondary: { setName: 'rs0', isWritablePrimary: false, secondary: true },
          alone: { isWritablePrimary: true },
        }[server.state];
      },
      auth(user: string, pwd: string) {
        if (users.get(user)?.pwd !== pwd) throw refused('AuthenticationFailed');
        loggedIn = user;
        return { ok: 1 };
      },
      getUser(user: string) {
        mayManageUsers();
        return users.get(user) ?? null;
      },
      createUser(user: User) {
        mayManageUsers();
        if (users.has(user.user)) throw refused('Location51003');
        users.set(user.user, user);
      },
      updateUser(user: string, change: Omit<User, 'user'>) {
        mayManageUsers();
        users.set(user, { user, ...change });
      },
    };
    let code: number | undefined;
    runInNewContext(script, {
      db: { getSiblingDB: (name: string) => (name === 'admin' ? admin : undefined) },
      rs: {
        initiate(config: unknown) {
          server.initiated.push(JSON.parse(JSON.stringify(config)));
          server.state = 'starting';
        },
      },
      process: {
        env: { MONGODB_ADMIN_PASSWORD: 'one', MONGODB_LEVY_PASSWORD: 'two', ...environment },
      },
      quit(given: number) {
        code = given;
      },
    });
    if (code === undefined) throw new Error('the script did not say how the server is');
    return code;
  }
  return Object.assign(server, { check });
}

describe('the health check', () => {
  test('initiates the set where it is told the members, and is content when the service is let in', () => {
    const server = aServer('uninitiated');
    expect(server.check({ MONGODB_MEMBERS: MEMBERS })).toBe(1);
    expect(server.initiated).toEqual([
      {
        _id: 'rs0',
        members: [
          { _id: 0, host: 'mongodb-1:27017' },
          { _id: 1, host: 'mongodb-2:27017' },
        ],
      },
    ]);
    expect(server.check({ MONGODB_MEMBERS: MEMBERS })).toBe(1);
    server.state = 'primary';
    expect(server.check({ MONGODB_MEMBERS: MEMBERS })).toBe(0);
    expect(server.initiated).toHaveLength(1);
    expect(JSON.parse(JSON.stringify([...server.users.values()]))).toEqual([
      { user: 'admin', pwd: 'one', roles: ['root'] },
      { user: 'levy', pwd: 'two', roles: [{ role: 'readWrite', db: 'levy' }] },
    ]);
  });

  test('waits on a server that was told no members', () => {
    const server = aServer('uninitiated');
    expect(server.check()).toBe(1);
    expect(server.initiated).toEqual([]);
  });

  test('goes on where one before it was killed', () => {
    const server = aServer('primary');
    server.users.set('admin', { user: 'admin', pwd: 'one', roles: ['root'] });
    expect(server.check()).toBe(0);
    expect([...server.users.keys()]).toEqual(['admin', 'levy']);
  });

  test('gives the service a new password when it is told one', () => {
    const server = aServer('primary');
    expect(server.check()).toBe(0);
    expect(server.check({ MONGODB_LEVY_PASSWORD: 'three' })).toBe(0);
    expect(server.users.get('levy')?.pwd).toBe('three');
  });

  test('fails when it can neither log in nor help itself', () => {
    const server = aServer('primary');
    server.users.set('admin', { user: 'admin', pwd: 'of somebody else', roles: ['root'] });
    expect(() => server.check()).toThrow('Unauthorized');
    expect([...server.users.keys()]).toEqual(['admin']);
    server.isDown = true;
    expect(() => server.check()).toThrow('HostUnreachable');
  });

  test('leaves a secondary as it is, and is not content with a server without a set', () => {
    expect(aServer('secondary').check()).toBe(0);
    expect(aServer('alone').check()).toBe(1);
    const alone = aServer('alone');
    alone.check();
    expect(alone.users.size).toBe(0);
  });
});

const hasBash = existsSync('/bin/bash') || spawnSync('bash', ['--version']).status === 0;
if (!hasBash) console.warn('SKIPPED: 1 test of the start of MongoDB, because there is no bash');

test.skipIf(!hasBash)(
  'the script that starts it is one that bash takes, and ends as the image starts',
  () => {
    const file = join(INFRA, 'mongodb/start.sh');
    execFileSync('bash', ['-n', file]);
    expect(readFileSync(file, 'utf8')).toMatch(/\nexec docker-entrypoint\.sh "\$@"\n$/);
  },
);
