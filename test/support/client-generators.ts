/** Generators of clients that are not ours, each with a program that uses its client. `install-generators.sh` installs them. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAMS = fileURLToPath(new URL('./generated-clients', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const installed = process.env.TEST_SERVERS_DIR ?? join(homedir(), '.cache', 'levy-test-servers');
const PYTHON = join(installed, 'openapi-python-client-0.29.1');
const JAVA = join(installed, 'openapi-generator-7.24.0');
const AXIOS = join(installed, 'axios-1.21.1');

export interface ClientGenerator {
  readonly name: string;
  /** Runs in every CI; the others with `npm run test:clients`. */
  readonly isAlwaysTested?: true;
  /** What the machine lacks to run it; undefined if nothing. */
  readonly missing: () => string | undefined;
  /** Generates the client from the description in `file`, and compiles it with its program. Resolves with what was said. */
  generate(file: string, folder: string): Promise<string>;
  /** Runs the program. Resolves with what it printed. */
  run(folder: string, args: readonly string[]): Promise<string>;
}

export const clientGenerators: readonly ClientGenerator[] = [
  {
    name: 'openapi-generator for typescript-axios',
    isAlwaysTested: true,
    missing: () => [JAVA, AXIOS].find((folder) => !existsSync(folder)) ?? lacking('java'),
    async generate(file, folder) {
      await cp(join(PROGRAMS, 'typescript-axios'), folder, { recursive: true });
      await symlink(join(AXIOS, 'node_modules'), join(folder, 'node_modules'));
      const said = await openApiGenerator(file, folder, ['-g', 'typescript-axios', '-o', 'levy']);
      const modules = ['--module', 'nodenext', '--moduleResolution', 'nodenext'];
      const types = ['--typeRoots', join(MODULES, '@types'), '--types', 'node'];
      const options = [
        '--strict',
        '--target',
        'es2022',
        ...modules,
        ...types,
        '--outDir',
        'js',
        'create-token.ts',
      ];
      return said + (await spoken(join(MODULES, '.bin', 'tsc'), options, { cwd: folder }));
    },
    run: (folder, args) => spoken('node', [join('js', 'create-token.js'), ...args], { cwd: folder }),
  },
  {
    name: 'openapi-python-client',
    missing: () => (existsSync(PYTHON) ? lacking('python3') : PYTHON),
    async generate(file, folder) {
      const options = ['--config', join(PROGRAMS, 'python', 'generate.yaml'), '--meta', 'none'];
      const paths = ['--path', file, '--output-path', join(folder, 'levy_client')];
      const said = await python(folder, ['-m', 'openapi_python_client', 'generate', ...options, ...paths]);
      return said + (await python(folder, ['-m', 'compileall', '-q', '-f', 'levy_client']));
    },
    run: (folder, args) => python(folder, [join(PROGRAMS, 'python', 'create_token.py'), ...args]),
  },
  {
    name: 'oapi-codegen',
    isAlwaysTested: true,
    missing() {
      if (lacking('go')) return 'go';
      const fetched = spawnSync('go', ['mod', 'download'], { cwd: join(PROGRAMS, 'go'), env: GO });
      return fetched.status === 0 ? undefined : String(fetched.stderr).trim().replaceAll('\n', ' ');
    },
    async generate(file, folder) {
      await cp(join(PROGRAMS, 'go'), folder, { recursive: true });
      await mkdir(join(folder, 'levy'));
      const options = ['-generate', 'types,client', '-package', 'levy', '-o', 'levy/levy.go', file];
      const said = await spoken('go', ['tool', 'oapi-codegen', ...options], { cwd: folder, env: GO });
      return said + (await spoken('go', ['build', '-o', 'create-token', '.'], { cwd: folder, env: GO }));
    },
    run: (folder, args) => spoken(join(folder, 'create-token'), args, { cwd: folder }),
  },
  {
    name: 'openapi-generator for Java',
    missing: () => (existsSync(JAVA) ? lacking('javac') : JAVA),
    async generate(file, folder) {
      const said = await openApiGenerator(file, folder, ['-g', 'java', '--library', 'native', '-o', '.']);
      const sources = [
        '-sourcepath',
        join(folder, 'src/main/java'),
        join(PROGRAMS, 'java', 'CreateToken.java'),
      ];
      const api = join(folder, 'src/main/java/org/openapitools/client/api/*.java');
      const compile = `javac -nowarn -proc:none -cp '${JAVA}/client/*' -d classes ${[...sources, api].join(' ')}`;
      return said + (await spoken('sh', ['-c', compile], { cwd: folder }));
    },
    run: (folder, args) =>
      spoken(
        'java',
        ['-cp', ['classes', join(JAVA, 'client', '*')].join(delimiter), 'CreateToken', ...args],
        {
          cwd: folder,
        },
      ),
  },
];

/** Another toolchain is never fetched, and no other proxy is asked than that of the machine. */
const GO = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '' };

function lacking(program: string): string | undefined {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0 ? undefined : program;
}

function openApiGenerator(file: string, folder: string, options: readonly string[]): Promise<string> {
  const jar = join(JAVA, 'openapi-generator-cli-7.24.0.jar');
  const rest = ['--skip-validate-spec', '-i', file, ...options];
  return spoken('java', ['-jar', jar, 'generate', ...rest], { cwd: folder });
}

function python(folder: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, PYTHONPATH: [folder, PYTHON].join(delimiter) };
  return spoken('python3', args, { cwd: folder, env });
}

/** What the program wrote to both of its outputs. */
async function spoken(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, { ...options, maxBuffer: 1 << 26 });
  return stdout + stderr;
}
