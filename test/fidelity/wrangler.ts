import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestWorld } from './world.ts'

const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url))
export const WRANGLER = join(PACKAGES, 'wrangler/bin/wrangler.js')

export interface Run {
  code: number | null
  output: string
}

export type WranglerTarget = Pick<TestWorld, 'dir' | 'restUrl' | 'account'>

/** Runs wrangler against the local cloud instead of Cloudflare. */
export const wrangler = (world: WranglerTarget, projectDir: string, ...args: string[]): Promise<Run> =>
  runScript(world, projectDir, WRANGLER, ...args)

/** Returns the names of the buckets and queues that the wrangler configurations in a folder need. */
export function readNeededNames(dir: string): { buckets: string[]; queues: string[] } {
  const texts = readdirSync(dir)
    .filter((file) => /^wrangler.*\.jsonc$/.test(file))
    .map((file) => readFileSync(join(dir, file), 'utf8'))
  const namesAt = (key: RegExp) => [
    ...new Set(texts.flatMap((text) => [...text.matchAll(key)].map(([, name = '']) => name))),
  ]
  return {
    buckets: namesAt(/"bucket_name": "([^"]+)"/g),
    queues: namesAt(/"(?:queue|dead_letter_queue)": "([^"]+)"/g),
  }
}

/** Runs wrangler with text on standard input, for commands that ask for a value. */
export const wranglerFed = (
  world: WranglerTarget,
  projectDir: string,
  input: string,
  ...args: string[]
): Promise<Run> => startRun(world, projectDir, [WRANGLER, ...args], input)

/** Runs a script with Node in the folder of a project, in the environment of `wranglerEnvironment`. */
export const runScript = (
  world: WranglerTarget,
  projectDir: string,
  script: string,
  ...args: string[]
): Promise<Run> => startRun(world, projectDir, [script, ...args])

function startRun(world: WranglerTarget, projectDir: string, args: string[], input = ''): Promise<Run> {
  const home = join(world.dir, 'wrangler-home')
  mkdirSync(home, { recursive: true })
  const child = spawn(process.execPath, args, {
    cwd: projectDir,
    env: wranglerEnvironment(world, home),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => (output += chunk))
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

/** Returns an environment that points wrangler to the local cloud and has none of the user's variables except PATH. */
export function wranglerEnvironment(world: WranglerTarget, home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    CI: '1',
    NO_COLOR: '1',
    CLOUDFLARE_API_BASE_URL: `${world.restUrl}/cloudflare/client/v4`,
    CLOUDFLARE_API_TOKEN: world.account.token,
    CLOUDFLARE_ACCOUNT_ID: world.account.id,
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
  }
}

/** Creates a cloud account that the service does not know. */
export async function newAccount({
  restUrl,
  controlToken,
}: {
  restUrl: string
  controlToken: string | null
}) {
  const answer = await fetch(`${restUrl}/_control/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}` },
    body: JSON.stringify({ name: 'Customer' }),
  })
  const { account, token } = (await answer.json()) as {
    account: { id: string; subdomain: string }
    token: string
  }
  return { ...account, token }
}

export function projectWith(world: TestWorld, files: Record<string, string>): string {
  const dir = mkdtempSync(join(world.dir, 'project-'))
  writeFiles(dir, files)
  return dir
}

export function writeFiles(dir: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
}

/**
 * Installs the packages in the lock file of a cloned app repository, in place of `npm ci`. Takes them from this repository. Copies without
 * blocking: while this process does nothing else for five seconds, the local cloud closes idle connections, and the next `fetch` would
 * still use one of them and fail with "other side closed".
 */
export async function installPackages(dir: string): Promise<void> {
  const { packages } = JSON.parse(readFileSync(join(dir, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  for (const [path, { dev }] of Object.entries(packages)) {
    const name = path.replace('node_modules/', '')
    const from = join(PACKAGES, name)
    if (path === '' || name.includes('node_modules') || !existsSync(from)) continue
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    // Link only tools and copy all other packages: TypeScript follows links, so linked packages would use further types of this repository.
    if (dev === true && !name.startsWith('@types/')) symlinkSync(from, join(dir, path))
    else await cp(realpathSync(from), join(dir, path), { recursive: true })
  }
}
