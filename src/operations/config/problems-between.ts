/** Problems between variables that are right by themselves. */
import { nodeAddressesIn, schemeOf } from '../../kernel/ports/technology.ts';
import { problemOnPublicChain } from './address-kinds.ts';
import { type Values, type Variable, variables } from './variables.ts';

interface Conflict {
  /** The one to change. */
  readonly variable: Variable;
  readonly reason: string;
}

/** Variables that are wrong by themselves are missing from `values`. */
export function problemsBetween(values: Partial<Values>): readonly Conflict[] {
  const { chain, chainWitness, eventStore, nonceAccountsMin, nonceAccountsMax } = values;
  const conflicts: Conflict[] = [];
  const refuse = (variable: Variable, reason: string) => void conflicts.push({ variable, reason });

  refuseRoles(values, refuse);
  if (chain?.isEmbedded === false && 'publicUrl' in values) {
    const reason = problemOnPublicChain(values.publicUrl);
    if (reason !== undefined) refuse(variables.publicUrl, reason);
  }
  // Two addresses of one node would agree about anything.
  if (chainWitness !== undefined && chain?.isEmbedded)
    refuse(variables.chainWitness, 'an embedded chain (CHAIN_URL) has one node, and no second to ask');
  else if (chainWitness !== undefined && chain !== undefined && isNodeIn(chain.url, chainWitness.url))
    refuse(variables.chainWitness, 'it is the same as CHAIN_URL, and a node cannot be its own witness');
  if (eventStore?.lacksUser && values.eventStoreCredentialsFile === undefined)
    refuse(
      variables.eventStore,
      'with TLS, EventStoreDB requires a user and a password, before the host or in EVENT_STORE_CREDENTIALS_FILE',
    );
  if (eventStore !== undefined && eventStore.url === values.readModel?.url)
    refuse(
      variables.readModel,
      'it is the same as EVENT_STORE_URL, and the event store needs a file of its own',
    );
  if (nonceAccountsMin !== undefined && nonceAccountsMax !== undefined && nonceAccountsMin > nonceAccountsMax)
    refuse(variables.nonceAccountsMin, `it is greater than NONCE_ACCOUNTS_MAX, which is ${nonceAccountsMax}`);
  return conflicts;
}

type Refuse = (variable: Variable, reason: string) => void;

function isNodeIn(list: string, node: string): boolean {
  const { href } = new URL(node);
  return nodeAddressesIn(list).some((url) => new URL(url).href === href);
}

/** The roles that read read models. */
const READERS = ['api', 'settler', 'distributor'] as const;

function refuseRoles(values: Partial<Values>, refuse: Refuse): void {
  const { roles, eventStore, readModel } = values;
  if (roles === undefined) return;
  // Several processes can read what one of them keeps on a server.
  const isInFile = readModel && schemeOf(readModel.url) === 'sqlite';
  if (eventStore?.isEmbedded && !(roles.has('api') && roles.has('settler')))
    refuse(
      variables.roles,
      'an event store in SQLite belongs to one process, which then needs the roles `api` and `settler`',
    );
  else if (eventStore?.isEmbedded && isInFile === false && !roles.has('projector'))
    refuse(
      variables.roles,
      'nobody else can write the read models of an event store in SQLite: this process needs the role `projector`',
    );
  else if (roles.has('projector') && isInFile && !READERS.some((role) => roles.has(role)))
    refuse(
      variables.roles,
      'only the process that keeps read models in SQLite can read them, and this one has none of the roles `api`, `settler` and `distributor`',
    );
  else if (
    'publisher' in values &&
    values.publisher === undefined &&
    roles.size === 1 &&
    roles.has('publisher')
  )
    refuse(
      variables.publisher,
      'the only role of this process is `publisher` (`ROLES`), which needs a server to publish to',
    );
}

export interface Listening {
  readonly what: string;
  readonly host: string;
  readonly port: number;
  readonly variable: Variable;
}

/** Addresses at which a process with such a configuration listens. */
export function listenersOf({ host, port, metrics, chain, localChainPort }: Values) {
  const service: Listening = { what: 'The service', host, port, variable: variables.port };
  const localChain: Listening = {
    what: 'The embedded chain',
    host: '127.0.0.1',
    port: localChainPort,
    variable: variables.localChainPort,
  };
  return {
    localChain: chain.isEmbedded ? localChain : undefined,
    service,
    metrics: metrics && {
      what: 'The listener for metrics',
      ...metrics,
      variable: variables.metrics as Variable,
    },
  };
}
