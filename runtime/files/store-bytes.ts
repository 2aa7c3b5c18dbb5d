import type { UploadedPart } from '../bytes/bucket.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import { requireWholeNumber } from '../kernel/fields.ts'
import { removeBytes } from './copies.ts'
import { callFiles, callOwnFiles, fileBucket } from './rpc-client.ts'
import { mayBeCalled, START_BYTES } from './media-type.ts'
import { metadataOf } from './metadata.ts'
import type { DeletedFile, FileRef, OngoingUpload, OpenUpload, UncheckedFile } from './types.ts'

export const PART_BYTES = 16 * 1024 * 1024

/** Opens an upload. Also deletes the bytes of abandoned uploads from the bucket. */
export async function openUpload(
  ask: Parameters<typeof callFiles<'open'>>[1],
): Promise<Omit<OpenUpload, 'dead'>> {
  const { dead, ...opened } = await callFiles('open', ask)
  await removeDead(dead)
  return opened
}

export async function openOwnUpload(session: string, file: UncheckedFile): Promise<Omit<OpenUpload, 'dead'>> {
  const { dead, ...opened } = await callOwnFiles(session, 'open', { file })
  await removeDead(dead)
  return opened
}

async function removeDead(dead: DeletedFile[]): Promise<void> {
  if (dead.length === 0) return
  const bucket = fileBucket()
  for (const { key, multipart } of dead) {
    // Aborting fails for a multipart upload that was already completed or aborted.
    if (multipart != null)
      await bucket
        .resumeMultipartUpload(key, multipart)
        .abort()
        .catch(() => {})
  }
  await removeBytes(
    bucket,
    dead.map(({ key }) => key),
  )
  await callFiles('gone', { ids: dead.map(({ id }) => id) })
}

/** Ends an upload that will not be finished, so that it no longer counts towards the allowance. Does nothing when the upload has ended. */
export async function cancelUpload({ file: { id, key }, multipart }: OngoingUpload): Promise<void> {
  if ((await callFiles('remove', { id })) !== null) await removeDead([{ id, key, multipart }])
}

/** Marks the file as stored. When the upload was ended in the meantime, deletes its bytes and throws `not_found`. */
async function finishUpload({ id, key }: FileRef): Promise<FileRef> {
  try {
    return await callFiles('finish', { id })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') await fileBucket().delete(key)
    throw error
  }
}

/** Streams a body into the bucket. Buffers only its first bytes. */
export async function storeWhole({ file }: OngoingUpload, body: ReadableStream): Promise<FileRef> {
  const bytes = await checkBytes(body, file.type, file.size)
  await storeInBucket(bytes, file.size, (stream) => fileBucket().put(file.key, stream, metadataOf(file)))
  return await finishUpload(file)
}

/** Stores part `number`, counted from 1. */
export async function storePart(
  { file, multipart }: OngoingUpload,
  number: number,
  body: ReadableStream,
): Promise<void> {
  const count = Math.ceil(file.size / PART_BYTES)
  requireWholeNumber('part', number, count)
  const sizeBytes = number < count ? PART_BYTES : file.size - PART_BYTES * (count - 1)
  const bytes = await checkBytes(body, number === 1 ? file.type : null, sizeBytes)
  const uploadId = multipart ?? (await beginParts(file))
  const upload = fileBucket().resumeMultipartUpload(file.key, uploadId)
  const { etag } = await storeInBucket<UploadedPart>(bytes, sizeBytes, (stream) =>
    upload.uploadPart(number, stream),
  )
  await callFiles('part', { id: file.id, number, etag })
}

async function beginParts(file: FileRef): Promise<string> {
  const { uploadId } = await fileBucket().createMultipartUpload(file.key, metadataOf(file))
  // Concurrent requests may each start a multipart upload. One is used, and the bucket lets the others expire.
  return await callFiles('multipart', { id: file.id, multipart: uploadId })
}

/** Completes a multipart upload. Throws unless all parts are stored. */
export async function completeParts({ file, multipart }: OngoingUpload): Promise<FileRef> {
  const parts = await callFiles('parts', { id: file.id })
  if (multipart === null || parts.length < Math.ceil(file.size / PART_BYTES))
    throw invalid('parts', 'are not all uploaded yet')
  await fileBucket().resumeMultipartUpload(file.key, multipart).complete(parts)
  return await finishUpload(file)
}

/** Streams a body into the bucket, which requires its length in advance. Throws when the body is wrong, and when the bucket fails. */
async function storeInBucket<T>(
  body: ReadableStream,
  sizeBytes: number,
  store: (bytes: ReadableStream) => Promise<T>,
): Promise<T> {
  const { readable, writable } = new FixedLengthStream(sizeBytes)
  const given = new AbortController()
  const sending = body.pipeTo(writable, { signal: given.signal })
  const storing = store(readable)
  storing.catch((error: unknown) => {
    // The bucket stopped reading, or never began. Without this the client would wait forever.
    given.abort(error)
    if (!readable.locked) readable.cancel(error).catch(() => {})
  })
  const [sent, stored] = await Promise.allSettled([sending, storing])
  // A wrong body makes the bucket fail too, so throw what is wrong with the body.
  if (sent.status === 'rejected') throw sent.reason
  // The bucket may fail after it has read the whole body.
  if (stored.status === 'rejected') throw stored.reason
  return stored.value
}

/**
 * Passes the bytes through after checking that the first bytes match `type` (null for a part that is not the start of a file). Fails when
 * there are more or fewer bytes than announced.
 */
async function checkBytes(
  body: ReadableStream,
  type: string | null,
  sizeBytes: number,
): Promise<ReadableStream> {
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const start = type === null ? new Uint8Array() : await readFirstBytes(reader)
  if (type !== null && !mayBeCalled(type, start)) {
    // Read to the end: a client that gets a response while it is still sending reports a broken connection.
    while (!(await reader.read()).done);
    throw invalid('type', `the file is not ${type}`)
  }
  const wrong = () => invalid('body', `must be the announced ${sizeBytes} bytes`)
  let left = sizeBytes - start.length
  if (left < 0) throw wrong()
  return new ReadableStream<Uint8Array>({
    start: (stream) => {
      if (start.length > 0) stream.enqueue(start)
    },
    pull: async (stream) => {
      const { value, done } = await reader.read()
      left -= value?.length ?? 0
      if (left < 0 || (done && left > 0)) stream.error(wrong())
      else if (done) stream.close()
      else stream.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Reads at least `START_BYTES`, or everything when there is less. */
async function readFirstBytes(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let total = 0
  while (total < START_BYTES) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    total += value.length
  }
  const start = new Uint8Array(total)
  let at = 0
  for (const chunk of chunks) {
    start.set(chunk, at)
    at += chunk.length
  }
  return start
}
