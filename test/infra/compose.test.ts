// The compose files: whether their parts fit each other, the repository and what the service reads of its environment.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Configuration, readConfiguration } from '../../src/operations/config/configuration.ts';
import { variables } from '../../src/operations/config/variables.ts';
import { type ComposeFile, type Service, variablesIn } from './compose-file.ts';
import { imageEnvironment, ROOT } from './dockerfile.ts';
import { choices, composeFiles, exampleVariables, INFRA } from './operators-choices.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const caddyfile = readFileSync(join(INFRA, 'Caddyfile'), 'utf8');

function processesOf({ services }: ComposeFile): [string, Service][] {
  return Object.entries(services).filter(([, { image }]) => image === `levy:${version}`);
}

function environmentOf(service: Service): Record<string, string> {
  const own = Object.entries(service.environment).map(([name, value]) => [name, String(value)]);
  return { ...imageEnvironment(), ...Object.fromEntries(own) };
}

function configurationOf(service: Service) {
  return readConfiguration(environmentOf(service));
}

/** An address of MongoDB has no ports. */
function hostsOf(address: string): readonly (readonly [name: string, port: string | undefined])[] {
  const hosts = address.replace(/\?.*$/, '').split(',');
  return hosts.map((part) => {
    const [name = '', port] = part
      .replace(/^.*(?:\/\/|@)/, '')
      .replace(/\/.*$/, '')
      .split(':');
    return [name, port];
  });
}

/** What works with the chain signs with keys of the seed. */
const worksWithTheChain = ({ roles }: Configuration) =>
  roles.has('api') || roles.has('settler') || roles.has('distributor');

const networksOf = ({ networks }: Service) => (Array.isArray(networks) ? networks : Object.keys(networks));

