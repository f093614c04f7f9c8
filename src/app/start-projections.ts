/** Starts what keeps the read models up to date: here, or where they are shared, in the process that holds the role. */
import { keptProjections } from '../projections/index.ts';
import type { Foundation } from './foundation.ts';
import { keepProjecting, startProjecting } from './projecting.ts';
import { VERSION } from './version.ts';

/** Rejects with `OperatorError` when the read models are of another log. */
export async function startProjections(foundation: Foundation): Promise<void> {
  const { shared, configuration, singletons, projector, logger, whenClosing } = foundation;
  await projector.start();
  if (shared === undefined || !configuration.roles.has('projector')) return;
  const options = {
    ...foundation,
    projections: keptProjections,
    shared,
    release: VERSION,
    logger: logger.child({ part: 'projections' }),
  };
  const role = await singletons.run('projector', async (term) =>
    foundation.isShared ? startProjecting(options, term) : keepProjecting(options, term),
  );
  whenClosing(() => role.stop());
}
