/**
 * What a test starts from TypeScript sources, the local chain's process above all, is started with the flags of its parent.
 * They are told here and not to the worker itself: there the loader would handle every import a second time.
 */
process.execArgv = [...process.execArgv, '--import', 'tsx', '--conditions=levy-source'];
