/** Runs the recording of a log, which is no test and in no tier: see record-log.ts. */
import { defineConfig } from 'vitest/config';

const conditions = ['levy-source', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/upgrade/record-log.ts'],
    pool: 'forks',
    testTimeout: 1_800_000,
    globalSetup: ['test/support/compile-chain.ts'],
    setupFiles: ['test/support/compiled-chain.ts', 'test/support/clean-up-after-the-file.ts'],
  },
});
