import { randomBytes, randomUUID } from 'node:crypto'
import {
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'

const Bytes32 = z
  .base64()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')

const Secrets = z.object({
  installId: z.string().min(1),
  /** Newest first; the auth library signs cookies with the first. */
  auth: z.array(z.object({ version: z.int().min(1), value: z.string().min(32) })).min(1),
  /** Newest first. Values are sealed with the first and opened with the one they name. */
  ring: z
    .array(z.object({ id: z.string().regex(/^k[1-9][0-9]*$/), key: Bytes32, createdAt: z.iso.datetime() }))
    .min(1),
})
export type Secrets = z.infer<typeof Secrets>

/** The message is one sentence for the operator, and never quotes a secret. */
export class SecretsError extends Error {}

/**
 * Returns the installation's secrets: from `text` when given, else from the file, which is created at the
 * first start. Losing them makes every encrypted value unreadable and ends every session.
 */
export function readSecrets(options: { text: string | null; file: string }): Secrets {
  if (options.text === null && readFile(options.file) === null) createFile(options.file)
  return readExistingSecrets(options)
}

/**
 * Throws when there is no file: a command on an existing installation must not create new secrets beside its
 * data.
 */
export function readExistingSecrets(options: { text: string | null; file: string }): Secrets {
  if (options.text !== null) return parse(options.text, 'SLIPWAY_SECRETS')
  const text = readFile(options.file)
  if (text === null) throw new SecretsError(`There is no secrets file ${options.file}.`)
  return parse(text, options.file)
}

function parse(text: string, source: string): Secrets {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    // The original error quotes the text, so it must not reach a log with this one.
    throw new SecretsError(`The secrets in ${source} are not JSON.`, { cause: (cause as Error).name })
  }
  const read = Secrets.safeParse(json)
  if (read.success) return read.data
  const wrong = read.error.issues.map((issue) => issue.path.join('.') || 'the whole').join(', ')
  throw new SecretsError(`The secrets in ${source} are not usable: check ${wrong}.`)
}

function readFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new SecretsError(`The secrets file ${file} cannot be read.`, { cause: error })
  }
}

/**
 * Writes the file beside the target and links it into place, which fails when the name is taken: two first
 * starts agree on one file, and a killed process leaves no partial file.
 */
function createFile(file: string): void {
  const text = JSON.stringify(newSecrets(), null, 2)
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}`
  writeDraft(draft, text)
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new SecretsError(`The secrets file ${file} cannot be written.`, { cause: error })
  } finally {
    rmSync(draft, { force: true })
  }
}

function writeDraft(draft: string, text: string): void {
  const fd = openSync(draft, 'wx', 0o600)
  try {
    writeSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Replaces the secrets file atomically: after a power cut it holds the old secrets or the new ones. The file
 * keeps its owner, also when root runs the command.
 */
export function replaceSecrets(file: string, secrets: Secrets): void {
  const draft = `${file}.new`
  // Left by a process that was killed before it could rename it.
  rmSync(draft, { force: true })
  writeDraft(draft, JSON.stringify(secrets, null, 2))
  const { uid, gid } = statSync(file)
  if (process.getuid?.() === 0) chownSync(draft, uid, gid)
  renameSync(draft, file)
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** The new key seals from now on; the older ones still open. */
export function withNewKey(secrets: Secrets, now: Date): Secrets {
  const number = Math.max(...secrets.ring.map(({ id }) => Number(id.slice(1)))) + 1
  const key = { id: `k${number}`, key: randomBytes(32).toString('base64'), createdAt: now.toISOString() }
  return { ...secrets, ring: [key, ...secrets.ring] }
}

export function newSecrets(): Secrets {
  return {
    installId: randomUUID(),
    auth: [{ version: 1, value: randomBytes(32).toString('base64') }],
    ring: [{ id: 'k1', key: randomBytes(32).toString('base64'), createdAt: new Date().toISOString() }],
  }
}
