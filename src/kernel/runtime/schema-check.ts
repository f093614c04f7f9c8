/** Compiles a schema's check on first use, because compiling all schemas takes a large part of a start. */
import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';

export function schemaCheck<Schema extends TSchema>(schema: Schema): () => TypeCheck<Schema> {
  let compiled: TypeCheck<Schema> | undefined;
  return () => {
    compiled ??= TypeCompiler.Compile(schema);
    return compiled;
  };
}
