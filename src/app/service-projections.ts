/** The read models of a running service, by its operator routes: how far they are, and to build them anew. */
import { OperatorError } from '../kernel/ports/operator-error.ts';
import { openOperatorCalls } from './operator-calls.ts';

export interface ServiceProjection {
  readonly name: string;
  readonly state: string;
  readonly error: string | null;
  readonly progress: { readonly unit: string; readonly done: number; readonly of: number } | null;
}

export interface ServiceProjections {
  status(): Promise<readonly ServiceProjection[]>;
  /** False if it is being built already. */
  rebuild(name: string): Promise<boolean>;
}

/** All calls reject with `OperatorError`. */
export async function openServiceProjections(place: {
  readonly service: string;
  readonly operatorKeyFile: string | undefined;
}): Promise<ServiceProjections> {
  const ask = await openOperatorCalls(place, 'rebuild');
  const { service } = place;

  return {
    async status() {
      const projections: unknown = Reflect.get(
        Object(await ask('GET', '/operator/projections')),
        'projections',
      );
      if (Array.isArray(projections)) return projections as readonly ServiceProjection[];
      throw new OperatorError(`${service} does not answer as a levy service does`);
    },
    async rebuild(name) {
      const path = `/operator/projections/${encodeURIComponent(name)}/rebuild`;
      return Reflect.get(Object(await ask('POST', path)), 'started') === true;
    },
  };
}
