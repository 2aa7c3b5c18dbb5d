import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { testCloud, uploadForm } from '../../testing/cloud.ts'

const cloud = testCloud()
const hashOf = (text: string) => createHash('md5').update(text).digest('hex')
const manifestOf = (files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, { hash: hashOf(text), size: text.length }]),
  )

async function openSession(files: Record<string, string>) {
  const answer = await cloud.call('POST', '/A/workers/scripts/site/assets-upload-session', {
    manifest: manifestOf(files),
  })
  return answer.result as { jwt: string; buckets: string[][] }
}

async function sendFiles(jwt: string, texts: string[]) {
  const form = new FormData()
  for (const text of texts) {
    form.set(
      hashOf(text),
      new File([Buffer.from(text).toString('base64')], hashOf(text), { type: 'text/html' }),
    )
  }
  return cloud.call('POST', '/A/workers/assets/upload?base64=true', form, jwt)
}

describe('the API of assets', () => {
  after(() => cloud.close())

  test('asset files are uploaded once per account, and the token of a completed upload adds the files to a worker', async () => {
    const session = await openSession({ '/index.html': 'one', '/two.html': 'two' })
    assert.deepEqual(session.buckets, [[hashOf('one'), hashOf('two')]])
    const half = await sendFiles(session.jwt, ['one'])
    assert.deepEqual([half.status, half.result], [202, {}])
    const done = await sendFiles(session.jwt, ['two'])
    assert.equal(done.status, 201)
    const { jwt } = done.result as { jwt: string }
    const form = uploadForm('export default {fetch(){}}', { assets: { jwt, config: {} } })
    const answer = await cloud.call('PUT', '/A/workers/scripts/site', form)
    assert.equal((answer.result as { has_assets: boolean }).has_assets, true)
    const again = await openSession({ '/index.html': 'one', '/new-name.html': 'two' })
    assert.deepEqual(again.buckets, [])
    assert.equal(
      (
        await cloud.call(
          'PUT',
          '/A/workers/scripts/site',
          uploadForm('export default {fetch(){}}', { assets: { jwt: again.jwt } }),
        )
      ).success,
      true,
    )
  })

  test('an altered token, the token of an incomplete asset upload, and a file outside the manifest are refused', async () => {
    const session = await openSession({ '/other.html': 'other' })
    const early = uploadForm('export default {fetch(){}}', { assets: { jwt: session.jwt } })
    assert.equal((await cloud.call('PUT', '/A/workers/scripts/site', early)).errors[0]?.code, 10021)
    assert.equal((await sendFiles(`${session.jwt}x`, ['other'])).status, 401)
    const stranger = await sendFiles(session.jwt, ['not in the manifest'])
    assert.equal(stranger.errors[0]?.code, 10021)
  })

  test('uploading an asset with a path that leads out of its folder is refused', async () => {
    for (const path of ['/../x', '/a/../../x', 'x', '/a/..']) {
      const answer = await cloud.call('POST', '/A/workers/scripts/site/assets-upload-session', {
        manifest: { [path]: { hash: hashOf('x'), size: 1 } },
      })
      assert.equal(answer.status, 400, path)
    }
  })

  test('an upload of a worker with an assets binding but no assets is refused', async () => {
    const form = uploadForm('export default {fetch(){}}', { bindings: [{ type: 'assets', name: 'ASSETS' }] })
    assert.match(
      (await cloud.call('PUT', '/A/workers/scripts/none', form)).errors[0]?.message ?? '',
      /needs assets/,
    )
  })
})
