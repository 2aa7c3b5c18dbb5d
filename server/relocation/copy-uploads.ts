import { randomUUID } from 'node:crypto'
import { listRecordsIn } from '../attachments/records.ts'
import { attachmentKey, readStored } from '../attachments/stored-object.ts'
import { ensureUploads } from '../attachments/provision-uploads.ts'
import { findUploadStorage, type UploadStorage } from '../attachments/upload-storage.ts'
import { expiryAfter } from '../attachments/upload-token.ts'
import { callUploadWorker, pathOf, withRetries, refused } from '../attachments/upload-worker.ts'
import { ASSET_BYTES_MAX, listAssetsIn } from '../capabilities/assets/asset.ts'
import { pendingKeyOf } from '../capabilities/assets/upload.ts'
import { placeUpload } from '../capabilities/assets/worker.ts'
import { CloudflareError, unreachable } from '../cloudflare/errors.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import type { ProjectRef } from '../resources/work.ts'

const SEND_MS = 120_000

interface UploadCopyWork {
  platform: PlatformPorts<'accounts'>
  project: ProjectRef
  fromAccount: string
  actor: string
  signal: AbortSignal
}

/**
 * Copies attachments of tickets and assets of the app. `after` is the last key that an earlier attempt copied; `onCopied` is called with
 * each key. Returns when all are copied, or after the first key for which `isTimeUp` returns true.
 */
export async function copyUploads(
  work: UploadCopyWork,
  step: { after: string; onCopied: (key: string) => Promise<void>; isTimeUp: () => boolean },
): Promise<'all' | 'some'> {
  const { platform, project, fromAccount } = work
  const [attachments, assets] = await Promise.all([
    listRecordsIn(platform.db, project, fromAccount),
    listAssetsIn(platform.db, project, fromAccount),
  ])
  // The former account is looked up only when there is something to copy. A project without uploads can therefore move away from the local
  // emulator of Cloudflare while the emulator is disabled.
  if (attachments.length + assets.length === 0) return 'all'
  const from = await findUploadStorage(platform, project, fromAccount)
  if (from === null) return 'all'
  const to = await ensureUploads(platform, project, work.actor)
  const all = [
    ...attachments.map((row) => ({
      key: `attachment ${row.sha256}`,
      copy: () => copyAttachment(work, from, to, row),
    })),
    ...assets.map((row) => ({ key: `asset ${row.path}`, copy: () => copyAsset(work, from, to, row) })),
  ].sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const { key, copy } of all) {
    if (key <= step.after) continue
    if (step.isTimeUp()) return 'some'
    work.signal.throwIfAborted()
    await copy()
    await step.onCopied(key)
  }
  return 'all'
}

/** An attachment that is missing in the account is skipped. A later read of it reports the error. */
async function copyAttachment(
  { platform }: UploadCopyWork,
  from: UploadStorage,
  to: UploadStorage,
  { sha256, media_type: contentType }: { sha256: string; media_type: string },
): Promise<void> {
  const stored = await readStored(platform.clock, from, attachmentKey(sha256))
  if (stored !== null)
    await sendBytes(platform, to, { key: attachmentKey(sha256), bytes: stored.bytes, contentType, sha256 })
}

async function copyAsset(
  { platform, signal }: UploadCopyWork,
  from: UploadStorage,
  to: UploadStorage,
  { path, content_type: contentType, access }: { path: string; content_type: string; access: string },
): Promise<void> {
  const bytes = await readAsset(platform, from, path, signal)
  if (bytes === null) return
  // Uploads under a temporary key first, as the console does, so that an object being served is always complete.
  const key = pendingKeyOf(randomUUID())
  await sendBytes(platform, to, { key, bytes, contentType })
  const placed = await placeUpload(platform.clock, to, { from: key, key: path, access })
  if (typeof placed === 'string')
    throw new CloudflareError('upstream', `The asset ${path} could not be copied. Try again.`, {
      status: null,
    })
}

const readAsset = (
  platform: Core,
  from: UploadStorage,
  key: string,
  signal: AbortSignal,
): Promise<Uint8Array | null> =>
  withRetries(async () => {
    const until = AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)])
    const response = await callUploadWorker(
      platform.clock,
      from,
      { use: 'get', key },
      { method: 'GET', signal: until, bytesMax: ASSET_BYTES_MAX },
    )
    if (response.status === 200)
      return await response.bytes().catch((error: unknown) => {
        throw unreachable(error)
      })
    await response.body?.cancel()
    if (response.status === 404) return null
    throw refused(response.status)
  })

/** Uploads with a token for exactly these bytes, as a browser does. */
const sendBytes = (
  platform: Core,
  to: UploadStorage,
  file: { key: string; bytes: Uint8Array; contentType: string; sha256?: string },
): Promise<void> =>
  withRetries(async () => {
    const { key, bytes, contentType, sha256 } = file
    const exp = expiryAfter(platform.clock.now(), SEND_MS)
    const grant = {
      use: 'put' as const,
      key,
      exp,
      jti: randomUUID(),
      contentType,
      sizeBytes: bytes.byteLength,
    }
    const response = await cloudFetch(`${to.url}/${pathOf(key)}`, {
      method: 'PUT',
      // Does not follow a redirect, which would send the token to another host.
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${to.key.grant({ ...grant, ...(sha256 !== undefined && { sha256 }) })}`,
        'content-type': contentType,
      },
      body: bytes,
      signal: AbortSignal.timeout(SEND_MS),
    }).catch((error: unknown) => {
      throw unreachable(error)
    })
    await response.body?.cancel()
    if (response.status !== 200) throw refused(response.status)
  })
