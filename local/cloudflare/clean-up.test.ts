import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { testCloud, uploadForm } from '../testing/cloud.ts'
import { cleanUp } from './clean-up.ts'

const cloud = testCloud()

describe('cleaning up', () => {
  after(() => cloud.close())

  test('the clean-up deletes old files that no worker uses, and keeps used files and recent uploads', async () => {
    const sourceOf = (name: string) => `export default { fetch() {} } // ${name}`
    await cloud.call('PUT', '/A/workers/scripts/stays', uploadForm(sourceOf('stays')))
    await cloud.call('PUT', '/A/workers/scripts/goes', uploadForm(sourceOf('goes')))
    await cloud.call('DELETE', '/A/workers/scripts/goes')
    const blobs = dirname(cloud.blobs.path(cloud.accountId, 'x'))
    const accountDir = dirname(blobs)
    const cloudDir = dirname(accountDir)
    assert.equal(readdirSync(blobs).length, 2)
    await cloud.blobs.write(cloud.accountId, Buffer.from('on its way'))
    const longAgo = new Date(Date.now() - 3 * 60 * 60_000)
    for (const name of readdirSync(blobs).slice(0, 3)) utimesSync(join(blobs, name), longAgo, longAgo)
    const fresh = await cloud.blobs.write(cloud.accountId, Buffer.from('another on its way'))
    const [group] = cloud.store.all<{ id: string }>('SELECT id FROM groups')
    for (const name of [group?.id ?? '', 'an-old-group'])
      mkdirSync(join(accountDir, name, 'state'), { recursive: true })

    await cleanUp(cloud.store, cloudDir, Date.now())

    const used = cloud.store.get<{ digest: string }>(
      `SELECT json_extract(content, '$.modules[0].digest') AS digest FROM versions`,
    )
    assert.deepEqual(readdirSync(blobs).sort(), [used?.digest, fresh].sort())
    assert.equal(existsSync(join(accountDir, 'an-old-group')), false)
    assert.equal(existsSync(join(accountDir, group?.id ?? '', 'state')), true)
  })
})
