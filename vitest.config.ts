/**
 * The tests in tiers, each a folder: `npm run test:unit` runs one. test/README.md says what each is and needs. Tiers that
 * run together are one project, since each worker of a project loads all sources anew.
 */
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/**
 * Packages of this repository are used from their sources: no build before a test. A list takes the place of vitest's
 * own, so the other two are repeated here.
 */
const conditions = ['levy-source', 'node', 'development|production'];

const fromSources = {
  extends: true as const,
  resolve: { conditions },
  // Vitest hands these on to the processes that run the tests.
  ssr: { resolve: { conditions } },
};

const inProcesses = {
  pool: 'forks' as const,
  // To load the service again for each file takes as long as many of the files do.
  isolate: false,
  // They wait for slots and timers most of the time, so two cores have work for more than two of them.
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
  globalSetup: ['test/support/compile-chain.ts', 'test/support/global-setup.ts'],
  setupFiles: [
    'test/support/compiled-chain.ts',
    'test/support/clean-up-after-the-file.ts',
    'test/support/own-writes.ts',
  ],
};

/** The contracts of adapters whose servers are not embedded. */
const SERVERS = ['test/contracts/{eventstoredb,mongodb,nats}/**/*.test.ts'];

/** Those of the local chain that start and kill processes which compile its sources. */
const CHAIN_PROCESSES = ['packages/local-chain/test/{command,durability}.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    retry: 0,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        ...fromSources,
        test: {
          name: 'unit',
          include: [
            'test/unit/**/*.test.ts',
            'packages/solana-wire/test/**/*.test.ts',
            'packages/transparency-log/test/**/*.test.ts',
            'packages/client/test/**/*.test.ts',
          ],
          pool: 'threads',
          // Some wait for timers, and all for their sources at first.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
          // Nothing here keeps state between files, and loading the sources again for each takes longer than the tests.
          isolate: false,
          // A test without an assertion holds nothing.
          expect: { requireAssertions: true },
        },
      },
      {
        ...fromSources,
        test: {
          name: 'service',
          include: [
            'test/{contracts,infra,api,walks}/**/*.test.ts',
            'packages/local-chain/test/**/*.test.ts',
          ],
          exclude: [...SERVERS, ...CHAIN_PROCESSES],
          ...inProcesses,
        },
      },
      { ...fromSources, test: { name: 'servers', include: SERVERS, ...inProcesses } },
      {
        ...fromSources,
        test: {
          name: 'processes',
          include: ['test/{journeys,faults}/**/*.test.ts', ...CHAIN_PROCESSES],
          ...inProcesses,
          // They load the machine by themselves, with processes that are killed and started, and browsers.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
