/** Compiles a schema's check on first use, because compiling all schemas would take a large part of the startup time. */
import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';

export function schemaCheck<Schema extends TSchema>(schema: Schema): () => TypeCheck<Schema> {
  let compiled: TypeCheck<Schema> | undefined;
  return () => {
    compiled ??= TypeCompiler.Compile(schema);
    return compiled;
  };
}
