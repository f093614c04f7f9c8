/** Builds outcomes from this service's events; each contains both ids of its token (see `cloudEventOf`). */
import { type ObjectOptions, type Static, type TObject, Type } from '@sinclair/typebox';
import { outcomesOf } from '../kernel/runtime/define-outcome.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { LevyEvent } from '../streams/index.ts';
import { Address } from '../streams/value-types.ts';

const define = outcomesOf<LevyEvent>();

export const defineOutcome: typeof define = (definition) => {
  const outcome = define(definition);
  const properties = { ...BOTH_IDS.properties, ...outcome.data.properties };
  return { ...outcome, data: Type.Object(properties, optionsOf(outcome.data)) };
};

type Members<Schema extends TObject, Name extends keyof Schema['properties']> = TObject<
  Pick<Schema['properties'], Name>
>;

/** Members that a message copies from the event, with their schemas. */
export function picked<Schema extends TObject, Name extends keyof Schema['properties'] & string>(
  event: Schema,
  ...names: readonly Name[]
) {
  const chosen = (from: object) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name as Name)));
  return {
    data: Type.Object(chosen(event.properties)) as unknown as Members<Schema, Name>,
    dataOf: ({ data }: { readonly data: Static<Schema> }) =>
      chosen(Object(data)) as Static<Members<Schema, Name>>,
  };
}

const BOTH_IDS = Type.Object({ tokenId: Type.Optional(Uuid), mintAddress: Type.Optional(Address) });

const EXAMPLE_IDS = {
  tokenId: '11f82ccb-0246-5e2a-83c3-8f3a12af34d8',
  mintAddress: 'AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3',
};

/** Adds the token's ids to the schema's examples. */
function optionsOf({ examples }: TObject): ObjectOptions {
  return Array.isArray(examples)
    ? { examples: examples.map((example) => ({ ...EXAMPLE_IDS, ...example })) }
    : {};
}
