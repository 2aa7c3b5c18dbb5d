import * as z from 'zod'
import { fetchApp } from '../../cloudflare/app-client.ts'
import { CloudflareError, unreachable } from '../../cloudflare/errors.ts'
import { hasBytes, proxyResponse } from '../../cloudflare/proxy-response.ts'
import type { RequestContext } from '../../endpoint.ts'
import type { BytesResponse } from '../../http/endpoint.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { systemClock } from '../../lib/clock.ts'
import { limitBody, RESPONSE_BYTES_MAX } from '../../lib/limit-body.ts'
import type { PlatformPorts } from '../../platform.ts'
import { callOperator, type OperatedProject, adminWorkerAddress } from '../operator/call.ts'

/** A stored file as the operator reads it from the bucket. */
const FileObject = z.object({
  key: z.string(),
  name: z.string(),
  size: z.int(),
  contentType: z.string(),
  ownerId: z.string().nullable(),
  uploadedAt: z.iso.datetime(),
})

export const FileObjects = z.object({ items: z.array(FileObject), nextCursor: z.string().nullable() })

/** Returns one page of the production files, sorted by key. */
export const readFileObjects = (
  ctx: PlatformPorts<'accounts'>,
  project: OperatedProject,
  { limit, cursor }: { limit: number; cursor: string | undefined },
) => {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor === undefined ? {} : { cursor }) })
  return callOperator(ctx, project, {
    tier: 'production',
    method: 'GET',
    path: `/files/objects?${query.toString()}`,
    result: FileObjects,
  })
}

/** Matches a content type. Any other text is replaced with `application/octet-stream`. */
const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+$/

export async function readFileObject(
  ctx: RequestContext<'accounts'>,
  project: OperatedProject,
  key: string,
  request: Request,
): Promise<BytesResponse> {
  const response = await fetchApp(
    await adminWorkerAddress(ctx, project),
    {
      tier: 'production',
      method: 'GET',
      path: `/files/object?${new URLSearchParams({ key }).toString()}`,
      range: request.headers.get('range'),
      streams: true,
      bytesMax: Infinity,
      signal: ctx.signal,
    },
    systemClock.now(),
  )
  if (hasBytes(response)) {
    const type = response.headers.get('content-type') ?? ''
    return proxyResponse(response, CONTENT_TYPE.test(type) ? type : 'application/octet-stream')
  }
  const { status } = response
  const text = await limitBody(response, RESPONSE_BYTES_MAX)
    .text()
    .catch((cause: unknown) => {
      throw unreachable(cause)
    })
  if (status !== 404)
    throw new CloudflareError('upstream', `The deployed app returned status ${status}.`, { status })
  throw text.includes('"not_enabled"')
    ? new ApiError('not_enabled', 'File uploads are off in this project.')
    : notFound('object')
}
