/** Where the service listens, and where it keeps what. */
import {
  type Address,
  eventStoreAddress,
  fileStoreAddress,
  publicAddress,
  readModelAddress,
  streamPrefix,
} from '../address-kinds.ts';
import { roleList } from '../roles.ts';
import { duration, host, path, secretFile, wholeNumber } from '../value-kinds.ts';
import { advanced, type Variable, variable, variableOrElse } from '../variable.ts';

function readModelBeside(eventStore: string): string {
  if (!/^sqlite:/i.test(eventStore)) return 'sqlite:<DATA_DIR>/read-model.db';
  return `${eventStore.replace(/\.db$/, '')}-read-model.db`;
}

export const places = {
  host: variable('HOST', host, '127.0.0.1', 'The address to listen on; `0.0.0.0` or `::` listens on all.'),
  port: variable(
    'PORT',
    wholeNumber(0, 65_535),
    '3000',
    'The port to listen on; 0 takes a free one. Printed at start.',
  ),
  publicUrl: variableOrElse(
    'PUBLIC_URL',
    publicAddress,
    { value: undefined, shown: 'where it listens' },
    'The address under which clients reach the service. It is written into every token for ever: unless the chain is `local:`, it must be ' +
      'set, use https and a public host, and be at most 38 bytes long.',
  ),
  roles: variable(
    'ROLES',
    roleList,
    'api,projector,settler,publisher,distributor,notary',
    'The roles of this process. One process at a time acts as `settler`, one as `publisher`, one as `distributor`, one as `notary` and, where read models ' +
      'are shared, one as `projector`: the holder of the lease. The others stand by.',
  ),
  dataDirectory: variable(
    'DATA_DIR',
    path,
    './data',
    'The folder for everything that no other variable stores elsewhere.',
  ),
  eventStore: variable(
    'EVENT_STORE_URL',
    eventStoreAddress,
    'sqlite:<DATA_DIR>/levy.db',
    'The event store. The scheme chooses the adapter. Processes with the same event store form one service.',
  ),
  readModel: {
    name: 'READ_MODEL_URL',
    kind: readModelAddress,
    default: {
      textFrom: (texts) => readModelBeside(texts.get('EVENT_STORE_URL') ?? ''),
      shown:
        '`<log>-read-model.db` beside the log `<log>.db` in SQLite, else `sqlite:<DATA_DIR>/read-model.db`',
    },
    meaning:
      'The read models: documents that queries read, built from the event store. With SQLite each process needs a file of its own, which is not ' +
      'that of the event store; in MongoDB all processes share one database, which one of them with the role `projector` writes.',
  } satisfies Variable<Address>,
  imageStore: variable(
    'IMAGE_STORE_URL',
    fileStoreAddress,
    'file:<DATA_DIR>/images',
    'The store of token images. Processes that serve or take images share it.',
  ),
  ledgerStore: variable(
    'LEDGER_STORE_URL',
    fileStoreAddress,
    'file:<DATA_DIR>/ledgers',
    'The store of the ledgers of distributions. The processes that pay and those that answer calls share it. Losing it stops distributions ' +
      'of tokens that had a run: back it up with the event store.',
  ),
  caFile: advanced(
    'The event store, MongoDB or NATS has a certificate of an authority of your own.',
    variableOrElse(
      'CA_FILE',
      path,
      { value: undefined, shown: 'the authorities that Node knows' },
      'The certificates (PEM) of the authorities that signed the certificates of EventStoreDB, MongoDB and NATS. It turns TLS on for MongoDB ' +
        'and NATS; an address of MongoDB that says `tls=false` goes without. An address of EventStoreDB or MongoDB may name another file (`tlsCAFile`).',
    ),
  ),
  eventStoreCredentialsFile: advanced(
    'The password should not be in `EVENT_STORE_URL`.',
    variableOrElse(
      'EVENT_STORE_CREDENTIALS_FILE',
      secretFile,
      { value: undefined, shown: 'none: the user in `EVENT_STORE_URL`' },
      'A file (mode 0600) with an EventStoreDB user, a colon and the password. The user must be allowed to read `$all`.',
    ),
  ),
  mongoDbCredentialsFile: advanced(
    'The password should not be in the addresses of MongoDB.',
    variableOrElse(
      'MONGODB_CREDENTIALS_FILE',
      secretFile,
      { value: undefined, shown: 'none: the users in the addresses' },
      'A file (mode 0600) with a MongoDB user, a colon and the password, for each address of MongoDB that names no user. The user needs the role ' +
        'readWrite on the databases of the read models, the images and the ledgers.',
    ),
  ),
  eventStorePrefix: advanced(
    'Several services share one EventStoreDB. Never change it afterwards.',
    variable(
      'EVENT_STORE_PREFIX',
      streamPrefix,
      'levy',
      'The prefix of all stream names in EventStoreDB, followed by a dot.',
    ),
  ),
  leaseTtlMs: advanced(
    'The event store needs longer than this to elect a leader, or another process should take over sooner.',
    variable(
      'LEASE_TTL',
      duration('500ms', '10m'),
      '15s',
      'How long a lease is valid without renewal. Another process takes the role over after 1.25 times this.',
    ),
  ),
} as const;
