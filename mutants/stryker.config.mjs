/** Run from the root of the checkout by `npm run mutants`, which says what is changed. */
export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'mutants/vitest.config.ts' },
  // Only the tests that run a changed line; what runs once while a file is loaded is left out.
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration'] },
  concurrency: 2,
  timeoutMS: 10_000,
  // On a busy machine the unit tests take longer than Stryker's five minutes.
  dryRunTimeoutMinutes: 20,
  tempDirName: 'mutants/work',
  cleanTempDir: 'always',
  ignorePatterns: [
    '/mutants/node_modules',
    '/bench',
    '/dist',
    '/data',
    '/infra',
    '/web',
    '/examples',
    '*.so',
  ],
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
  allowEmpty: false,
  thresholds: { high: 90, low: 85, break: 85 },
};
