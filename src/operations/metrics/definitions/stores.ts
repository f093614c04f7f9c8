/** The event log, what is built from it, the servers that hold it, and what is published of it. */
import { counter, gauge, histogram, stateGauge } from '../definition.ts';

/** Seconds. */
const OF_APPENDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const OF_COMMANDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export const storeMetrics = {
  appendDuration: histogram(
    'levy_append_duration_seconds',
    ['outcome'],
    'Appends to the event log: "appended" durably, "conflict" where another writer came first, "failed" where the outcome is unknown.',
    OF_APPENDS,
  ),
  eventsAppended: counter(
    'levy_events_appended_total',
    ['type'],
    'Events recorded by this process, by type.',
  ),

  undecodableEvents: stateGauge(
    'levy_undecodable_events',
    [],
    'Events that this process has read, cannot decode, and that are not quarantined.',
  ),
  quarantinedEvents: stateGauge(
    'levy_quarantined_events',
    [],
    'Events that every reader skips because an operator has quarantined them.',
  ),
  freeBytes: stateGauge(
    'levy_data_free_bytes',
    ['folder'],
    'Bytes that are free on the disk of a folder: "data" (`DATA_DIR`), "event-store", "read-model", "images". Absent for what is on other servers.',
  ),

  projectionBehind: stateGauge(
    'levy_projection_behind',
    ['projection'],
    '1 while the projection has not handled everything that is in the log.',
  ),
  projectionLag: stateGauge(
    'levy_projection_lag_seconds',
    ['projection'],
    'How old what the projection shows is: the age of the event that it handled last, 0 when it is not behind.',
  ),
  projectionLastEvent: stateGauge(
    'levy_projection_last_event_timestamp_seconds',
    ['projection'],
    'When the event was recorded that the projection handled last. Absent until it has handled one since the start.',
  ),
  projectionStopped: stateGauge(
    'levy_projection_stopped',
    ['projection'],
    '1 while the projection stays where it is: at an event that cannot be decoded, until that is quarantined; after another failure until the service starts anew.',
  ),

  logEntries: stateGauge(
    'levy_log_entries',
    [],
    'Entries of the transparency log, published or about to be. Absent in processes that do not keep it.',
  ),
  logLag: stateGauge(
    'levy_log_lag_seconds',
    [],
    'How long the oldest event has waited for a checkpoint of the transparency log; 0 while all are published.',
  ),
  logPublished: stateGauge(
    'levy_log_last_checkpoint_timestamp_seconds',
    [],
    'When the latest checkpoint was published. Absent until this process has published one.',
  ),
  logStopped: stateGauge(
    'levy_log_stopped',
    ['kind'],
    '1 while the notary signs nothing more: "log" is not what was signed, its own "record" is not, another "notary" writes, or at least half of the witnesses ("witness") have signed another tree. `/ready` says more.',
  ),
  logWitnessSilent: stateGauge(
    'levy_log_witness_silent',
    ['witness'],
    '1 while a witness of the transparency log does not sign; it is asked again every half minute.',
  ),
  logWitnessDisagrees: stateGauge(
    'levy_log_witness_disagrees',
    ['witness'],
    '1 since a witness of the transparency log said that it has signed another tree, until it signs again. `/ready` says more.',
  ),

  readModelWriterSilence: stateGauge(
    'levy_read_model_writer_silent_seconds',
    [],
    'How long this process has seen no sign of the process that writes the shared read models. Absent where read models are not shared.',
  ),
  readModelWriterTerm: stateGauge(
    'levy_read_model_writer_term',
    [],
    'The term of the process that writes the shared read models: it grows whenever the role is taken. Absent until one has written.',
  ),

  databaseConnections: gauge(
    'levy_database_connections',
    ['state'],
    'Connections of this process to the database servers of read models, images and ledgers: all that are "open", those "in-use"; and commands that are "waiting" for one. Absent where all of these are in files.',
  ),
  databaseWithoutConnection: counter(
    'levy_database_connection_failures_total',
    ['reason'],
    'Commands to these servers that were not sent, because they got no connection: "timeout" waiting for a free one, "connectionError", "poolClosed".',
  ),
  databaseCommandDuration: histogram(
    'levy_database_command_duration_seconds',
    ['command', 'outcome'],
    'Commands to these servers, from sending to the answer: "answered", "refused" by the server, "unanswered" where the outcome is unknown.',
    OF_COMMANDS,
  ),

  publisherWorking: stateGauge(
    'levy_publisher_working',
    [],
    '1 while outcomes are brought to the bus, 0 while the bus cannot be used. Absent in processes that do not publish.',
  ),
  publisherLag: stateGauge(
    'levy_publisher_lag_seconds',
    [],
    'How long the oldest outcome has waited that is not known to be on the bus; 0 when none does. Absent while it is not known how far the bus is.',
  ),
  publishedMessages: counter(
    'levy_published_messages_total',
    [],
    'Outcomes that the bus has acknowledged to this process as stored. Absent where nothing is published.',
  ),
  publisherConnections: counter(
    'levy_publisher_connections_total',
    [],
    'How often this process connected to the bus: again whenever it was lost. Absent where nothing is published.',
  ),
} as const;
