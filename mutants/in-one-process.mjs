/** The unit tests of the plan, in one worker that loads the sources once. Killed and started again by `run.mjs`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, createVitest } from 'vitest/node';

const { root, tests, sources } = JSON.parse(readFileSync(process.env.LEVY_MUTANTS_PLAN, 'utf8'));
const conditions = ['levy-source', 'node', 'development|production'];

class NearestFirst extends BaseSequencer {
  async sort(files) {
    const place = ({ moduleId }) => tests.indexOf(moduleId.slice(root.length));
    return files.sort((one, other) => place(one) - place(other));
  }
}

// Whoever started this was killed.
process.on('disconnect', () => process.exit(1));

const vitest = await createVitest(
  'test',
  {
    config: false,
    root,
    include: tests,
    runner: fileURLToPath(new URL('mutant-runner.mjs', import.meta.url)),
    reporters: [{}],
    watch: false,
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    sequence: { sequencer: NearestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true },
    dangerouslyIgnoreUnhandledErrors: true,
  },
  {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    plugins: [
      {
        name: 'changed-sources',
        enforce: 'pre',
        load: (id) => (id in sources ? { code: sources[id], map: null } : undefined),
      },
    ],
  },
);
await vitest.start();
await vitest.close();
process.exit(0);
