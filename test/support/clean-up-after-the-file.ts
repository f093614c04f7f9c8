/** Set up before each file of tests: modules may be shared by several files, so none of them can register this by itself. */
import { afterAll } from 'vitest';
import { cleanUp } from './after-the-file.ts';

afterAll(cleanUp);
