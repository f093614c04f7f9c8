/** Why a draft cannot be submitted once a newer one is recorded. */
import { rejection } from '../streams/rejections.ts';

export function superseded() {
  return rejection(
    'TRANSACTION_SUPERSEDED',
    'A newer draft for the same wallet took the place of this transaction.',
  );
}
