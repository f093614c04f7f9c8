/**
 * Runs the unit tests of the plan in one worker that loads the sources once. Mutants of code that runs while a file is loaded
 * get a worker each. `run.mjs` kills and restarts this process.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, createVitest } from 'vitest/node';

const plan = JSON.parse(readFileSync(process.env.LEVY_MUTANTS_PLAN, 'utf8'));
const { root, tests, sources, loaded } = plan;
const conditions = ['levy-source', 'node', 'development|production'];

class NearestFirst extends BaseSequencer {
  async sort(files) {
    const place = ({ moduleId }) => tests.indexOf(moduleId.slice(root.length));
    return files.sort((one, other) => place(one) - place(other));
  }
}

// The parent process was killed.
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
    bail: loaded === undefined ? 0 : 1,
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
if (loaded === undefined) await vitest.start();
else {
  await vitest.init();
  for (const { id, nearest, source } of loaded) {
    const before = { ...sources };
    Object.assign(sources, source);
    for (const path of Object.keys(source ?? {})) vitest.invalidateFile(path);
    writeFileSync(process.env.LEVY_MUTANTS_PLAN, JSON.stringify({ ...plan, always: id }));
    const specifications = await vitest.globTestSpecifications();
    await vitest.runTestSpecifications(
      specifications.filter(({ moduleId }) => nearest.includes(moduleId.slice(root.length))),
    );
    Object.assign(sources, before);
    for (const path of Object.keys(source ?? {})) vitest.invalidateFile(path);
  }
}
await vitest.close();
process.exit(0);
