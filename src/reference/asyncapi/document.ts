/** AsyncAPI 3.0 document of all messages to subscribers, generated from the outcomes. */
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { JsonObject } from '../../kernel/ports/event-store.ts';
import type { AnyOutcome, Audience } from '../../kernel/runtime/define-outcome.ts';
import {
  CHECKPOINT_TYPE,
  CheckpointEvent,
  CLOUD_EVENTS_JSON,
  cloudEventSchema,
  cloudEventType,
} from '../../outcomes/cloud-event.ts';
import { outcomes } from '../../outcomes/index.ts';
import { streamEvents } from '../../queries/stream-events.ts';
import { exampleOf } from '../openapi/example-of.ts';
import { createSchemaCollection, type SchemaCollection } from '../openapi/json-schema.ts';

const DESCRIPTION = `Outcomes of Levy, as CloudEvents 1.0 in JSON.

**Types are stable.** The meaning of a type never changes; its data may gain members, so ignore unknown
members.

**\`id\`** identifies the event and is the same in every delivery. **\`source\`** identifies the log.
**\`position\`** orders the events of a log: it is opaque text that compares greater for later events.

**Public** messages contain only public facts. The only public message about a hidden token is \`tokens.hidden\`.
Messages for **creators** are sent only to the signed-in wallet that created the token. Operators receive all messages.

**On NATS JetStream**, which an operator can configure for their own systems, the subject of a message is the configured prefix
and its \`title\` here, such as \`tokens.created\`. The body is the same.`;

const CHECKPOINT = 'checkpoint';
const SERVER = 'http';
const CHANNEL = 'events';

interface AsyncApiOptions {
  readonly version: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** True if operators are configured; events for operators are described only then. */
  readonly operators: boolean;
}

/** Deterministic: equal outcomes give an equal document. */
export function createAsyncApiDocument({ version, publicUrl, operators }: AsyncApiOptions): JsonObject {
  const schemas = createSchemaCollection();
  const told = outcomes.filter(({ audience }) => operators || audience !== 'operators');
  const toldTo = (...audiences: readonly Audience[]) =>
    told.filter(({ audience }) => audiences.includes(audience));
  const messages = Object.fromEntries([
    ...told.map((outcome) => [outcome.name, messageOf(outcome, schemas)]),
    [CHECKPOINT, checkpointMessage(schemas)],
  ]);
  function operationOf(title: string, these: readonly AnyOutcome[], scheme?: string): JsonObject {
    const query: TObject = streamEvents.input.query ?? Type.Object({});
    return {
      action: 'send',
      title,
      channel: { $ref: `#/channels/${CHANNEL}` },
      messages: [...these.map(({ name }) => name), CHECKPOINT].map((name) => ({
        $ref: `#/channels/${CHANNEL}/messages/${name}`,
      })),
      bindings: { http: { method: 'GET', query: schemas.schemaOf(query), bindingVersion: '0.3.0' } },
      ...(scheme === undefined ? {} : { security: [{ $ref: `#/components/securitySchemes/${scheme}` }] }),
    };
  }

  return {
    asyncapi: '3.0.0',
    info: { title: 'Levy events', version, description: DESCRIPTION },
    defaultContentType: CLOUD_EVENTS_JSON,
    servers: { [SERVER]: serverOf(publicUrl) },
    channels: {
      [CHANNEL]: {
        address: streamEvents.route.url,
        title: 'Server-sent events',
        description: streamEvents.description ?? streamEvents.summary,
        servers: [{ $ref: `#/servers/${SERVER}` }],
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      tellPublic: operationOf('Sent to everybody', toldTo('public')),
      tellCreators: operationOf('Sent to a signed-in wallet', toldTo('public', 'creators'), 'accessToken'),
      ...(operators ? { tellOperators: operationOf('Sent to operators', told, 'operatorKey') } : {}),
    },
    components: {
      messages,
      schemas: schemas.components(),
      securitySchemes: { accessToken: ACCESS_TOKEN, ...(operators ? { operatorKey: OPERATOR_KEY } : {}) },
    },
  };
}

const ACCESS_TOKEN: JsonObject = {
  type: 'http',
  scheme: 'bearer',
  description: 'Access token from `POST /auth/verify`.',
};

const OPERATOR_KEY: JsonObject = {
  type: 'httpApiKey',
  name: 'X-Operator-Key',
  in: 'header',
  description: 'Key of an operator of the service. Do not use it in web pages.',
};

function serverOf(publicUrl: string): JsonObject {
  const { protocol, host, pathname } = new URL(publicUrl);
  return {
    host,
    protocol: protocol.replace(':', ''),
    ...(pathname === '/' ? {} : { pathname }),
    description: 'Stream of server-sent events of the service.',
  };
}

function messageOf(outcome: AnyOutcome, schemas: SchemaCollection): JsonObject {
  const { name, summary, audience, data } = outcome;
  const payload = cloudEventSchema(outcome, data);
  return {
    name: cloudEventType(outcome),
    title: name,
    summary,
    contentType: CLOUD_EVENTS_JSON,
    tags: [{ name: audience }],
    payload: {
      title: `${schemaName(name)}Event`,
      type: 'object',
      required: [...(payload.required ?? [])],
      properties: { ...attributesOf(payload, schemas), data: schemas.schemaOf(data, schemaName(name)) },
    },
    ...examplesOf(payload),
  };
}

function attributesOf(payload: TObject, schemas: SchemaCollection): JsonObject {
  const { data: _data, ...attributes } = payload.properties;
  return Object.fromEntries(
    Object.entries(attributes).map(([attribute, schema]) => [attribute, schemas.schemaOf(schema)]),
  );
}

function checkpointMessage(schemas: SchemaCollection): JsonObject {
  return {
    name: CHECKPOINT_TYPE,
    title: CHECKPOINT,
    summary:
      'All requested events up to `position` have been delivered. A checkpoint is not an event of the log; resume after its id.',
    contentType: CLOUD_EVENTS_JSON,
    payload: { title: 'CheckpointEvent', ...schemas.schemaOf(CheckpointEvent) },
    ...examplesOf(CheckpointEvent),
  };
}

function examplesOf(payload: TSchema): JsonObject {
  const { value, missing } = exampleOf(payload);
  return missing.length > 0 ? {} : { examples: [{ payload: value }] };
}

/** Converts `tokens.created` to `TokensCreated`. */
function schemaName(name: string): string {
  return name.replace(/(?:^|[.-])(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
