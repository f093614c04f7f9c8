/**
 * Compiles the serializer of a route when its first answer is sent: those of all routes take a good part of a start, and
 * most processes answer few of them.
 */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';

const compile = SerializerSelector()();

export const serializeWhenAsked: FastifySerializerCompiler<unknown> = ({ httpStatus = '', ...route }) => {
  let serialize: ReturnType<typeof compile> | undefined;
  return (answer) => {
    serialize ??= compile({ ...route, httpStatus });
    return serialize(answer);
  };
};
