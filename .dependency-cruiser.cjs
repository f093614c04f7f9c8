/** Which room may import which: `npm run directions` holds the sources to it. */

/** From the ground up: a room may import those of the lines before its own, and of its own line without a circle. */
const ORDER = [
  ['kernel'],
  ['chain'],
  ['streams'],
  ['projections', 'outcomes'],
  ['views'],
  ['server'],
  ['drafts', 'distribution'],
  ['proof'],
  ['commands', 'queries'],
  ['operations'],
  ['reference'],
  ['app'],
  ['levy'],
];

const room = (names) => `^src/(${names.join('|')})/`;

const upwards = ORDER.slice(0, -1).map((rooms, line) => ({
  name: `no-import-upwards-from-${rooms.join('-')}`,
  comment: 'Imports run one way: what lies below knows nothing of what lies above.',
  severity: 'error',
  from: { path: room(rooms) },
  to: { path: [...ORDER.slice(line + 1).map(room), '^src/main\\.ts$'] },
}));

module.exports = {
  forbidden: [
    ...upwards,
    {
      name: 'no-circles',
      comment: 'A circle of imports has no first module: take out what both need.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circles-of-folders',
      comment: 'Two folders that need each other are one folder, or lack a third.',
      severity: 'error',
      scope: 'folder',
      from: { pathNot: '^bench/' },
      to: { circular: true },
    },
    {
      name: 'every-room-has-its-place',
      comment: 'A new room is named in the order above. No file stands at the root but the process.',
      severity: 'error',
      from: { path: '^src/', pathNot: [...ORDER.map(room), '^src/adapters/', '^src/main\\.ts$'] },
      to: {},
    },
    {
      name: 'only-the-composition-imports-adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(app|levy)/', '^src/adapters/'] },
      to: { path: '^src/adapters/' },
    },
    {
      name: 'adapters-know-no-other-technology',
      comment:
        'Each technology is a room of its own; what files and SQLite share is the making of private files.',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/', pathNot: '^src/adapters/$1/' },
    },
    {
      name: 'adapters-know-no-feature',
      comment: 'An adapter keeps the contract of its port, whoever uses it.',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: {
        path: '^src/(chain|streams|projections|views|drafts|distribution|commands|queries|server/http|operations/(?!config/)|reference|app|levy)/',
      },
    },
    {
      name: 'the-chain-is-pure',
      comment: 'What is known of Solana and its venue: no stream, no store, no command, no node.',
      severity: 'error',
      from: { path: '^src/chain/' },
      to: { path: '^src/', pathNot: ['^src/chain/', '^src/kernel/ports/chain\\.ts$'] },
    },
    {
      name: 'runtime-knows-no-feature',
      comment: 'The kernel serves every feature, so it may know none.',
      severity: 'error',
      from: { path: '^src/kernel/runtime/' },
      to: { path: '^(src|packages)/', pathNot: ['^src/kernel/runtime/', '^src/kernel/ports/'] },
    },
    {
      name: 'ports-stand-alone',
      comment: 'A port is what others agree on.',
      severity: 'error',
      from: { path: '^src/kernel/ports/' },
      to: { path: '^(src|packages)/', pathNot: '^src/kernel/ports/' },
    },
    {
      name: 'projections-read-events-only',
      comment: 'A rebuild must give the same documents: nothing but events may count.',
      severity: 'error',
      from: { path: '^src/projections/' },
      to: { path: '^src/', pathNot: '^src/(projections|streams|kernel)/' },
    },
    {
      name: 'commands-and-queries-stay-apart',
      comment: 'Commands decide by streams, queries read documents; what both need belongs to neither.',
      severity: 'error',
      from: { path: '^src/(commands|queries)/' },
      to: { path: '^src/(commands|queries)/', pathNot: '^src/$1/' },
    },
    {
      name: 'http-knows-no-chain',
      comment: 'How a call is served does not depend on what it is about.',
      severity: 'error',
      from: { path: '^src/server/http/' },
      to: {
        path: '^(src/(chain|streams|projections|drafts|commands|queries)|packages)/',
        pathNot: '^src/streams/(rejections|value-types)\\.ts$',
      },
    },
    {
      name: 'nobody-knows-that-it-is-observed',
      comment: 'Measuring and tracing are put around things from outside.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(operations|reference|app|levy)/' },
      to: { path: '^src/operations/', pathNot: '^src/operations/(config|archive)/' },
    },
    {
      name: 'libraries-of-observation-stay-in-one-place',
      comment: 'Another library for metrics or traces is a matter of these rooms alone.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/operations/metrics/', '^src/adapters/otlp/'] },
      to: { path: 'node_modules/(prom-client|@opentelemetry)/' },
    },
    {
      name: 'sources-need-no-tests',
      severity: 'error',
      from: { path: '^(src|packages/[^/]+/src)/' },
      to: { path: '^(test|bench|infra|packages/[^/]+/test)/' },
    },
    {
      name: 'packages-need-no-service',
      comment: 'What others install must not need the service.',
      severity: 'error',
      from: { path: '^packages/[^/]+/(src|bin)/' },
      to: { path: '^(src|bench|infra)/' },
    },
    {
      name: 'the-wire-stands-alone',
      comment: 'The bytes of Solana are what everything else agrees on.',
      severity: 'error',
      from: { path: '^packages/solana-wire/src/' },
      to: { path: '^packages/', pathNot: '^packages/solana-wire/src/' },
    },
    {
      name: 'the-transparency-log-stands-alone',
      comment: 'Those who check a log need nothing else of this service.',
      severity: 'error',
      from: { path: '^packages/transparency-log/src/' },
      to: { path: '^packages/', pathNot: '^packages/transparency-log/src/' },
    },
    {
      name: 'the-transparency-log-runs-in-browsers',
      severity: 'error',
      from: { path: '^packages/transparency-log/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the-local-chain-stands-alone',
      comment: 'It runs in a process of its own and must behave like a cluster, not like this service.',
      severity: 'error',
      from: { path: '^packages/local-chain/(src|bin)/' },
      to: { path: '^packages/', pathNot: '^packages/(local-chain|solana-wire)/(src|bin)/' },
    },
    {
      name: 'the-local-chain-is-reached-over-its-port',
      comment: 'Only the composition may start it; everything else talks to it as to any chain.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app|levy)/' },
      to: { path: '^packages/local-chain/' },
    },
    {
      name: 'the-service-does-not-use-the-client',
      comment: 'The service does not call itself.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^packages/client/' },
    },
    {
      name: 'the-console-calls-the-service',
      comment: 'It is one client of the API among others, and runs in browsers.',
      severity: 'error',
      from: { path: '^console/src/' },
      to: { path: '^(src|bench|test|packages)/', pathNot: '^packages/(client|transparency-log)/src/' },
    },
    {
      name: 'nothing-imports-the-console',
      severity: 'error',
      from: { path: '^(src|packages)/' },
      to: { path: '^console/' },
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
      from: { path: '^(src|packages/[^/]+/src)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    {
      name: 'imports-lead-somewhere',
      severity: 'error',
      from: {},
      // The benchmarks' own packages are installed beside them, and not here.
      to: { couldNotResolve: true, pathNot: '^(@event-driven-io/|express$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    // Types count too: an import that is erased is still knowledge.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['levy-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
