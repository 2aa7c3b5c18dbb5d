import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { attach, fileOf, setClock } from '../../attachments/testing.ts'
import { sha256Of } from '../../attachments/stored-object.ts'
import { type CloudApp, openCloudApp } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { ASSET_BYTES_MAX } from './asset.ts'
import { initAsset, textAsset, uploadAsset, TRAVERSAL_PATHS } from './testing.ts'
import { leaves } from '../../testing/effects.ts'

const LOOK_EVERY_BYTES = 8 * 1024 * 1024

describe('the protection of assets and of other objects in their bucket', () => {
  let cloud: CloudApp
  let person: Client
  let path: string
  let secret: string
  const file = fileOf('image/png', 300, 'canary')
  before(async () => {
    cloud = await openCloudApp()
    setClock(cloud)
    ;({ person, path } = await cloud.personWithProject())
    secret = sha256Of(file)
    await attach(person, path, file, 'image/png')
    await uploadAsset(person, path, textAsset('img/a.txt', 'fine'))
  })
  after(() => cloud.close())

  test('no spelling of an asset path returns the content of a prompt attachment', async () => {
    const spellings = TRAVERSAL_PATHS.flatMap((way) => {
      const named = way.replaceAll('secret', secret)
      return [named, encodeURIComponent(named), encodeURIComponent(encodeURIComponent(named))]
    })
    for (const spelled of [...spellings, `_prompt/${secret}`, `_prompt%2F${secret}`, `./_prompt/${secret}`]) {
      const answer = await person.raw(`GET ${path}/assets/${spelled}`)
      const text = await answer.text()
      // The URL parser normalizes some spellings to the path of another route. No response may contain the attachment.
      assert.ok(!text.includes('canary') && answer.status !== 500, `${spelled}: ${answer.status}`)
    }
  })

  test('no spelling of an asset path overwrites or removes a prompt attachment, or changes who may see it', async () => {
    for (const way of TRAVERSAL_PATHS) {
      const named = way.replaceAll('secret', secret)
      const opened = await initAsset(person, path, textAsset(named, 'evil'))
      if (opened.status === 200) continue
      assert.deepEqual([opened.status, opened.error?.code], [400, 'invalid_request'], named)
      assert.match(opened.error?.message ?? '', /^path: /)
    }
    for (const at of [`_prompt/${secret}`, `_prompt%2F${secret}`, `%5Fprompt%2F${secret}`]) {
      const answers = [
        await person.call(`PATCH ${path}/assets/${at}`, { access: { kind: 'public' } }),
        await person.call(`DELETE ${path}/assets/${at}`),
      ]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [404, 404],
        at,
      )
    }
    const kept = await person.raw(`GET ${path}/attachments/${secret}`)
    assert.deepEqual(Buffer.from(await kept.arrayBuffer()), file)
  })

  test('a large asset streams through the service without being held in memory', async () => {
    leaves({ activity: { 'object.put': 1 } })
    const size = 60 * 1024 * 1024
    const big = { path: 'big.bin', contentType: 'application/octet-stream', bytes: Buffer.alloc(size) }
    await uploadAsset(person, path, big)
    big.bytes = Buffer.alloc(0)
    const answer = await person.raw(`GET ${path}/assets/big.bin`)
    // Collects garbage before counting, so that only memory still in use is counted.
    setFlagsFromString('--expose-gc')
    const held = () => {
      ;(runInNewContext('gc') as () => void)()
      return process.memoryUsage().arrayBuffers
    }
    const before = held()
    let [total, most, looked] = [0, 0, 0]
    for await (const chunk of answer.body ?? []) {
      total += chunk.byteLength
      if (total < looked) continue
      looked = total + LOOK_EVERY_BYTES
      most = Math.max(most, held() - before)
    }
    assert.equal(total, size)
    assert.ok(most < size / 2, `${most} bytes were held`)
  })

  test('an invalid type, size or path in the request for an asset upload is refused with the name of the field', async () => {
    const right = { path: 'a.txt', contentType: 'text/plain', size: 1 }
    for (const [field, value] of [
      ['contentType', ''],
      ['contentType', 'text'],
      ['contentType', 'text/plain\r\nx: y'],
      ['contentType', 'text/html; charset="x"'],
      ['size', 0],
      ['size', -1],
      ['size', 1.5],
      ['size', ASSET_BYTES_MAX + 1],
      ['size', '1'],
      ['path', 7],
    ] as const) {
      const answer = await person.call(`POST ${path}/assets/upload-init`, { ...right, [field]: value })
      assert.match(answer.error?.message ?? '', new RegExp(`^${field}: `), `${field} ${value}`)
    }
  })
})
