import type { UploadedPart } from '../bytes/bucket.ts'
import { invalid } from '../kernel/errors.ts'
import { askFiles, fileBucket, objectKey } from './live.ts'
import { mayBeCalled, START_BYTES } from './media-type.ts'
import type { FileRef, GoingUpload, OpenUpload } from './types.ts'

/** Sizes of the parts of a large file; only the last one is smaller. */
export const PART_BYTES = 16 * 1024 * 1024

/** Opens an upload, and removes what others left in the bucket. */
export async function openUpload(
  ask: Parameters<typeof askFiles<'open'>>[1],
): Promise<Omit<OpenUpload, 'dead'>> {
  const { dead, ...opened } = await askFiles('open', ask)
  if (dead.length > 0) {
    await fileBucket().delete(dead.map(({ key }) => objectKey(key)))
    await askFiles('gone', { ids: dead.map(({ id }) => id) })
  }
  return opened
}

/** Stores the whole of a file. Nothing of it is held but its start. */
export async function storeWhole({ file }: GoingUpload, body: ReadableStream): Promise<FileRef> {
  const checked = await checkStart(file.type, body)
  await intoBucket(checked, file.size, (bytes) =>
    fileBucket().put(objectKey(file.key), bytes, metadataOf(file)),
  )
  return await askFiles('finish', { id: file.id })
}

/** Stores one part, beginning with 1. */
export async function storePart(
  { file, multipart }: GoingUpload,
  number: number,
  body: ReadableStream,
): Promise<void> {
  const count = Math.ceil(file.size / PART_BYTES)
  if (!Number.isInteger(number) || number < 1 || number > count)
    throw invalid('part', `must be a whole number from 1 to ${count}`)
  const sizeBytes = number < count ? PART_BYTES : file.size - PART_BYTES * (count - 1)
  const checked = number === 1 ? await checkStart(file.type, body) : body
  const uploadId = multipart ?? (await beginParts(file))
  const upload = fileBucket().resumeMultipartUpload(objectKey(file.key), uploadId)
  const { etag } = await intoBucket<UploadedPart>(checked, sizeBytes, (bytes) =>
    upload.uploadPart(number, bytes),
  )
  await askFiles('part', { id: file.id, number, etag })
}

async function beginParts(file: FileRef): Promise<string> {
  const { uploadId } = await fileBucket().createMultipartUpload(objectKey(file.key), metadataOf(file))
  // Several parts are sent at once, and each may be the first: one upload counts, the others expire in the bucket.
  return await askFiles('multipart', { id: file.id, multipart: uploadId })
}

/** Puts the parts together. */
export async function completeParts({ file, multipart }: GoingUpload): Promise<FileRef> {
  const parts = await askFiles('parts', { id: file.id })
  if (multipart === null || parts.length < Math.ceil(file.size / PART_BYTES))
    throw invalid('parts', 'are not all there yet')
  await fileBucket().resumeMultipartUpload(objectKey(file.key), multipart).complete(parts)
  return await askFiles('finish', { id: file.id })
}

const metadataOf = ({ name, type, ownerId }: FileRef) => ({
  httpMetadata: { contentType: type },
  customMetadata: { name: encodeURIComponent(name), ...(ownerId === null ? {} : { owner: ownerId }) },
})

/** Hands bytes on with their announced number, which the bucket needs to know; more or fewer are refused. */
async function intoBucket<T>(
  body: ReadableStream,
  sizeBytes: number,
  store: (bytes: ReadableStream) => Promise<T>,
): Promise<T> {
  const { readable, writable } = new FixedLengthStream(sizeBytes)
  const given = new AbortController()
  const sent = body.pipeTo(writable, { signal: given.signal }).then(
    () => null,
    (error: unknown) =>
      error === given.signal.reason ? error : invalid('body', `must be the announced ${sizeBytes} bytes`),
  )
  const stored = store(readable).catch((error: unknown) => {
    // Nobody reads any more: without this the sender would wait for ever. Too late when the sender failed first.
    given.abort(error)
    return null
  })
  const [problem, answer] = await Promise.all([sent, stored])
  if (problem !== null) throw problem
  return answer as T
}

/** The same bytes, once their start has been seen to fit the type. */
async function checkStart(type: string, body: ReadableStream): Promise<ReadableStream> {
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const chunks: Uint8Array[] = []
  let total = 0
  let isDone = false
  while (total < START_BYTES && !isDone) {
    const { value, done } = await reader.read()
    isDone = done
    if (value !== undefined) {
      chunks.push(value)
      total += value.length
    }
  }
  const start = new Uint8Array(total)
  let at = 0
  for (const chunk of chunks) {
    start.set(chunk, at)
    at += chunk.length
  }
  if (!mayBeCalled(type, start)) {
    await reader.cancel()
    throw invalid('type', `the file is not ${type}`)
  }
  return new ReadableStream<Uint8Array>({
    start: (stream) => {
      if (total > 0) stream.enqueue(start)
      if (isDone) stream.close()
    },
    pull: async (stream) => {
      const { value, done } = await reader.read()
      if (done) stream.close()
      else stream.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
