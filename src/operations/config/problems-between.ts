/** What is wrong between variables that are right by themselves. */
import { nodeAddressesIn, schemeOf } from '../../kernel/ports/technology.ts';
import { problemOnPublicChain } from './address-kinds.ts';
import type { Role } from './roles.ts';
import { isLoopback } from './value-kinds.ts';
import type { Variable } from './variable.ts';
import { type Values, variables } from './variables.ts';

export interface Conflict {
  /** The one to change. */
  readonly variable: Variable;
  readonly reason: string;
}

/** Variables that are wrong by themselves are missing from `values`. */
type Rule = (values: Partial<Values>) => Conflict | undefined;

export function problemsBetween(values: Partial<Values>): readonly Conflict[] {
  const found = RULES.flatMap((rule) => rule(values) ?? []);
  return [...found, ...problemsOfPorts(values)];
}

const RULES: readonly Rule[] = [
  problemOfRoles,

  function publicUrl(values) {
    if (isEmbeddedOrWrong(values) || !('publicUrl' in values)) return undefined;
    const reason = problemOnPublicChain(values.publicUrl);
    return reason === undefined ? undefined : { variable: variables.publicUrl, reason };
  },

  /** Two addresses of one node would agree about anything. */
  function witness({ chain, chainWitness }) {
    if (chain === undefined || chainWitness === undefined) return undefined;
    const variable = variables.chainWitness;
    if (chain.isEmbedded)
      return { variable, reason: 'an embedded chain (CHAIN_URL) has one node, and no second to ask' };
    const { href } = new URL(chainWitness.url);
    const isOneOf = nodeAddressesIn(chain.url).some((url) => new URL(url).href === href);
    if (!isOneOf) return undefined;
    return { variable, reason: 'it is the same as CHAIN_URL, and a node cannot be its own witness' };
  },

  function userOfEventStore({ eventStore, eventStoreCredentialsFile }) {
    if (!eventStore?.lacksUser || eventStoreCredentialsFile !== undefined) return undefined;
    const reason =
      'with TLS, EventStoreDB requires a user and a password, before the host or in EVENT_STORE_CREDENTIALS_FILE';
    return { variable: variables.eventStore, reason };
  },

  function files({ eventStore, readModel }) {
    if (eventStore === undefined || readModel === undefined || eventStore.url !== readModel.url)
      return undefined;
    const reason = 'it is the same as EVENT_STORE_URL, and the event store needs a file of its own';
    return { variable: variables.readModel, reason };
  },

  function nonceAccounts({ nonceAccountsMin: min, nonceAccountsMax: max }) {
    if (min === undefined || max === undefined || min <= max) return undefined;
    const reason = `it is greater than NONCE_ACCOUNTS_MAX, which is ${max}`;
    return { variable: variables.nonceAccountsMin, reason };
  },
];

/** The roles that read read models. */
const READERS = ['api', 'settler', 'distributor'] as const;

function problemOfRoles(values: Partial<Values>): Conflict | undefined {
  const { roles, eventStore } = values;
  const variable = variables.roles;
  if (roles === undefined) return undefined;
  if (eventStore?.isEmbedded && !isWhole(roles)) {
    const reason =
      'an event store in SQLite belongs to one process, which then needs the roles `api` and `settler`';
    return { variable, reason };
  }
  if (eventStore?.isEmbedded && keepsReadModelsInFile(values) === false && !roles.has('projector')) {
    const reason =
      'nobody else can write the read models of an event store in SQLite: this process needs the role `projector`';
    return { variable, reason };
  }
  if (roles.has('projector') && keepsReadModelsInFile(values) && !READERS.some((role) => roles.has(role))) {
    const reason =
      'only the process that keeps read models in SQLite can read them, and this one has none of the roles `api`, `settler` and `distributor`';
    return { variable, reason };
  }
  if ('publisher' in values && values.publisher === undefined && roles.size === 1 && roles.has('publisher')) {
    const reason =
      'the only role of this process is `publisher` (`ROLES`), which needs a server to publish to';
    return { variable: variables.publisher, reason };
  }
  return undefined;
}

function isWhole(roles: ReadonlySet<Role>): boolean {
  return roles.has('api') && roles.has('settler');
}

/** Several processes can read what one of them keeps on a server. */
function keepsReadModelsInFile({ readModel }: Partial<Values>): boolean | undefined {
  return readModel === undefined ? undefined : schemeOf(readModel.url) === 'sqlite';
}

function isEmbeddedOrWrong({ chain }: Partial<Values>): boolean {
  return chain === undefined || chain.isEmbedded;
}

interface Listener {
  readonly variable: Variable;
  readonly host: string;
  readonly port: number;
  /** Why it takes another port than its variable says. */
  readonly above?: string;
}

/** Two listeners of one process cannot share a port. Port 0 takes a free one. */
function problemsOfPorts(values: Partial<Values>): readonly Conflict[] {
  const listeners = listenersIn(values);
  return listeners.flatMap((listener, index) => {
    const taken = listeners.slice(0, index).find((other) => isSamePort(listener, other));
    if (taken === undefined || taken.variable === listener.variable) return [];
    const { variable, above } = taken;
    const whose =
      above === undefined ? variable.name : `${variable.name}, which also takes the port above it ${above}`;
    const reason = `it is the port ${listener.port} of ${whose}, and two listeners cannot share a port`;
    return [{ variable: listener.variable, reason }];
  });
}

function listenersIn({ host, port, metrics, chain, localChainPort }: Partial<Values>): readonly Listener[] {
  const listeners: Listener[] = [];
  if (chain?.isEmbedded && localChainPort !== undefined) {
    const onLoopback = { variable: variables.localChainPort, host: '127.0.0.1' };
    listeners.push(
      { ...onLoopback, port: localChainPort },
      { ...onLoopback, port: localChainPort === 0 ? 0 : localChainPort + 1, above: 'for WebSockets' },
    );
  }
  if (host !== undefined && port !== undefined) listeners.push({ variable: variables.port, host, port });
  if (metrics !== undefined) listeners.push({ variable: variables.metrics, ...metrics });
  return listeners;
}

const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

function isSamePort(one: Listener, other: Listener): boolean {
  if (one.port === 0 || one.port !== other.port) return false;
  const hosts = [one.host, other.host];
  return one.host === other.host || hosts.some((host) => ALL_ADDRESSES.has(host)) || hosts.every(isLoopback);
}
