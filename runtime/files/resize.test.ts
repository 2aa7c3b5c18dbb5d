import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { resizedCopyKey, removeBytes } from './copies.ts'
import { resizedCopyOf, type ResizeDeps } from './resize.ts'
import type { FileRef } from './types.ts'

const NOW = Date.parse('2026-11-26T10:00:00Z')
const MINUTE_MS = 60_000
let keyCount = 0

/** Each instance uses its own key, because the module keeps one list of pauses for all tests. */
class World {
  readonly file: FileRef
  readonly keys: Set<string>
  readonly reads: string[] = []
  readonly errors: unknown[] = []
  resizes = 0
  isRefused = false
  duringResize = () => {}
  shown: readonly number[] = [64, 128]

  constructor() {
    const key = `f/u_ada/picture-${keyCount++}`
    this.keys = new Set([key])
    const createdAt = new Date(NOW).toISOString()
    this.file = { id: key, key, name: 'a.png', type: 'image/png', size: 3, ownerId: 'u_ada', createdAt }
  }

  /** Requests the picture at a width of 128. Returns the bucket key of the copy, or of the whole picture, that is served. */
  async show(now = NOW): Promise<string> {
    return (await resizedCopyOf(this.file, 128, this.#deps(), now)).key
  }

  #deps(): ResizeDeps {
    const stored = (key: string) => ({ key, size: 3, etag: '', httpEtag: '', uploaded: new Date(NOW) })
    const bucket: ResizeDeps['bucket'] = {
      head: async (key) => {
        this.reads.push(`head ${key}`)
        return this.keys.has(key) ? stored(key) : null
      },
      get: async (key) => {
        this.reads.push(`get ${key}`)
        return this.keys.has(key) ? { ...stored(key), body: new Blob(['abc']).stream() } : null
      },
      put: async (key) => {
        this.keys.add(key)
        return stored(key)
      },
      delete: async (key) => void this.keys.delete(String(key)),
    }
    const output = async () => {
      this.resizes += 1
      this.duringResize()
      if (this.isRefused) throw new Error('IMAGES_TRANSFORM_ERROR 9412')
      return { response: () => new Response('small') }
    }
    return {
      images: { input: () => ({ transform: () => ({ output }) }) },
      bucket,
      widths: async () => this.shown,
      isKept: async () => this.keys.has(this.file.key),
      logError: (error) => this.errors.push(error),
    }
  }
}

describe('the copies of pictures', () => {
  test('several simultaneous first views of a picture resize it once, and later views do not resize it again', async () => {
    const world = new World()
    const copy = resizedCopyKey(world.file.key, 128)
    const first = await Promise.all([world.show(), world.show(), world.show()])
    assert.deepEqual(first.toSorted(), [world.file.key, world.file.key, copy].toSorted())
    assert.equal(await world.show(), copy)
    assert.equal(world.resizes, 1)
  })

  test('after a rejected resize, views of the picture send no resize request and log nothing for ten minutes', async () => {
    const world = new World()
    world.isRefused = true
    assert.equal(await world.show(), world.file.key)
    const reads = world.reads.length
    for (const minutes of [0, 1, 9]) assert.equal(await world.show(NOW + minutes * MINUTE_MS), world.file.key)
    assert.deepEqual([world.resizes, world.errors.length, world.reads.length], [1, 1, reads])
    world.isRefused = false
    assert.equal(await world.show(NOW + 10 * MINUTE_MS), resizedCopyKey(world.file.key, 128))
    assert.deepEqual([world.resizes, world.errors.length], [2, 1])
  })

  test('a rejected resize is no longer remembered once a thousand newer resizes have been rejected', async () => {
    const worlds = Array.from({ length: 1001 }, () => new World())
    for (const world of worlds) {
      world.isRefused = true
      await world.show()
    }
    const [oldest, next] = worlds
    await next?.show()
    await oldest?.show()
    assert.deepEqual([oldest?.resizes, next?.resizes], [2, 1])
  })

  test('for a width that was removed from the settings, existing copies are served and no new copies are created', async () => {
    const world = new World()
    world.shown = [64]
    assert.equal(await world.show(), world.file.key)
    world.shown = [128]
    assert.equal(await world.show(), resizedCopyKey(world.file.key, 128))
    world.shown = [64]
    assert.equal(await world.show(), resizedCopyKey(world.file.key, 128))
  })

  test('a resized copy is deleted when its file was removed during the resize', async () => {
    const world = new World()
    world.duringResize = () => world.keys.clear()
    await world.show()
    assert.deepEqual([world.resizes, [...world.keys]], [1, []])
  })

  test('deleting two hundred pictures with their resized copies uses at most a thousand keys per call', async () => {
    const calls: string[][] = []
    const bucket = { delete: async (keys: string | string[]) => void calls.push([keys].flat()) }
    const keys = Array.from({ length: 200 }, (_, n) => `f/u_ada/${n}`)
    await removeBytes(bucket, keys)
    assert.deepEqual(
      calls.map(({ length }) => length),
      [1000, 400],
    )
    assert.equal(new Set(calls.flat()).size, 1400)
  })
})