describe.each(composeFiles)('$name', ({ file, compose }) => {
  const { services } = compose;
  const all = Object.entries(services);
  const processes = processesOf(compose);

  describe.each(processes)('%s', (_name, service) => {
    test('is given variables that the service knows, and values that it takes', () => {
      const known = Object.values(variables).map(({ name }) => name);
      expect(Object.keys(service.environment).filter((name) => !known.includes(name))).toEqual([]);
      expect(() => configurationOf(service)).not.toThrow();
    });

    test('reads its secrets where they are put, and no other', () => {
      const configuration = configurationOf(service);
      const put = service.secrets.map((name) => `/run/secrets/${name}`);
      const { eventStoreCredentialsFile, mongoDbCredentialsFile, masterSeedFile, jwtKeyFile } = configuration;
      const wanted = [
        eventStoreCredentialsFile,
        mongoDbCredentialsFile,
        worksWithTheChain(configuration) ? masterSeedFile : undefined,
        configuration.roles.has('api') ? jwtKeyFile : undefined,
      ];
      expect(wanted.filter((file) => file !== undefined)).toEqual(put);
      expect(mongoDbCredentialsFile).toBe('/run/secrets/mongodb-credentials');
    });

    test('writes only into a volume of its own: lists, images and ledgers are in the database that all share', () => {
      const configuration = configurationOf(service);
      const targets = service.volumes.filter((volume) => !volume.endsWith(':ro'));
      expect(targets).toEqual([`${_name}:${configuration.dataDirectory}`]);
      expect(service.read_only).toBe(true);
      const { readModel, imageStore, ledgerStore } = configuration;
      expect(readModel.url).toMatch(/^mongodb:\/\/[^/]+\/levy\?replicaSet=rs0&authSource=admin$/);
      if (!worksWithTheChain(configuration)) return;
      expect([imageStore.url, ledgerStore.url]).toEqual([readModel.url, readModel.url]);
    });

    test('reaches the store, the bus and the files of authorities that its addresses name', () => {
      const environment = environmentOf(service);
      const { EVENT_STORE_URL, READ_MODEL_URL, IMAGE_STORE_URL, LEDGER_STORE_URL, PUBLISHER_URL } =
        environment;
      const addresses = [EVENT_STORE_URL, READ_MODEL_URL, IMAGE_STORE_URL, LEDGER_STORE_URL, PUBLISHER_URL];
      for (const [name, port] of addresses.filter((address) => address !== undefined).flatMap(hostsOf)) {
        const server = services[name];
        if (server === undefined) throw new Error(`there is no service ${name}`);
        expect(networksOf(server).some((network) => networksOf(service).includes(network))).toBe(true);
        const ports = {
          nats: '4222',
          mongodb: undefined,
          eventstore: server.environment.EVENTSTORE_NODE_PORT,
        };
        const [, kind] = /^(nats|mongodb|eventstore)(?:-\d)?$/.exec(name) ?? [];
        expect(port).toBe(ports[kind as keyof typeof ports]?.toString());
        expect(Object.keys(service.depends_on)).toContain(name);
      }
      const { caFile } = configurationOf(service);
      const mounted = service.volumes.map((volume) => volume.split(':')[1]);
      if (caFile !== undefined) expect(mounted).toContain(caFile);
    });

    test('has a way out of this machine if it works with the chain, and else none', () => {
      const hasWayOut = networksOf(service).some((name) => compose.networks[name]?.internal !== true);
      expect(hasWayOut).toBe(worksWithTheChain(configurationOf(service)));
    });

    test('has nothing that it does not need: no capabilities, no way to get more', () => {
      expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    });
  });

  test('every role is done by somebody, and what one process at a time does stands by in another', () => {
    const roles = processes.map(([, service]) => [...configurationOf(service).roles]);
    for (const role of ['api', 'projector', 'settler', 'publisher', 'distributor'] as const) {
      expect(roles.filter((list) => list.includes(role))).toHaveLength(2);
    }
  });

  test('who writes the lists does nothing else, so that it holds no keys', () => {
    for (const [, service] of processes) {
      const roles = [...configurationOf(service).roles];
      if (roles.includes('projector')) expect(roles).toEqual(['projector']);
    }
  });

  test('only who publishes knows the bus', () => {
    for (const [, service] of processes) {
      const { publisher, roles } = configurationOf(service);
      expect(publisher !== undefined).toBe(roles.has('publisher'));
    }
  });

  test('the proxy calls every process that answers calls, and none else', () => {
    const answering = processes.filter(([, service]) => configurationOf(service).roles.has('api'));
    const expected = answering.map(([name, service]) => `${name}:${configurationOf(service).port}`);
    const upstreams = [...caddyfile.matchAll(/^\s*reverse_proxy (?:@\w+ )?(.*) \{$/gm)];
    expect(upstreams.map(([, hosts = '']) => hosts.split(' '))).toEqual([expected, expected]);
    for (const [, service] of answering) expect(networksOf(service)).toContain('front');
    expect(Object.keys(services.proxy?.depends_on ?? {})).toEqual(answering.map(([name]) => name));
  });

  test('the proxy is the one whose word about callers is believed, and lets go of connections first', () => {
    const networks = services.proxy?.networks ?? {};
    const address = Array.isArray(networks) ? undefined : networks.front?.ipv4_address;
    const kept = [...caddyfile.matchAll(/keepalive (\d+)s/g)].map(([, text]) => Number(text) * 1_000);
    expect(kept).toHaveLength(2);
    for (const [, service] of processes) {
      const { roles, trustedProxies, keepAliveTimeoutMs } = configurationOf(service);
      if (!roles.has('api')) continue;
      expect(trustedProxies).toEqual([address]);
      for (const milliseconds of kept) expect(milliseconds).toBeLessThan(keepAliveTimeoutMs);
    }
    const subnet = compose.networks.front?.ipam?.config[0]?.subnet ?? '';
    expect(address?.split('.').slice(0, 3)).toEqual(subnet.split('.').slice(0, 3));
    expect(subnet).toMatch(/\.0\/24$/);
  });

  test('nothing is reached from outside but the proxy and the dashboards, and at first from this machine only', () => {
    const published = all.filter(([, { ports }]) => ports.length > 0);
    expect(published.map(([name]) => name).toSorted()).toEqual(['grafana', 'proxy']);
    for (const [, { ports }] of published)
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  test('the stores of events and messages are in a network that leads nowhere else', () => {
    const stores = all.filter(([name]) => /^(eventstore|mongodb|nats)/.test(name));
    expect(stores.length).toBeGreaterThan(2);
    for (const [, service] of stores) expect(networksOf(service)).toEqual(['back']);
    expect(compose.networks.back?.internal).toBe(true);
  });

  test('what is mounted from the repository is there, or made by a script and kept out of the repository', () => {
    const sources = all.flatMap(([, { volumes }]) =>
      volumes.map((volume) => volume.split(':')[0] ?? '').filter((source) => source.startsWith('.')),
    );
    const secrets = Object.values(compose.secrets).map(({ file: path }) => path);
    const ignored = readFileSync(join(INFRA, '.gitignore'), 'utf8').split('\n');
    for (const source of [...sources, ...secrets]) {
      const isMade = ignored.some((line) => line.endsWith('/') && `${source}/`.includes(`/${line}`));
      expect([source, isMade || existsSync(join(dirname(file), source))]).toEqual([source, true]);
    }
  });

  test('every variable that an operator decides is in .env.example, and has a value or may be left out', () => {
    expect(variablesIn(file).filter((name) => !(name in exampleVariables))).toEqual(
      // What has a default that few want to change.
      ['EVENT_STORE_PREFIX'],
    );
  });
});

test('the cluster and the single machine give their processes the same, but for the addresses of stores and bus', () => {
  const [single, cluster] = composeFiles.map(({ compose }) =>
    processesOf(compose).map(([name, { environment }]) => {
      const rest = Object.entries(environment).filter(
        ([variable]) =>
          !/^EVENT_STORE_(?!PREFIX)|^PUBLISHER_|^CA_FILE$|^(?:READ_MODEL|IMAGE_STORE|LEDGER_STORE)_URL$/.test(
            variable,
          ),
      );
      return [name, Object.fromEntries(rest)];
    }),
  );
  expect(cluster).toEqual(single);
});

test('the cluster keeps what is published as often as it has servers', () => {
  const cluster = composeFiles.find(({ name }) => name.startsWith('cluster'))?.compose.services ?? {};
  const servers = Object.keys(cluster).filter((name) => name.startsWith('nats-'));
  expect(servers.length).toBeGreaterThanOrEqual(3);
  expect(String(cluster['worker-1']?.environment.PUBLISHER_URL).split(',')).toHaveLength(servers.length);
  const stores = Object.entries(cluster).filter(([name]) => name.startsWith('eventstore-'));
  for (const [name, { environment }] of stores) {
    expect(environment.EVENTSTORE_CLUSTER_SIZE).toBe(stores.length);
    const others = stores.map(([other]) => other).filter((other) => other !== name);
    expect(environment.EVENTSTORE_GOSSIP_SEED).toBe(others.map((other) => `${other}:2113`).join());
  }
});

describe.each(composeFiles)('MongoDB in $name', ({ name, compose }) => {
  const servers = Object.entries(compose.services).filter(([server]) => server.startsWith('mongodb'));
  const argumentsOf = ({ command }: Service) => command.flatMap((argument) => argument.split('='));
  const following = (words: readonly string[], word: string) => words[words.indexOf(word) + 1];

  test('is one replica set of all servers, which one of them initiates with all names', () => {
    expect(servers).toHaveLength(name.startsWith('cluster') ? 3 : 1);
    for (const [, server] of servers) expect(following(argumentsOf(server), '--replSet')).toBe('rs0');
    const said = servers.flatMap(([, { environment }]) => environment.MONGODB_MEMBERS ?? []);
    expect(said).toEqual([servers.map(([server]) => `${server}:27017`).join()]);
    for (const [, service] of processesOf(compose)) {
      const hosts = hostsOf(configurationOf(service).readModel.url).map(([host]) => host);
      expect(hosts).toEqual(servers.map(([server]) => server));
    }
  });

  test('lets nobody in without a password, and servers only with the key', () => {
    for (const [, server] of servers) {
      expect(following(argumentsOf(server), '--keyFile')).toBe('/tmp/mongodb-key');
      expect(server.secrets).toEqual(['mongodb-key']);
      expect(server.tmpfs).toEqual(['/tmp']);
      expect(server.entrypoint).toEqual(['bash', '/etc/mongodb/start.sh']);
      expect(server.command[0]).toBe('mongod');
      expect(server.environment.MONGODB_LEVY_PASSWORD).toBe(choices.MONGODB_LEVY_PASSWORD);
    }
  });

  test('speaks TLS where its clients have the certificate of the authority, and only there', () => {
    for (const [server, service] of servers) {
      const words = argumentsOf(service);
      const isCluster = name.startsWith('cluster');
      expect(words.includes('requireTLS')).toBe(isCluster);
      if (!isCluster) continue;
      const authority = '/etc/mongodb-certificates/ca/ca.crt';
      expect(following(words, '--tlsCAFile')).toBe(authority);
      expect(following(words, '--tlsCertificateKeyFile')).toBe('/tmp/mongodb-certificate');
      expect(service.healthcheck?.test).toContain(`--tlsCAFile=${authority}`);
      expect(service.volumes).toContain(`./certificates/${server}:/etc/mongodb-certificates/node:ro`);
    }
    for (const [, service] of processesOf(compose))
      expect(configurationOf(service).caFile !== undefined).toBe(name.startsWith('cluster'));
  });
});

test('passwords are nowhere but in .env', () => {
  for (const { file } of composeFiles) {
    const given = [...readFileSync(file, 'utf8').matchAll(/PASSWORD: (.*)/g)];
    for (const [, value] of given) expect(value).toMatch(/^\$\{\w+:\?/);
  }
  expect(
    Object.entries(exampleVariables).filter(([name, value]) => name.endsWith('_PASSWORD') && value !== ''),
  ).toEqual([]);
  expect(Object.keys(choices)).toEqual(Object.keys(exampleVariables));
});
