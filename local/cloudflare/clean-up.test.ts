import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { findToken, issueToken, revokeFamily } from './accounts/tokens.ts'
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
    // A file manager leaves such files in the folders that a person opens.
    writeFileSync(join(cloudDir, '.DS_Store'), '')

    await cleanUp(cloud.store, cloudDir, Date.now())

    const used = cloud.store.get<{ digest: string }>(
      `SELECT json_extract(content, '$.modules[0].digest') AS digest FROM versions`,
    )
    assert.deepEqual(readdirSync(blobs).sort(), [used?.digest, fresh].sort())
    assert.equal(existsSync(join(accountDir, 'an-old-group')), false)
    assert.equal(existsSync(join(accountDir, group?.id ?? '', 'state')), true)
  })

  test('a start of the local cloud deletes expired and long revoked tokens, even when no app has stored files', async () => {
    const day = 24 * 60 * 60_000
    const now = cloud.now() + 3 * day
    const issue = (more: object) =>
      issueToken(cloud.store, {
        kind: 'access',
        accountId: cloud.accountId,
        scopes: [],
        at: cloud.now(),
        ...more,
      })
    const [expired, fresh, endless] = [issue({ lifeMs: day }), issue({ lifeMs: 3 * day }), issue({})]
    const revoked = issue({})
    revokeFamily(cloud.store, findToken(cloud.store, revoked.secret)?.family ?? '', now - 2 * day)
    await cleanUp(cloud.store, join(tmpdir(), 'slipway-no-such-folder'), now)
    assert.deepEqual(
      [expired, fresh, endless, revoked].map(({ secret }) => findToken(cloud.store, secret) !== null),
      [false, true, true, false],
    )
  })

  test('the uploaded asset files of an open upload session are kept until the session expires', async () => {
    const [hash, bytes] = ['a'.repeat(32), Buffer.from('body { color: red }')]
    const manifest = { '/style.css': { hash, size: bytes.length } }
    const session = await cloud.call('POST', '/A/workers/scripts/site/assets-upload-session', { manifest })
    const form = new FormData()
    form.set(hash, new File([bytes.toString('base64')], hash, { type: 'text/css' }))
    const { jwt } = session.result as { jwt: string }
    const headers = { authorization: `Bearer ${jwt}` }
    const sent = await cloud.send('/A/workers/assets/upload?base64=true', {
      method: 'POST',
      body: form,
      headers,
    })
    assert.equal(sent.status, 201)
    const blobs = dirname(cloud.blobs.path(cloud.accountId, 'x'))
    const cloudDir = dirname(dirname(blobs))
    const isThere = () => cloud.store.get('SELECT 1 FROM assets WHERE hash = ?', hash) !== undefined
    const file = cloud.blobs.path(cloud.accountId, createHash('sha256').update(bytes).digest('hex'))
    const longAgo = new Date(Date.now() - 3 * 60 * 60_000)
    for (const name of readdirSync(blobs)) utimesSync(join(blobs, name), longAgo, longAgo)
    await cleanUp(cloud.store, cloudDir, cloud.now())
    assert.deepEqual([isThere(), existsSync(file)], [true, true])
    await cleanUp(cloud.store, cloudDir, cloud.now() + 2 * 60 * 60_000)
    assert.deepEqual([isThere(), existsSync(file)], [false, false])
  })
})
