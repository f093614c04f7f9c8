/**
 * What a test starts from TypeScript sources, the local chain's process above all, is started with the flags of its parent.
 * They are told here and not to the worker itself: there the loader would handle every import a second time.
 */
const FLAGS = ['--import', 'tsx', '--conditions=levy-source'];

// Set up again for each file, also in a worker that several files share.
if (!process.execArgv.includes('tsx')) process.execArgv = [...process.execArgv, ...FLAGS];
