import { randomUUID } from 'node:crypto'
import { deleteObject } from '../cloudflare/products/r2.ts'
import { actorOf } from '../connections/cloud.ts'
import type { Context } from '../endpoint.ts'
import { invalid, notFound } from '../http/errors.ts'
import type { BytesResponse } from '../http/endpoint.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { requireNotDeleting } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import { type MediaType, sniffMediaType } from './media-type.ts'
import { ensureUploads, readUpload } from './provision-uploads.ts'
import { findRecords, readVerified } from './records.ts'
import { ATTACHMENT_BYTES_MAX, promptHash, attachmentKey, sha256Of } from './stored-object.ts'
import type { ProjectRef } from '../resources/work.ts'
import { findUploadStorage, type UploadStorage } from './upload-storage.ts'
import { expiryAfter } from './upload-token.ts'

const UPLOAD_TOKEN_MS = 15 * 60_000

/** Returns a token for an upload of exactly these bytes under exactly this key. */
export async function initUpload(
  ctx: Context<'accounts'>,
  projectId: string,
  file: { sha256: string; contentType: MediaType; size: number },
) {
  const project = await loadProject(ctx, projectId)
  requireNotDeleting(project)
  const storage = await ensureUploads(ctx, project, actorOf(ctx.caller))
  const key = attachmentKey(file.sha256)
  const exp = expiryAfter(ctx.clock.now(), UPLOAD_TOKEN_MS)
  const { sha256, contentType, size: sizeBytes } = file
  const token = storage.key.grant({ use: 'put', key, exp, jti: randomUUID(), contentType, sizeBytes, sha256 })
  return { key, token, uploadUrl: `${storage.url}/${key}`, expiresAt: new Date(exp * 1000).toISOString() }
}

/** Checks an uploaded file against its declaration and records it as an attachment. Idempotent. */
export async function finalizeUpload(
  ctx: Context<'accounts'>,
  projectId: string,
  body: { key: string; mediaType?: MediaType | undefined },
): Promise<{ key: string; mediaType: MediaType }> {
  const project = await loadProject(ctx, projectId)
  requireNotDeleting(project)
  const sha256 = promptHash(body.key)
  if (sha256 === null) throw invalid('key', 'is not a key that an upload was opened for')
  const storage = await findUploadStorage(ctx, project)
  if (storage === null) throw noUploadError()
  const [known] = await findRecords(ctx.db, project, [sha256])
  const mediaType =
    known?.account_id === storage.accountId
      ? known.media_type
      : await acceptUpload(ctx, project, storage, sha256)
  if (body.mediaType !== undefined && body.mediaType !== mediaType)
    throw invalid('mediaType', `the file is ${mediaType}`)
  return { key: body.key, mediaType }
}

const noUploadError = () => invalid('key', 'nothing was uploaded under it')

async function acceptUpload(
  ctx: Context<'accounts'>,
  project: ProjectRef,
  storage: UploadStorage,
  sha256: string,
): Promise<MediaType> {
  const stored = await readUpload(ctx, project, storage, {
    key: attachmentKey(sha256),
    actor: actorOf(ctx.caller),
  })
  if (stored === null) throw noUploadError()
  const judged = checkUpload(stored, sha256)
  if ('problem' in judged) {
    await deleteUpload(ctx, project, storage, sha256)
    throw invalid('key', judged.problem)
  }
  const { mediaType } = judged
  await ctx.db
    .insertInto('attachments')
    .values({
      org_id: project.org_id,
      project_id: project.id,
      sha256,
      media_type: mediaType,
      size_bytes: stored.bytes.byteLength,
      account_id: storage.accountId,
      created_at: ctx.clock.now(),
    })
    // An existing record of this file may name another account. Store the account of this upload.
    .onConflict((it) => it.columns(['project_id', 'sha256']).doUpdateSet({ account_id: storage.accountId }))
    .execute()
  return mediaType
}

/** Detects the media type from the bytes and compares it with the declared type. `problem` is the end of the error message. */
function checkUpload(
  { bytes, contentType }: { bytes: Uint8Array; contentType: string },
  sha256: string,
): { mediaType: MediaType } | { problem: string } {
  if (bytes.byteLength > ATTACHMENT_BYTES_MAX)
    return { problem: `the file is larger than ${ATTACHMENT_BYTES_MAX} bytes` }
  if (sha256Of(bytes) !== sha256) return { problem: 'the file has another SHA-256' }
  const mediaType = sniffMediaType(bytes)
  if (mediaType === null)
    return { problem: `the file is not ${contentType}, nor anything that can be attached` }
  return mediaType === contentType
    ? { mediaType }
    : { problem: `the file is ${mediaType}, not ${contentType}` }
}

/** Removes a refused upload. A failed removal is only logged, so that the caller gets the reason for the refusal. */
async function deleteUpload(
  ctx: Context<'accounts'>,
  project: ProjectRef,
  storage: UploadStorage,
  sha256: string,
): Promise<void> {
  const cloud = await ctx.accounts.openCloud({ orgId: project.org_id, actor: actorOf(ctx.caller), project })
  await deleteObject(cloud, storage.name, attachmentKey(sha256)).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'a refused upload was not removed')
  })
}

/** Returns the bytes of an attachment. Its name is the content hash, so the response never changes and may be cached. */
export async function readAttachment(
  ctx: Context<'accounts'>,
  projectId: string,
  file: string,
): Promise<BytesResponse> {
  const project = await loadProject(ctx, projectId)
  const [record] = await findRecords(ctx.db, project, [file])
  if (record === undefined) throw notFound('attachment')
  return {
    body: await readVerified(ctx, project, record),
    contentType: record.media_type,
    headers: {
      // Set for HEAD responses, which have no body to take the size from.
      'content-length': String(record.size_bytes),
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
  }
}
