// Compiles the sources once before the tests: journeys start the real process from `dist`, as an operator would.
import { execFileSync } from 'node:child_process';

export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
