/** What can be wrong with EventStoreDB; apart from the rest, so that whoever looks for these loads none of it. */

/** The server did not answer in time, or not at all. Whether it did what it was asked is unknown. */
export class EventStoreSilent extends Error {
  override readonly name = 'EventStoreSilent';
}

/** It could not be begun with. The message is a sentence for the operator. */
export class EventStoreUnreachable extends Error {
  override readonly name = 'EventStoreUnreachable';
}
