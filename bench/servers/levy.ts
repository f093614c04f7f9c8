/** The service of `open-levy.ts` as a process. */
import { serve } from '../measuring/child.ts';
import { openLevy } from './open-levy.ts';

await serve(openLevy);
