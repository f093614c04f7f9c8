/** Process with the service of `open-levy.ts`. */
import { serve } from '../measuring/child.ts';
import { openLevy } from './open-levy.ts';

await serve(openLevy);
