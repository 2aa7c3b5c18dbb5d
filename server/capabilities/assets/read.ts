import { ensureUploads } from '../../attachments/provision-uploads.ts'
import { findUploadStorage, type UploadStorage } from '../../attachments/upload-storage.ts'
import { callUploadWorker, withRetries, refused } from '../../attachments/upload-worker.ts'
import type { CloudResponse } from '../../cloudflare/fetch.ts'
import { hasBytes, proxyResponse } from '../../cloudflare/proxy-response.ts'
import { actorOf } from '../../connections/cloud.ts'
import type { Context, RequestContext } from '../../endpoint.ts'
import type { BytesResponse } from '../../http/endpoint.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { untilFirstByte } from '../../lib/first-byte.ts'
import { loadProject } from '../../projects/projects.ts'
import { findAsset } from './asset.ts'
import { plainForm } from './asset-path.ts'

const FIRST_BYTE_MS = 30_000

/** Streams the bytes of an asset from the account without holding them in memory. Supports `Range`. */
export async function readAsset(
  ctx: Context<'accounts'>,
  projectId: string,
  path: string,
  request: Request,
): Promise<BytesResponse> {
  const project = await loadProject(ctx, projectId)
  const row = await findAsset(ctx.db, project, plainForm(path))
  if (row === null) throw notFound('asset')
  const storage = await findUploadStorage(ctx, project, row.account_id)
  // A person has removed the project's bucket from that account.
  if (storage === null) return throwAssetMissing()
  const ask = (at: UploadStorage) => fetchAsset(ctx, at, row.path, request.headers.get('range'))
  // The worker did not respond, or has another public key than the service expects. Repair the worker and repeat the request once.
  const response =
    (await ask(storage)) ??
    (await ask(await ensureUploads(ctx, project, actorOf(ctx.caller)))) ??
    throwAssetMissing()
  return proxyResponse(response, row.content_type)
}

function throwAssetMissing(): never {
  throw new ApiError('upstream_error', 'The asset is no longer in the cloud account. Upload it again.')
}

/** Fetches an asset from the upload worker; null for a 404 or 401. The timeout does not cover the body, which may take longer. */
async function fetchAsset(
  ctx: RequestContext,
  storage: UploadStorage,
  key: string,
  range: string | null,
): Promise<CloudResponse | null> {
  return await withRetries(() =>
    untilFirstByte(FIRST_BYTE_MS, async (slow) => {
      const headers: Record<string, string> = range === null ? {} : { range }
      const signal = AbortSignal.any([slow, ctx.signal])
      const response = await callUploadWorker(
        ctx.clock,
        storage,
        { use: 'get', key },
        { method: 'GET', headers, signal, bytesMax: Infinity },
      )
      if (hasBytes(response)) return response
      await response.body?.cancel()
      if (response.status === 404 || response.status === 401) return null
      throw refused(response.status)
    }),
  )
}
