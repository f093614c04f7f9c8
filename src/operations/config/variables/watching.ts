/** What leaves the service: the bus, the transparency log, the monitoring and the process's own log. */
import { collectorAddress, publisherAddress } from '../address-kinds.ts';
import { logName, witnessList } from '../log-kinds.ts';
import { natsStreamName, subjectPrefix } from '../nats-address.ts';
import { listener, oneOf, secretFile } from '../value-kinds.ts';
import { advanced, variable, variableOrElse } from '../variable.ts';

export const watching = {
  publisher: variableOrElse(
    'PUBLISHER_URL',
    publisherAddress,
    { value: undefined, shown: 'none: events are only at `GET /events`' },
    'The NATS JetStream server that all events are published to, for the systems of the operator. See [Publish on NATS](../how-to/operate/publish-on-nats.md).',
  ),
  metrics: variableOrElse(
    'METRICS_PORT',
    listener,
    { value: undefined, shown: 'none' },
    'A separate listener for `GET /metrics` that needs no key: a port on loopback, or an address and a port, such as `0.0.0.0:9464`. Only the monitoring ' +
      'should reach it. Port 0 takes a free one. Printed at start.',
  ),
  logLevel: variable(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'The lowest level that is logged.',
  ),
  publisherStream: advanced(
    'Several services publish to one NATS account, or the stream is yours already.',
    variable(
      'PUBLISHER_STREAM',
      natsStreamName,
      'LEVY',
      'The JetStream stream of the events. One that does not exist is created, with 3 replicas if `PUBLISHER_URL` names 3 servers or more, else 1.',
    ),
  ),
  publisherSubjectPrefix: advanced(
    'Several services publish to one NATS account.',
    variableOrElse(
      'PUBLISHER_SUBJECT_PREFIX',
      subjectPrefix,
      { value: '', shown: 'none' },
      'The prefix of subjects: with `levy.`, `tokens.created` becomes `levy.tokens.created`.',
    ),
  ),
  publisherCredentialsFile: advanced(
    'The NATS server wants a JWT.',
    variableOrElse(
      'PUBLISHER_CREDENTIALS_FILE',
      secretFile,
      { value: undefined, shown: 'none' },
      'A `.creds` file with the JWT and the key of a NATS user. Read at every connection.',
    ),
  ),
  logOrigin: advanced(
    'You begin a new transparency log. See [When the notary stops](../how-to/operate/run-the-notary.md#when-it-stops).',
    variableOrElse(
      'LOG_ORIGIN',
      logName,
      {
        value: undefined,
        shown: 'the name that the log began with; of a new one `PUBLIC_URL` without its scheme, and `/log`',
      },
      'The name under which the transparency log is signed. Another name begins a new log, and leaves the old one as it is.',
    ),
  ),
  witnesses: advanced(
    'Somebody else vouches for the transparency log. See [Witnesses](../how-to/operate/run-the-notary.md#witnesses).',
    variableOrElse(
      'WITNESSES',
      witnessList,
      { value: [], shown: 'none' },
      'The witnesses that are asked to sign each checkpoint of the transparency log.',
    ),
  ),
  otlpEndpoint: advanced(
    'You collect traces.',
    variableOrElse(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      collectorAddress,
      { value: undefined, shown: 'none: tracing is off' },
      "The OpenTelemetry collector that receives traces by OTLP over HTTP, at `/v1/traces`. OpenTelemetry's other variables " +
        '(`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME`, ...) work too: its library reads them.',
    ),
  ),
} as const;
