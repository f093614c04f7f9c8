// The scheme of an address chooses the adapter of a port.
import { describe, expect, test } from 'vitest';
import { eventStoreDb } from '../../../src/adapters/eventstoredb/index.ts';
import { otlp } from '../../../src/adapters/otlp/index.ts';
import { solanaRpc } from '../../../src/adapters/solana-rpc/index.ts';
import { sqlite } from '../../../src/adapters/sqlite/index.ts';
import { adapterFor, technologies } from '../../../src/app/adapters.ts';
import { OperatorError } from '../../../src/kernel/ports/errors.ts';
import type { PortName } from '../../../src/kernel/ports/technology.ts';
import { variables } from '../../../src/operations/config/variables.ts';

describe('the adapter of an address', () => {
  test('is the one that serves its scheme, however that is written', () => {
    expect(adapterFor('event-store', 'sqlite:/a/b.db')).toBe(sqlite['event-store']);
    expect(adapterFor('read-model', 'sqlite:/a/b.db')).toBe(sqlite['read-model']);
    for (const url of ['esdb://db', 'ESDB+discover://db', 'kurrentdb://db', 'kurrentdb+discover://db'])
      expect(adapterFor('event-store', url)).toBe(eventStoreDb['event-store']);
  });

  test('depends on the port: one scheme may serve several', () => {
    expect(adapterFor('chain', 'https://host')).toBe(solanaRpc.chain);
    expect(adapterFor('tracing', 'https://host')).toBe(otlp.tracing);
  });

  test('is missing for an unknown scheme, which is said with those that are known and nothing of the address', () => {
    const choose = () => adapterFor('event-store', 'postgres://user:hunter2@db');
    expect(choose).toThrow(OperatorError);
    expect(choose).toThrow(
      'no event-store supports addresses that begin with "postgres:"; supported are esdb:, esdb+discover:, kurrentdb:, kurrentdb+discover:, sqlite:',
    );
    expect(() => adapterFor('read-model', 'no scheme')).toThrow(
      /begin with ":"; supported are mongodb:, mongodb\+srv:, sqlite:$/,
    );
  });
});

describe('every scheme that an adapter serves', () => {
  const variableOf: Record<PortName, { readonly kind: { parse(text: string): unknown } }> = {
    'event-store': variables.eventStore,
    'read-model': variables.readModel,
    'blob-store': variables.ledgerStore,
    publisher: variables.publisher,
    chain: variables.chain,
    tracing: variables.otlpEndpoint,
  };
  const served = technologies.flatMap((technology) =>
    (Object.keys(technology) as PortName[]).flatMap((port) =>
      (technology[port]?.schemes ?? []).map((scheme) => ({ port, scheme })),
    ),
  );

  test.each(served)('$scheme: as $port can be configured', ({ port, scheme }) => {
    const { kind } = variableOf[port];
    const addresses = [`${scheme}:/path`, `${scheme}://host`, `${scheme}://some.host.example/database`];
    const taken = addresses.filter((text) => {
      try {
        kind.parse(text);
        return true;
      } catch {
        return false;
      }
    });
    expect(taken).not.toEqual([]);
  });
});
