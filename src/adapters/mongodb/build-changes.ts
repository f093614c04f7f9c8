/** Selects builds of a registration, and computes its changes. Pure functions that return only the changed members. */
import { canRead, isSameBuild, shapeOf } from '../../kernel/ports/collection-shape.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Collection, Generation } from '../../kernel/ports/read-model.ts';
import { NewerVersionLive } from '../../kernel/ports/shared-read-model.ts';
import type { Build, Registration } from './layout.ts';

/** Undefined if nothing changes. */
export type RegistrationChange = Partial<Registration> | undefined;

/** Initial registration of a collection. */
export const NO_BUILDS: Registration = { lastBuild: 0, builds: [], live: null };

/** Latest build of the collection's version and shape. */
export function ownBuildIn(
  found: Pick<Registration, 'builds'> | undefined,
  collection: Collection,
): Build | undefined {
  const shape = JSON.stringify(shapeOf(collection));
  return found?.builds
    .filter((each) => each.version === collection.version && each.shape === shape)
    .toSorted((one, other) => one.generation - other.generation)
    .at(-1);
}

/** Returns the wanted build, or the collection's own. @throws Error if it does not exist. */
export function buildOf(found: Registration | undefined, collection: Collection, wanted?: Generation): Build {
  const { name, version } = collection;
  const build =
    wanted === undefined
      ? ownBuildIn(found, collection)
      : found?.builds.find((each) => isSameBuild(each, wanted));
  if (build !== undefined) return build;
  throw new Error(
    wanted === undefined
      ? `the collection "${name}" version ${version} was not prepared in this shape`
      : `the collection "${name}" no longer has build ${wanted.generation} of version ${wanted.version}`,
  );
}

/** Live build, if this version can read it. */
export function servedBuildIn(found: Registration | undefined, collection: Collection): Build | undefined {
  const live = found?.live ?? null;
  if (live === null || !canRead(collection, live)) return undefined;
  return found?.builds.find((each) => isSameBuild(each, live));
}

export function withBuild(
  { builds, lastBuild }: Registration,
  collection: Collection,
): Pick<Registration, 'lastBuild' | 'builds'> {
  const { version } = collection;
  const alike = builds.filter((each) => each.version === version);
  const build: Build = {
    version,
    generation: 1 + Math.max(0, ...alike.map(({ generation }) => generation)),
    id: lastBuild + 1,
    shape: JSON.stringify(shapeOf(collection)),
    checkpoint: null,
  };
  return { lastBuild: build.id, builds: [...builds, build] };
}

/** Assigns new MongoDB collections to the build, so that no write still running reaches it. */
function emptied(found: Registration, own: Build): RegistrationChange {
  const build = { ...own, id: found.lastBuild + 1, checkpoint: null };
  return { lastBuild: build.id, builds: found.builds.map((each) => (each === own ? build : each)) };
}

export function renewed(
  found: Registration,
  collection: Collection,
  keep: 'live' | 'nothing',
): RegistrationChange {
  if (keep === 'nothing') {
    requireNotNewer(found, collection);
    return { ...withBuild({ ...found, builds: [] }, collection), live: null };
  }
  const own = buildOf(found, collection);
  return isSameBuild(own, found.live) ? withBuild(found, collection) : emptied(found, own);
}

function requireNotNewer({ live }: Registration, { name, version }: Collection): void {
  if (live !== null && live.version > version) throw new NewerVersionLive(name, live.version);
}

/** Advances checkpoints; never moves them back. */
export function movedCheckpoints(
  moves: readonly {
    readonly build: Build;
    readonly checkpoint?: Position;
    readonly collection: Collection;
  }[],
): (found: Registration) => RegistrationChange {
  return (found) => {
    let { builds } = found;
    for (const { build, checkpoint, collection } of moves) {
      if (checkpoint === undefined) continue;
      const now = builds.find(({ id }) => id === build.id) ?? buildOf(undefined, collection, build);
      if (now.checkpoint === null || now.checkpoint < checkpoint)
        builds = builds.map((each) => (each === now ? { ...each, checkpoint } : each));
    }
    return builds === found.builds ? undefined : { builds };
  };
}

/** Makes this release's build live and retires all other builds. */
export function wentLive(found: Registration, collection: Collection): RegistrationChange {
  const { live, builds } = found;
  requireNotNewer(found, collection);
  const own = buildOf(found, collection);
  if (builds.length === 1 && isSameBuild(own, live)) return undefined;
  return { builds: [own], live: { version: own.version, generation: own.generation } };
}
