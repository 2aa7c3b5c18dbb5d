import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { SystemAccount } from './account.ts'
import { POSTGRES_MAJOR, type DatabaseFolders } from './folders.ts'

export const SUPERUSER_NAME = 'slipway'

// The file with the superuser's password. It is inside the cluster's folder, so that both are created and deleted together.
const PASSWORD_FILE = 'slipway.password'

const INITDB_FLAGS =
  `-E UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C -U ${SUPERUSER_NAME} --auth=scram-sha-256 --no-instructions`.split(
    ' ',
  )

/** Creates the database cluster if there is none. Returns the superuser's password. */
export async function ensureCluster(options: {
  folders: DatabaseFolders
  account: SystemAccount | null
  initdb: string
  durable: boolean
}): Promise<string> {
  const { folders, account } = options
  await removeLeftovers(folders.root)
  if (!existsSync(folders.cluster)) {
    const building = join(folders.root, `${POSTGRES_MAJOR}.new-${process.pid}`)
    const password = randomBytes(24).toString('base64url')
    const passwordFile = `${building}.password`
    await mkdir(building, { mode: 0o700 })
    await writeFile(passwordFile, password, { mode: 0o600 })
    for (const path of account === null ? [] : [building, passwordFile]) {
      await chown(path, account?.uid ?? 0, account?.gid ?? 0)
    }
    const flags = [...INITDB_FLAGS, `--pwfile=${passwordFile}`, ...(options.durable ? [] : ['--no-sync'])]
    await runInitdb(options.initdb, ['-D', building, ...flags], folders.root, account)
    await rename(passwordFile, join(building, PASSWORD_FILE))
    // The rename makes the cluster exist as a whole. A start that is killed earlier leaves only a folder,
    // which the next start removes.
    await rename(building, folders.cluster)
  }
  return readFile(join(folders.cluster, PASSWORD_FILE), 'utf8')
}

async function removeLeftovers(root: string): Promise<void> {
  const names = await readdir(root)
  const leftovers = names.filter((name) => name.startsWith(`${POSTGRES_MAJOR}.new-`))
  await Promise.all(leftovers.map((name) => rm(join(root, name), { recursive: true, force: true })))
}

async function runInitdb(
  program: string,
  args: string[],
  cwd: string,
  account: SystemAccount | null,
): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], ...runAs(account) })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })
  const [code, , errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  if (code !== 0) throw new Error(`initdb failed (${code}): ${errors.trim().slice(-2000)}`)
}

const PASSED_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ']

/**
 * Returns the spawn options that run a child as the account. Most environment variables are left out: they
 * may hold secrets, and every Postgres process would inherit them.
 */
export function runAs(account: SystemAccount | null): { uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  const env = Object.fromEntries(PASSED_VARIABLES.map((name) => [name, process.env[name]]))
  return account === null ? { env } : { env, uid: account.uid, gid: account.gid }
}
