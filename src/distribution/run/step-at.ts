/** Where a step is taken: what it works with, what is recorded, and what this process remembers. */
import type { EngineParts } from '../engine-parts.ts';
import type { TokenMemory } from '../token-memory.ts';
import type { RunView } from './view.ts';

export interface StepAt {
  readonly parts: EngineParts;
  readonly view: RunView;
  readonly memory: TokenMemory;
}
