import { ApiError, unwrapResult } from '../kernel/errors.ts'
import { logError } from '../kernel/objects/log.ts'
import { directoryOf, type Objects, partitionOf } from '../kernel/objects/objects.ts'
import { handlersOf } from '../kernel/objects/runs.ts'
import { sha256Hex } from '../kernel/secrets.ts'
import type { InboxCalls } from './calls.ts'
import { type FileBytes, MAIL_BYTES_MAX, parseMail, type ParsedMail } from './parse.ts'
import { emailSettingsOf } from './settings.ts'
import type { ReceivedAttachment } from './types.ts'

export interface IncomingMail {
  /** The envelope sender; empty for a bounce. */
  readonly from: string
  readonly to: string
  readonly raw: ReadableStream<Uint8Array>
  readonly rawSize: number
  /**
   * Rejects the mail permanently and returns it to its sender. Returns a promise in the local emulator of
   * Cloudflare, which calls another worker.
   */
  setReject(reason: string): void | Promise<void>
}

interface ReceiverEnv {
  OBJECTS: Objects
}

/**
 * Receives a mail to one of the app's addresses. Once it resolves, the mail is stored as a record. Rejects a mail that can never be stored.
 * Throws when the provider should deliver the mail again later.
 */
export async function receiveMail(incoming: IncomingMail, env: ReceiverEnv): Promise<void> {
  const address = incoming.to.toLowerCase()
  const { mailboxes, from } = emailSettingsOf(env)
  const mailbox = mailboxes.find((one) => one.address.toLowerCase() === address)
  if (mailbox === undefined) return await incoming.setReject('There is no such mailbox.')
  if (incoming.rawSize > MAIL_BYTES_MAX) return await incoming.setReject('The mail is larger than 25 MiB.')
  const bytes = new Uint8Array(await new Response(incoming.raw).arrayBuffer())
  const mail = await parseOrNull(bytes, incoming.from)
  if (mail === null) return await incoming.setReject('The mail cannot be read.')
  const { files, messageId, ...facts } = mail
  const id = messageId ?? `<${sha256Hex(bytes)}>`
  const app = partitionOf(env.OBJECTS, 'production', 'app')

  async function callInbox<Kind extends keyof InboxCalls>(kind: Kind, given: InboxCalls[Kind]['ask']) {
    return unwrapResult(await app.inbox(kind, given))
  }
  try {
    // Look for an earlier delivery before the files are stored, so that a repeated delivery does not store them twice.
    if (await callInbox('seen', { mailbox: mailbox.address, messageId: id })) return
    const release = await directoryOf(env.OBJECTS, 'production').dirActive()
    if (release === null) throw new ApiError('unavailable', 'The app is not live yet.')
    // The partition may not have this release's manifest yet.
    await app.prepare(release.hash, release.manifest)
    const attachments = await storeAttachments(env, files)
    // A mail from the app's own address counts as automatic, because replying to it would never end.
    const isAutomatic = facts.isAutomatic || facts.from === from?.toLowerCase()
    await callInbox('take', {
      hash: release.hash,
      mailbox,
      mail: { ...facts, isAutomatic, messageId: id, attachments },
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'unavailable') throw error
    logError(error, { route: 'email', tier: 'production' })
    await incoming.setReject('The mailbox cannot take this mail.')
  }
}

async function parseOrNull(bytes: Uint8Array<ArrayBuffer>, envelopeFrom: string): Promise<ParsedMail | null> {
  try {
    return await parseMail(bytes, envelopeFrom)
  } catch {
    return null
  }
}

/**
 * If the app's worker cannot be called, the attachments are listed without their contents, so that the mail
 * itself is not lost.
 */
async function storeAttachments(env: ReceiverEnv, files: FileBytes[]): Promise<ReceivedAttachment[]> {
  const handlers = files.length === 0 ? null : handlersOf({ env, tier: 'production' }, 'email')
  try {
    if (handlers !== null) return await handlers.mailFiles(files)
  } catch (error) {
    logError(error, { route: 'email', tier: 'production' })
  }
  return files.map(({ name, type, bytes }) => ({ name, type, size: bytes.length }))
}
