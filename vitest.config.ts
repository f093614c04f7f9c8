import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Packages of this repository are used from their sources: no build before a test.
  resolve: { conditions: ['levy-source'] },
  ssr: { resolve: { conditions: ['levy-source', 'node', 'import', 'default'] } },
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // The local chain's child process is started from TypeScript sources in tests; a fork inherits these flags.
    execArgv: ['--import', 'tsx', '--conditions=levy-source'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
  },
});
