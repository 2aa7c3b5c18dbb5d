import { queryKeys } from '../query-keys.ts'
import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { Attachment } from '@slipway/sdk/client/types.gen.ts'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../request/client.ts'
import { sendUpload } from './send-upload.ts'

/** Uploads a file for the model. The attachment's key is the hash of its content, so uploading a file twice stores one attachment. */
export async function attachFile(
  projectId: string,
  file: File,
  contentType: Attachment['mediaType'],
  on: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<Attachment> {
  const announced = { sha256: await sha256Of(file), contentType, size: file.size }
  const begin = () =>
    call(api.initAttachmentUpload({ path: { projectId }, body: announced, signal: on.signal }))
  const key = await sendUpload(file, contentType, begin, on)
  return call(
    api.finalizeAttachment({ path: { projectId }, body: { key, mediaType: contentType }, signal: on.signal }),
  )
}

/** The URL of an attachment. Its content never changes, so a cached copy is never stale. */
export const attachmentUrl = (projectId: string, key: string) =>
  `/api/v1/projects/${encodeURIComponent(projectId)}/attachments/${encodeURIComponent(key.replace('_prompt/', ''))}`

/** The type of an attachment and its size in bytes. Never fetched again, because they never change. */
export const attachmentQuery = (projectId: string, key: string) =>
  queryOptions({
    queryKey: queryKeys.attachment(projectId, key),
    queryFn: async ({ signal }) => {
      const { ok, status, headers } = await fetch(attachmentUrl(projectId, key), { method: 'HEAD', signal })
      if (!ok) throw new SlipwayError('The attachment cannot be read.', { code: 'upstream_error', status })
      return { mediaType: headers.get('content-type') ?? '', size: Number(headers.get('content-length')) }
    },
    staleTime: Infinity,
  })

async function sha256Of(file: File): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
