/**
 * Technologies behind the service's ports, chosen by the scheme of an address. A new one is a folder of `src/adapters` and a
 * line here; `config/address-kinds.ts` makes the configuration accept its schemes, and a folder of `test/contracts` tests
 * its ports' contracts.
 */
import { eventStoreDb } from '../adapters/eventstoredb/index.ts';
import { file } from '../adapters/file/index.ts';
import { mongoDb } from '../adapters/mongodb/index.ts';
import { nats } from '../adapters/nats/index.ts';
import { otlp } from '../adapters/otlp/index.ts';
import { solanaRpc } from '../adapters/solana-rpc/index.ts';
import { sqlite } from '../adapters/sqlite/index.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { type AdapterOf, type PortName, schemeOf, type Technology } from '../kernel/ports/technology.ts';

export const technologies: readonly Technology[] = [
  eventStoreDb,
  file,
  mongoDb,
  nats,
  otlp,
  solanaRpc,
  sqlite,
];

/** Throws `OperatorError` if no technology offers the port for this address. */
export function adapterFor<Port extends PortName>(port: Port, url: string): AdapterOf<Port> {
  const adapters: readonly AdapterOf<Port>[] = technologies.flatMap((technology) => technology[port] ?? []);
  const scheme = schemeOf(url);
  const found = adapters.find(({ schemes }) => schemes.includes(scheme));
  if (found !== undefined) return found;
  const known = adapters.flatMap(({ schemes }) => schemes).map((each) => `${each}:`);
  throw new OperatorError(
    `no ${port} supports addresses that begin with "${scheme}:"; supported are ${known.join(', ')}`,
  );
}
