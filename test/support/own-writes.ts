/**
 * With shared read models that lag behind the log (TEST_READ_MODELS_AT), lets every test call as a caller that must see its own
 * writes: a GET names the last position that the service returned, and is repeated until that is reached.
 */

/** Milliseconds. The service itself waits for two seconds before it answers so. */
const PATIENCE = 30_000;
const NOT_YET = 503;
const READS = new Set(['GET', 'HEAD']);
const MARK = Symbol.for('levy.test.own-writes');

/** Last positions by the service's address. */
const told = new Map<string, string>();

function seeOwnWrites(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { origin } = new URL(request.url);
    const position = told.get(origin);
    if (position !== undefined && takesNoPosition(request))
      await seeOwnWrites(ask)(`${origin}/tokens?limit=1`);
    const waits =
      READS.has(request.method) && position !== undefined && !request.headers.has('x-after-position');
    if (waits) request.headers.set('x-after-position', position);
    const until = performance.now() + PATIENCE;
    let response = await ask(request.clone());
    while (waits && response.status === NOT_YET && performance.now() < until)
      response = await ask(request.clone());
    const found = response.headers.get('x-position');
    if (found !== null && found > (position ?? '')) told.set(origin, found);
    return response;
  };
}

/** What everybody may read without a limit waits for nobody: who must see a write there waits elsewhere first. */
function takesNoPosition({ method, url }: Request): boolean {
  return READS.has(method) && new URL(url).pathname.startsWith('/metadata/');
}

// Once for all files of a process.
if (process.env.TEST_READ_MODELS_AT !== undefined && !(MARK in globalThis)) {
  Object.assign(globalThis, { [MARK]: true, fetch: seeOwnWrites(fetch) });
}
