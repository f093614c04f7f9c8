/** The unit tests as Stryker runs them: without those that read the text of the sources, which it has changed. */
import { defineConfig } from 'vitest/config';

const conditions = ['levy-source', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/unit/**/*.test.ts', 'packages/{solana-wire,transparency-log}/test/**/*.test.ts'],
    exclude: ['test/unit/guards/**', 'test/unit/proof/audit/checks.test.ts', '**/node_modules/**'],
    testTimeout: 120_000,
  },
});
