import { ensureUploads } from '../attachments/provision-uploads.ts'
import { findUploadPlace, type UploadPlace } from '../attachments/upload-place.ts'
import { askUploadWorker, patiently, refused } from '../attachments/upload-worker.ts'
import type { CloudResponse } from '../cloudflare/fetch.ts'
import { actorOf } from '../connections/cloud.ts'
import type { BytesAnswer } from '../http/endpoint.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Context } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'
import { findAsset } from './asset.ts'
import { plainForm } from './asset-path.ts'
import { elsewhere } from './stamp.ts'

const FIRST_BYTE_MS = 30_000

/** What may be said of bytes that come from somebody's account, and in which form. */
const PASSED_ON: Record<string, RegExp> = {
  'content-length': /^\d{1,12}$/,
  'content-range': /^bytes (?:\d{1,12}-\d{1,12}|\*)\/\d{1,12}$/,
  etag: /^"[\w-]{1,100}"$/,
}

/** The bytes of an asset as they come from the account, so that no size of them matters here; `Range` is honoured. */
export async function readAsset(
  ctx: Context,
  projectId: string,
  path: string,
  request: Request,
): Promise<BytesAnswer> {
  const project = await loadProject(ctx, projectId)
  const row = await findAsset(ctx.db, project, plainForm(path))
  if (row === null) throw notFound('asset')
  const place = await findUploadPlace(ctx, project)
  if (place?.accountId !== row.account_id) throw elsewhere(row.account_id)
  const ask = (at: UploadPlace) => open(ctx, at, row.path, request.headers.get('range'))
  // Nothing, or a worker that does not know our tokens: what can be repaired is, once.
  const answer =
    (await ask(place)) ?? (await ask(await ensureUploads(ctx, project, actorOf(ctx.caller)))) ?? gone()
  const passed = Object.entries(PASSED_ON).flatMap(([name, form]) => {
    const value = answer.headers.get(name)
    return value !== null && form.test(value) ? [[name, value]] : []
  })
  return {
    status: answer.status as 200 | 206 | 416,
    body: (answer.body as ReadableStream<Uint8Array> | null) ?? '',
    contentType: row.content_type,
    headers: {
      ...Object.fromEntries(passed),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
  }
}

function gone(): never {
  throw new ApiError('upstream_error', 'The asset is no longer in the cloud account. Upload it again.')
}

/** Asks for the bytes; null when the worker has none for us. The time limit ends with the first of them. */
async function open(
  ctx: Context,
  place: UploadPlace,
  key: string,
  range: string | null,
): Promise<CloudResponse | null> {
  return await patiently(async () => {
    const slow = new AbortController()
    const timer = setTimeout(() => slow.abort(new Error('no answer in time')), FIRST_BYTE_MS)
    try {
      const answer = await askUploadWorker(
        ctx.clock,
        place,
        { use: 'get', key },
        {
          method: 'GET',
          headers: range === null ? {} : { range },
          signal: AbortSignal.any([slow.signal, ctx.signal]),
        },
      )
      if ([200, 206, 416].includes(answer.status)) return answer
      await answer.body?.cancel()
      if (answer.status === 404 || answer.status === 401) return null
      throw refused(answer.status)
    } finally {
      clearTimeout(timer)
    }
  })
}
