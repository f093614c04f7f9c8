/** Checks combinations of variables that are each valid. */
import { nodeAddressesIn, schemeOf } from '../../kernel/ports/technology.ts';
import { problemOnPublicChain } from './address-kinds.ts';
import { type Values, type Variable, variables } from './variables.ts';

interface Conflict {
  /** Variable to change. */
  readonly variable: Variable;
  readonly reason: string;
}

/** `values` contains only valid variables. */
export function conflictsIn(values: Partial<Values>): readonly Conflict[] {
  const { chain, chainWitness, eventStore, nonceAccountsMin, nonceAccountsMax } = values;
  const conflicts: Conflict[] = [];
  const refuse = (variable: Variable, reason: string) => void conflicts.push({ variable, reason });

  refuseRoles(values, refuse);
  if (chain?.isEmbedded === false && 'publicUrl' in values) {
    const reason = problemOnPublicChain(values.publicUrl);
    if (reason !== undefined) refuse(variables.publicUrl, reason);
  }
  // Two addresses of one node would always agree.
  if (chainWitness !== undefined && chain?.isEmbedded)
    refuse(variables.chainWitness, 'an embedded chain (CHAIN_URL) has only one node; remove the witness');
  else if (chainWitness !== undefined && chain !== undefined && isNodeIn(chain.url, chainWitness.url))
    refuse(variables.chainWitness, 'it must differ from CHAIN_URL, because a node cannot be its own witness');
  if (eventStore?.lacksUser && values.eventStoreCredentialsFile === undefined)
    refuse(
      variables.eventStore,
      'with TLS, EventStoreDB requires a user and a password, before the host or in EVENT_STORE_CREDENTIALS_FILE',
    );
  if (eventStore !== undefined && eventStore.url === values.readModel?.url)
    refuse(
      variables.readModel,
      'it must differ from EVENT_STORE_URL, because the event store needs its own file',
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

/** Roles that query the read models. */
const READERS = ['api', 'settler', 'distributor'] as const;

function refuseRoles(values: Partial<Values>, refuse: Refuse): void {
  const { roles, eventStore, readModel } = values;
  if (roles === undefined) return;
  // Several processes can share read models only on a server.
  const isInFile = readModel && schemeOf(readModel.url) === 'sqlite';
  if (eventStore?.isEmbedded && !(roles.has('api') && roles.has('settler')))
    refuse(
      variables.roles,
      'an event store in SQLite belongs to one process, which then needs the roles `api` and `settler`',
    );
  else if (eventStore?.isEmbedded && isInFile === false && !roles.has('projector'))
    refuse(
      variables.roles,
      'with an event store in SQLite, only this process can write the read models, so it needs the role `projector`',
    );
  else if (roles.has('projector') && isInFile && !READERS.some((role) => roles.has(role)))
    refuse(
      variables.roles,
      'read models in SQLite are readable only by their own process, so a process with the role `projector` also needs the role `api`, `settler` or `distributor`',
    );
  else if (
    'publisher' in values &&
    values.publisher === undefined &&
    roles.size === 1 &&
    roles.has('publisher')
  )
    refuse(
      variables.publisher,
      'it must be set, because the only role of this process is `publisher` (`ROLES`)',
    );
}

export interface Listening {
  readonly what: string;
  readonly host: string;
  readonly port: number;
  readonly variable: Variable;
}

/** Addresses at which a process with this configuration listens. */
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
