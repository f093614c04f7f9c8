/** Compiles the check of a schema when it is first needed: all of a service take a good part of its start. */
import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';

export function compiledCheck<Schema extends TSchema>(schema: Schema): () => TypeCheck<Schema> {
  let compiled: TypeCheck<Schema> | undefined;
  return () => {
    compiled ??= TypeCompiler.Compile(schema);
    return compiled;
  };
}
