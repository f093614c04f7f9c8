/** Compiles the service and the command `levy` into `dist`, after removing an earlier build. */
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { bundle } from './bundle.ts';
import { renderGuides } from './render-guides.ts';

rmSync('dist', { recursive: true, force: true });
await bundle({ main: 'src/main.ts', levy: 'src/levy/levy.ts' }, 'dist');
chmodSync('dist/levy.js', 0o755);
renderGuides();
cpSync('src/server/http/docs/browser', 'dist/server/http/docs/browser', { recursive: true });
