import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Hold } from '../kernel/objects/hold.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'
import { MemoryBucket } from '../bytes/bucket.test.fixture.ts'
import { bindFiles, unbindFiles } from './bind.test.fixture.ts'
import { Files } from './object.ts'
import type { FileRef, FilesCalls } from './types.ts'

const PART_BYTES = 16 * 1024 * 1024
const [FULL_PART, OTHER_PART] = [Buffer.alloc(PART_BYTES, 'a'), Buffer.alloc(PART_BYTES, 'b')]

/** A longer body comes in two chunks, so that its first bytes are read without copying the whole body. */
const CHUNK_BYTES = 64 * 1024

const importStore = () => importInWorkerd(() => import('./store-bytes.ts'))

describe('storing the bytes of an upload', () => {
  let store: Awaited<ReturnType<typeof importStore>>
  let bucket: MemoryBucket
  let list: Files
  /** The calls to the list of files, by their kind. */
  let calls: string[]
  const TEXT = 'text/plain'
  const listed = <Kind extends keyof FilesCalls>(kind: Kind, ask: FilesCalls[Kind]['ask']) =>
    list.answer(kind, ask)

  before(async () => {
    store = await importStore()
  })
  after(unbindFiles)
  beforeEach(() => {
    bucket = new MemoryBucket()
    const storage = memoryStorage()
    list = new Files(storage, { FILES_MAX_BYTES: String(3 * PART_BYTES) }, new Hold(storage))
    calls = []
    const live = {
      files: (kind: keyof FilesCalls, ask: never) => {
        calls.push(kind)
        return listed(kind, ask)
      },
    }
    bindFiles(live, bucket)
  })

  const open = async (size: number, type = TEXT) => {
    const { file, token } = await store.openUpload({ file: { name: 'a.txt', type, size } })
    calls.length = 0
    const going = async () => {
      const answer = await listed('going', { id: file.id, token })
      return answer.ok ? answer.value : assert.fail(answer.error.message)
    }
    return { file, token, going }
  }
  /** A body in chunks. It records whether the reader has read it to the end, or has cancelled it. */
  const bodyOf = (...chunks: (string | Uint8Array)[]) => {
    const state = { isDrained: false, isCancelled: false }
    const left = chunks.flatMap((chunk) => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      return bytes.length > CHUNK_BYTES
        ? [bytes.subarray(0, CHUNK_BYTES), bytes.subarray(CHUNK_BYTES)]
        : [bytes]
    })
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const next = left.shift()
          if (next !== undefined) return controller.enqueue(next)
          state.isDrained = true
          controller.close()
        },
        cancel: () => void (state.isCancelled = true),
      },
      { highWaterMark: 0 },
    )
    return { stream, state }
  }
  const isStored = async ({ id }: FileRef) => {
    const answer = await listed('find', { id })
    assert.ok(answer.ok)
    return answer.value !== null
  }

  test('an uploaded file is stored byte for byte, for any chunk sizes, and is listed from then on', async () => {
    const { file, going } = await open(11)
    assert.equal(await isStored(file), false)
    const stored = await store.storeWhole(await going(), bodyOf('', 'hel', 'lo', ' ', 'world').stream)
    assert.deepEqual(stored, file)
    assert.deepEqual([bucket.objects.size, bucket.textOf(file.key)], [1, 'hello world'])
    assert.deepEqual([await isStored(file), calls], [true, ['finish']])
  })

  test('an upload with more or fewer bytes than announced is rejected, and no file is stored', async () => {
    for (const [sizeBytes, chunks] of [
      [5, ['four']],
      [5, []],
      [5, ['sixsix']],
      [5000, ['x'.repeat(4096), 'y'.repeat(903)]],
      [5000, ['x'.repeat(4096), 'y'.repeat(905)]],
    ] as const) {
      const { file, going } = await open(sizeBytes)
      await assert.rejects(store.storeWhole(await going(), bodyOf(...chunks).stream), {
        code: 'invalid_request',
        message: `body: must be the announced ${sizeBytes} bytes`,
        field: 'body',
      })
      assert.deepEqual([bucket.objects.size, await isStored(file), calls], [0, false, []], chunks.join('|'))
    }
  })

  test('a file whose content does not match its type is rejected after its body was read to the end', async () => {
    const { file, going } = await open(5002, 'image/png')
    const { stream, state } = bodyOf('<h', '1'.repeat(5000))
    await assert.rejects(store.storeWhole(await going(), stream), {
      code: 'invalid_request',
      message: 'type: the file is not image/png',
      field: 'type',
    })
    assert.deepEqual(state, { isDrained: true, isCancelled: false })
    assert.deepEqual([bucket.objects.size, await isStored(file)], [0, false])
  })

  test('a file is not listed when the bucket fails, whether before or after it has read the body', async () => {
    for (const failure of ['before reading', 'after reading'] as const) {
      const { file, going } = await open(11)
      bucket.failure = failure
      const whole = store.storeWhole(await going(), bodyOf('hello', ' world').stream)
      await assert.rejects(whole, { message: 'put: internal error (10001)' }, failure)
      assert.deepEqual([bucket.objects.size, await isStored(file), calls], [0, false, []], failure)
      bucket.failure = null
      await store.storeWhole(await going(), bodyOf('hello world').stream)
      assert.equal(await isStored(file), true, 'the same upload may be sent once more')
      bucket.objects.clear()
    }
  })

  test('when a file is removed while its bytes are being uploaded, the bytes are deleted', async () => {
    const { file, going } = await open(5)
    const upload = await going()
    await listed('remove', { id: file.id })
    await assert.rejects(store.storeWhole(upload, bodyOf('hello').stream), {
      code: 'not_found',
      message: 'No such upload.',
    })
    assert.equal(bucket.objects.size, 0)
  })

  test('uploaded bytes are kept when the list of files cannot be reached after they were stored', async () => {
    const { file, going } = await open(5)
    const upload = await going()
    Object.assign(workerEnv, { LIVE: { files: () => Promise.reject(new Error('The object was reset.')) } })
    await assert.rejects(store.storeWhole(upload, bodyOf('hello').stream), {
      message: 'The object was reset.',
    })
    assert.deepEqual([bucket.objects.size, bucket.textOf(file.key)], [1, 'hello'])
  })

  test('a file that is sent in parts, in any order and some of them twice, is stored byte for byte', async () => {
    const { file, going } = await open(2 * PART_BYTES + 3)
    await store.storePart(await going(), 3, bodyOf('old').stream)
    await store.storePart(await going(), 1, bodyOf(FULL_PART.subarray(0, 7), FULL_PART.subarray(7)).stream)
    await assert.rejects(store.completeParts(await going()), {
      code: 'invalid_request',
      message: 'parts: are not all uploaded yet',
      field: 'parts',
    })
    await store.storePart(await going(), 2, bodyOf(OTHER_PART.subarray(0, 7), OTHER_PART.subarray(7)).stream)
    await store.storePart(await going(), 3, bodyOf('end').stream)
    assert.deepEqual(await store.completeParts(await going()), file)
    const whole = Buffer.concat([FULL_PART, OTHER_PART, Buffer.from('end')])
    assert.equal(whole.equals(bucket.objects.get(file.key)?.bytes ?? Buffer.alloc(0)), true)
    assert.deepEqual([bucket.uploads.size, await isStored(file)], [1, true])
  })

  test('a multipart upload cannot be completed before a part was sent', async () => {
    const { file, going } = await open(2 * PART_BYTES)
    await assert.rejects(store.completeParts(await going()), { code: 'invalid_request', field: 'parts' })
    assert.deepEqual([bucket.objects.size, await isStored(file)], [0, false])
  })

  test('a part of a multipart upload with an invalid number is rejected without a call to the bucket', async () => {
    const { going } = await open(PART_BYTES + 1)
    for (const number of [0, 3, -1, 1.5, Number.NaN, Infinity])
      await assert.rejects(
        store.storePart(await going(), number, bodyOf('x').stream),
        { code: 'invalid_request', message: 'part: must be a whole number from 1 to 2', field: 'part' },
        String(number),
      )
    assert.deepEqual([bucket.uploads.size, calls], [0, []])
  })

  test('every part of a multipart upload has 16 MiB, except the last, which has exactly the remaining bytes', async () => {
    const { file, going } = await open(PART_BYTES + 3)
    for (const [number, chunks, sizeBytes] of [
      [1, [FULL_PART.subarray(1)], PART_BYTES],
      [1, [FULL_PART, 'x'], PART_BYTES],
      [2, ['en'], 3],
      [2, ['ends'], 3],
    ] as const)
      await assert.rejects(store.storePart(await going(), number, bodyOf(...chunks).stream), {
        message: `body: must be the announced ${sizeBytes} bytes`,
      })
    assert.deepEqual(await listed('parts', { id: file.id }), { ok: true, value: [] })
    assert.deepEqual(calls, ['multipart'])
  })

  test("only the first part of a multipart upload is checked against the file's type", async () => {
    const { file, going } = await open(PART_BYTES + 3, 'application/pdf')
    await assert.rejects(store.storePart(await going(), 1, bodyOf(FULL_PART).stream), {
      message: 'type: the file is not application/pdf',
    })
    await store.storePart(await going(), 2, bodyOf('<b>').stream)
    await store.storePart(await going(), 1, bodyOf('%PDF-', FULL_PART.subarray(5)).stream)
    assert.deepEqual(await store.completeParts(await going()), file)
  })

  test('parts of a file that are sent at the same time belong to one multipart upload in the bucket', async () => {
    const { file, going } = await open(PART_BYTES + 3)
    const upload = await going()
    await Promise.all([
      store.storePart(upload, 1, bodyOf(FULL_PART).stream),
      store.storePart(upload, 2, bodyOf('end').stream),
    ])
    const states = [...bucket.uploads.values()].map(({ parts }) => [...parts.keys()].toSorted())
    assert.deepEqual(states, [[1, 2], []])
    assert.deepEqual(await store.completeParts(await going()), file)
  })

  test("a part of a multipart upload that the bucket fails to store is not counted, and the bucket's error is thrown", async () => {
    const { file, going } = await open(PART_BYTES + 3)
    for (const failure of ['before reading', 'after reading'] as const) {
      bucket.failure = failure
      const sent = store.storePart(await going(), 2, bodyOf('end').stream)
      await assert.rejects(sent, { message: 'put: internal error (10001)' }, failure)
    }
    assert.deepEqual(await listed('parts', { id: file.id }), { ok: true, value: [] })
  })

  test('starting an upload also deletes the bytes, unfinished parts and resized copies that deleted files left in the bucket', async () => {
    const { file, going } = await open(PART_BYTES + 3)
    await store.storePart(await going(), 2, bodyOf('end').stream)
    const second = await open(5)
    await store.storeWhole(await second.going(), bodyOf('hello').stream)
    bucket.store(`w/128/${second.file.key}`, 'copy')
    for (const { id } of [file, second.file]) await listed('remove', { id })
    await open(1)
    assert.deepEqual([bucket.objects.size, bucket.uploads.get('upload-1')?.state], [0, 'aborted'])
    calls.length = 0
    await store.openUpload({ file: { name: 'b.txt', type: TEXT, size: 1 } })
    assert.deepEqual(calls, ['open'], 'nothing is left to remove')
  })

  test('the entry of a deleted file is removed even if the bucket reports that the multipart upload was already aborted', async () => {
    const { file, going } = await open(PART_BYTES + 3)
    await store.storePart(await going(), 2, bodyOf('end').stream)
    await listed('remove', { id: file.id })
    const upload = bucket.uploads.get('upload-1') ?? assert.fail()
    upload.state = 'aborted'
    calls.length = 0
    await store.openUpload({ file: { name: 'b.txt', type: TEXT, size: 1 } })
    assert.deepEqual(calls, ['open', 'gone'])
  })

  test("when a person starts an upload, the live worker gets the person's session", async () => {
    const { file } = await open(1)
    const asked: unknown[] = []
    const opened = { file, token: 'token' }
    const live = {
      ownFiles: async (...ask: unknown[]) => {
        asked.push(ask)
        return { ok: true, value: { ...opened, dead: [] } }
      },
    }
    Object.assign(workerEnv, { LIVE: live })
    const wanted = { name: 'a.txt', type: TEXT, size: 1 }
    assert.deepEqual(await store.openOwnUpload('session', wanted), opened)
    assert.deepEqual(asked, [['session', 'open', { file: wanted }]])
  })
})
