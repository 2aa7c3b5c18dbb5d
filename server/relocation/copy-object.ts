import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { callOperator, adminWorkerAddress } from '../capabilities/operator/call.ts'
import { fetchApp } from '../cloudflare/app-client.ts'
import { CloudflareError, unreachable } from '../cloudflare/errors.ts'
import type { CloudResponse } from '../cloudflare/fetch.ts'
import { systemClock } from '../lib/clock.ts'
import type { AppInAccount, BucketObject } from './app-transfer.ts'

/** The size of an upload part. R2 requires at least 5 MiB, and the same size for all parts of an upload but the last. */
const PART_BYTES = 6 * 1024 * 1024
const READ_AGAIN_MS = 500
const READS_MAX = 3

interface ObjectInBucket {
  bucket: string
  object: BucketObject
}

/**
 * Copies one object part by part, so that the whole object is never in memory. Replaces an existing object with the same key. Idempotent.
 * Returns `gone` when the former account does not have the object, and `changed` when the object's version there is not the listed one.
 */
export async function copyObject(
  from: AppInAccount,
  to: AppInAccount,
  placed: ObjectInBucket,
): Promise<'copied' | 'gone' | 'changed'> {
  const { bucket, object } = placed
  const first = await readPart(from, placed, 0)
  if (typeof first === 'string') return first
  const { uploadId } = await callUpload(to, {
    method: 'POST',
    path: `/transfer/buckets/${bucket}/uploads`,
    body: { object },
    result: z.object({ uploadId: z.string().nullable() }),
  })
  // The object is empty and therefore complete.
  if (uploadId === null) return 'copied'
  const parts: { partNumber: number; etag: string }[] = []
  for (let start = 0; start < object.size; start += PART_BYTES) {
    const bytes = start === 0 ? first : await readPart(from, placed, start)
    if (typeof bytes === 'string') return bytes
    const partNumber = parts.length + 1
    const query = new URLSearchParams({ key: object.key, upload: uploadId, number: String(partNumber) })
    const { etag } = await callUpload(to, {
      method: 'PUT',
      path: `/transfer/buckets/${bucket}/uploads/part?${query.toString()}`,
      body: bytes,
      result: z.object({ etag: z.string() }),
    })
    parts.push({ partNumber, etag })
  }
  await callUpload(to, {
    method: 'POST',
    path: `/transfer/buckets/${bucket}/uploads/complete`,
    body: { key: object.key, upload: uploadId, parts },
    result: z.object({ key: z.string() }),
    // A second call would fail, because the upload no longer exists once it is completed.
    repeatable: false,
  })
  return 'copied'
}

const callUpload = <T>(
  { platform, project, signal }: AppInAccount,
  request: {
    method: 'POST' | 'PUT'
    path: string
    body: unknown
    result: z.ZodType<T>
    repeatable?: boolean
  },
) => callOperator(platform, project, { tier: 'production', repeatable: true, signal, ...request })

/** Returns the bytes from `start` on, or the reason why there are none. Repeats the request when the response ends early. */
async function readPart(
  from: AppInAccount,
  { bucket, object }: ObjectInBucket,
  start: number,
): Promise<Uint8Array | 'gone' | 'changed'> {
  const { platform, project, signal } = from
  const end = Math.min(start + PART_BYTES, object.size) - 1
  for (let read = 1; ; read++) {
    const response = await fetchApp(
      await adminWorkerAddress(platform, project),
      {
        tier: 'production',
        method: 'GET',
        path: `/transfer/buckets/${bucket}/object?${new URLSearchParams({ key: object.key }).toString()}`,
        // An empty object has no range. It is read all the same, because it may have been replaced.
        range: object.size === 0 ? null : `bytes=${start}-${end}`,
        signal,
      },
      systemClock.now(),
    )
    if (response.status === 404) {
      const text = await response.text().catch((cause: unknown) => {
        throw unreachable(cause)
      })
      if (text.includes('"not_found"')) return 'gone'
    }
    const bytes = response.bodyUsed ? null : await response.bytes().catch(() => null)
    const isPart = response.status === 206 || response.status === 200
    // An object that became shorter may not have the range any more.
    if (object.etag !== undefined && (isPart || response.status === 416) && etagOf(response) !== object.etag)
      return 'changed'
    if (isPart && bytes?.length === end - start + 1) return bytes
    if (read === READS_MAX)
      throw new CloudflareError('upstream', `The object ${object.key} could not be read whole. Try again.`, {
        status: response.status,
        retryable: true,
      })
    await sleep(READ_AGAIN_MS, undefined, { signal })
  }
}

/** Returns the etag without the prefix `W/` of a weak etag, which a proxy adds when it compresses the response. */
const etagOf = ({ headers }: CloudResponse) => headers.get('etag')?.replace(/^W\//, '')
