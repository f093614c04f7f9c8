/** Which folder may import which: `npm run directions` holds the sources to it. */

const nothingElse = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|test|bench|infra)/', pathNot: allowed },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'A circle of imports has no first module: take out what both need.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    nothingElse(
      'runtime-knows-no-feature',
      '^src/runtime/',
      ['^src/runtime/', '^src/ports/'],
      'The kernel serves every feature, so it may know none.',
    ),
    nothingElse('ports-stand-alone', '^src/ports/', ['^src/ports/'], 'A port is what others agree on.'),
    nothingElse(
      'streams-know-only-the-kernel',
      '^src/streams/',
      ['^src/streams/', '^src/runtime/', '^src/ports/'],
      'What happened means the same whatever the service does about it.',
    ),
    nothingElse(
      'projections-read-events-only',
      '^src/projections/',
      ['^src/projections/', '^src/streams/', '^src/runtime/', '^src/ports/'],
      'A rebuild must give the same documents: nothing but events may count.',
    ),
    nothingElse(
      'leases-know-no-work',
      '^src/leases/',
      ['^src/leases/', '^src/streams/', '^src/runtime/', '^src/ports/'],
      'Whatever is done by one process at a time is held in the same way.',
    ),
    {
      name: 'only-the-composition-imports-adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/app(\\.ts$|/)', '^src/adapters/'] },
      to: { path: '^src/adapters/' },
    },
    {
      name: 'commands-and-queries-stay-apart',
      comment: 'Commands decide by streams, queries read documents; what both need belongs to neither.',
      severity: 'error',
      from: { path: '^src/(commands|queries)/' },
      to: { path: '^src/(commands|queries)/', pathNot: '^src/$1/' },
    },
    nothingElse(
      'the-local-chain-stands-alone',
      '^src/chain/local/',
      ['^src/chain/local/'],
      'It runs in a process of its own and must behave like a cluster, not like this service.',
    ),
    {
      name: 'the-local-chain-is-reached-over-its-port',
      comment: 'Only the composition may start it; everything else talks to it as to any chain.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/chain/local/', '^src/app(\\.ts$|/)'] },
      to: { path: '^src/chain/local/' },
    },
    {
      name: 'http-knows-no-chain',
      comment: 'Sign-in checks wallet addresses and signatures; nothing else of the chain concerns HTTP.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/chain/', pathNot: '^src/chain/(ed25519|wallet-key|address)\\.ts$' },
    },
    {
      name: 'only-http-imports-http',
      comment:
        'Commands and queries know the sign-in, which is a rule of the service; not how it is served. Policies have their names there.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(http|app)/', '^src/(app|main|demo|print-open-api|print-readme-tables)\\.ts$'],
      },
      to: { path: '^src/http/', pathNot: ['^src/http/auth/', '^src/http/rate-limit/policies\\.ts$'] },
    },
    nothingElse(
      'metrics-look-on',
      '^src/metrics/',
      [
        '^src/(metrics|runtime|ports|leases)/',
        '^src/chain/fee-payer\\.ts$',
        '^src/(workload|markdown)\\.ts$',
      ],
      'What is measured is handed to them; they know nothing of how it works.',
    ),
    nothingElse(
      'tracing-stands-around-ports',
      '^src/tracing/',
      ['^src/(tracing|runtime|ports)/'],
      'It traces whatever keeps the contract of a port.',
    ),
    {
      name: 'nobody-knows-that-it-is-observed',
      comment: 'Measuring and tracing are put around things from outside.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(metrics|tracing|app)/', '^src/(app|observation|services|print-readme-tables)\\.ts$'],
      },
      to: { path: '^src/(metrics|tracing|observation)(/|\\.ts$)' },
    },
    {
      name: 'libraries-of-observation-stay-in-one-place',
      comment: 'Another library for metrics or traces is a matter of these files alone.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/metrics/', '^src/adapters/otlp-tracing\\.ts$'] },
      to: { path: 'node_modules/(prom-client|@opentelemetry)/' },
    },
    {
      name: 'sources-need-no-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|infra)/' },
    },
    {
      name: 'the-client-knows-the-api-only',
      comment: 'What others install must not need the service.',
      severity: 'error',
      from: { path: '^clients/typescript/src/' },
      to: { path: '^(src|test|bench|infra)/' },
    },
    {
      name: 'only-the-demo-uses-the-client',
      comment: 'The service does not call itself.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/demo\\.ts$' },
      to: { path: '^clients/' },
    },
    {
      name: 'nothing-imports-the-process',
      severity: 'error',
      from: {},
      to: { path: '^src/main\\.ts$' },
    },
    {
      name: 'sources-need-no-dev-dependencies',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'packages-are-declared',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    {
      name: 'imports-lead-somewhere',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Types count too: an import that is erased is still knowledge.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
