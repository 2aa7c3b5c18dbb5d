import * as z from 'zod'
import type { Db, Trx } from '../db/database.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { invalid } from '../http/errors.ts'
import type { PlatformPorts } from '../platform.ts'
import type { MediaType } from './media-type.ts'
import { type AttachmentRecord, findRecords, readVerified } from './records.ts'
import { promptHash, attachmentKey } from './stored-object.ts'

/** At most 20 attachments, of 32 MiB in total, per message or run (docs/limits.md#assets-and-attachments). */
export const ATTACHMENTS_MAX = 20
export const AttachmentKeys = z.array(z.string().max(200)).max(ATTACHMENTS_MAX)
export const ATTACHMENTS_BYTES_MAX = 32 * 1024 * 1024

export interface Attachment {
  key: string
  mediaType: MediaType
  sizeBytes: number
}

export interface LoadedAttachment {
  key: string
  mediaType: MediaType
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * Returns the attachments of a message, each once and in the order of the keys. Throws a 400 naming `attachments` for
 * a key that is not a finalized attachment of this project, for too many keys and for too many bytes. Reads only the
 * database and not the files.
 */
export async function findAttachments(
  db: Db | Trx,
  project: ProjectIds,
  keys: readonly string[],
): Promise<Attachment[]> {
  return (await recordsOf(db, project, keys)).map((record) => ({
    key: attachmentKey(record.sha256),
    mediaType: record.media_type,
    sizeBytes: record.size_bytes,
  }))
}

/**
 * Returns the attachments of these keys with their bytes, for a model call. Reads one after the other and
 * caches the bytes for the next call.
 */
export async function loadAttachments(
  platform: PlatformPorts<'accounts'>,
  project: ProjectIds,
  keys: readonly string[],
): Promise<LoadedAttachment[]> {
  const loaded: LoadedAttachment[] = []
  for (const record of await recordsOf(platform.db, project, keys)) {
    const bytes = await readVerified(platform, project, record)
    loaded.push({ key: attachmentKey(record.sha256), mediaType: record.media_type, bytes })
  }
  return loaded
}

async function recordsOf(
  db: Db | Trx,
  project: ProjectIds,
  keys: readonly string[],
): Promise<AttachmentRecord[]> {
  const wanted = [...new Set(keys)]
  if (wanted.length > ATTACHMENTS_MAX) throw invalid('attachments', `must be at most ${ATTACHMENTS_MAX}`)
  const hashes = wanted.map((key) => {
    const hash = promptHash(key)
    if (hash === null) throw unknownAttachment(key)
    return hash
  })
  const found = new Map((await findRecords(db, project, hashes)).map((record) => [record.sha256, record]))
  const records = hashes.map((hash) => {
    const record = found.get(hash)
    if (record === undefined) throw unknownAttachment(attachmentKey(hash))
    return record
  })
  const total = records.reduce((sum, { size_bytes: bytes }) => sum + bytes, 0)
  if (total > ATTACHMENTS_BYTES_MAX)
    throw invalid('attachments', `must be at most ${ATTACHMENTS_BYTES_MAX} bytes together`)
  return records
}

const unknownAttachment = (key: string) =>
  invalid('attachments', `there is no attachment ${JSON.stringify(key)}`)
