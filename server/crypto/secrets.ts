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
  /** The secrets of the auth library, newest first. The first signs new cookies. */
  auth: z.array(z.object({ version: z.int().min(1), value: z.string().min(32) })).min(1),
  /** The encryption keys, newest first. The first encrypts. An encrypted value starts with the id of the key that decrypts it. */
  ring: z
    .array(z.object({ id: z.string().regex(/^k[1-9][0-9]*$/), key: Bytes32, createdAt: z.iso.datetime() }))
    .min(1),
})
export type Secrets = z.infer<typeof Secrets>

/** Thrown when the secrets cannot be read. The message is one sentence for the operator and never quotes a secret. */
export class SecretsError extends Error {}

/**
 * Returns the installation's secrets from `text` when it is given, or else from the file, which is created at the
 * first start. Without the secrets every encrypted value is unreadable and every session ends.
 */
export function readSecrets(options: { text: string | null; file: string }): Secrets {
  if (options.text === null && readFile(options.file) === null) createFile(options.file)
  return readExistingSecrets(options)
}

/**
 * Like `readSecrets`, but throws when there is no file: a command on an existing installation must not create
 * new secrets for its data.
 */
export function readExistingSecrets(options: { text: string | null; file: string }): Secrets {
  if (options.text !== null) return parseSecrets(options.text, 'SLIPWAY_SECRETS')
  const text = readFile(options.file)
  if (text === null) throw new SecretsError(`There is no secrets file ${options.file}.`)
  return parseSecrets(text, options.file)
}

function parseSecrets(text: string, source: string): Secrets {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    // The parser's error quotes the secrets, so only its name is kept as the cause.
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
 * Writes a temporary file and links it to its final name, which fails when a file of that name exists. So when two
 * services start for the first time at once, both use the same file, and a killed process leaves no partial file.
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
 * Replaces the secrets file atomically: after a power cut it has either the old secrets or the new ones. The
 * file keeps its owner when root runs the command.
 */
export function replaceSecrets(file: string, secrets: Secrets): void {
  const draft = `${file}.new`
  // A process that was killed before the rename may have left this file.
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

/** Adds an encryption key, which becomes the newest one and encrypts from now on. The older keys can still decrypt. */
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
