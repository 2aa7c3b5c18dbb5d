import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { FileUploads } from './file-uploads.ts'

const MIB = 1024 * 1024
const pngFile = (name: string, bytes: number) =>
  new File([new Uint8Array(bytes)], name, { type: 'image/png' })

const failOnUpload = () => assert.fail('nothing is uploaded')

describe('the uploads of attached files', () => {
  const page = globalThis as { isSecureContext?: boolean }
  const before = page.isSecureContext
  beforeEach(() => (page.isSecureContext = true))
  afterEach(() => {
    if (before === undefined) delete page.isSecureContext
    else page.isSecureContext = before
  })

  test('files attached beyond the limit are listed as refused until the next files are selected', () => {
    const files = new FileUploads({ send: failOnUpload, store: failOnUpload })
    let changes = 0
    files.subscribe(() => changes++)
    files.add([pngFile('one.png', 10), pngFile('two.png', 10)], { count: 20, bytes: 0 })
    assert.deepEqual(files.get().refused, [
      { name: 'one.png', problem: 'tooMany' },
      { name: 'two.png', problem: 'tooMany' },
    ])
    files.add([pngFile('large.png', 8 * MIB + 1)], { count: 0, bytes: 0 })
    assert.deepEqual(files.get().refused, [{ name: 'large.png', problem: 'tooLarge' }])
    files.add([], { count: 0, bytes: 0 })
    assert.deepEqual(files.get(), { uploads: [], refused: [] })
    assert.ok(changes >= 3)
  })

  test('an attached file is listed as failed when it was uploaded but could not be saved', async () => {
    const kept: string[] = []
    const files = new FileUploads({
      send: (file) => Promise.resolve({ key: `_prompt/${file.name}`, mediaType: 'image/png' }),
      store: async ({ key }) => {
        if (key.includes('bad')) throw new Error('refused')
        kept.push(key)
      },
    })
    files.add([pngFile('good.png', 10), pngFile('bad.png', 10)], { count: 18, bytes: 0 })
    await turn()
    assert.deepEqual(kept, ['_prompt/good.png'])
    assert.deepEqual(
      files.get().uploads.map(({ path, state }) => [path, state]),
      [['bad.png', 'failed']],
    )
    // The failed upload still counts towards the limit of 20 files.
    files.add([pngFile('more.png', 10)], { count: 19, bytes: 0 })
    assert.deepEqual(files.get().refused, [{ name: 'more.png', problem: 'tooMany' }])
  })

  test('without https, files cannot be attached, because the browser cannot hash them', () => {
    page.isSecureContext = false
    const files = new FileUploads({ send: failOnUpload, store: failOnUpload })
    files.add([pngFile('one.png', 10)], { count: 0, bytes: 0 })
    assert.deepEqual(files.get().refused, [{ name: 'one.png', problem: 'needsHttps' }])
  })
})
