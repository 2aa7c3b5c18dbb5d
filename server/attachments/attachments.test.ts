import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { deleteWorker } from '../cloudflare/products/workers.ts'
import { type CloudApp, openCloudApp } from '../releases/testing.ts'
import type { Client } from '../testing/app.ts'
import { findAttachments, loadAttachments } from './load.ts'
import { MEDIA_TYPES, type MediaType } from './media-type.ts'
import { ATTACHMENT_BYTES_MAX, sha256Of } from './stored-object.ts'
import { attach, fileOf, finalize, initUpload, putBytes, setClock } from './testing.ts'
import { uploadKeyOf } from './upload-token.ts'
import { leaves } from '../testing/effects.ts'

const PNG = 'image/png'

describe('attachments', () => {
  let cloud: CloudApp
  let person: Client
  let project: { id: string; slug: string }
  let path: string
  before(async () => {
    cloud = await openCloudApp()
    ;({ person, project, path } = await cloud.personWithProject())
  })
  after(() => cloud.close())
  beforeEach(() => setClock(cloud))

  const openUpload = async (file: Uint8Array, contentType: string = PNG) => {
    const { data, error } = await initUpload(person, path, file, contentType)
    assert.equal(error, undefined)
    return data
  }
  const finalizeOutcome = async (key: string) => {
    const { status, error } = await finalize(person, path, key)
    return [status, error?.code, error?.message]
  }
  /** Sets the steps that the stand-in for the model returns. `calls` of the result returns the requests that the stand-in received. */
  async function scriptModel(key: string, steps: object[]) {
    const callControl = async (method: string, at: string, body?: object): Promise<unknown> => {
      const answer = await fetch(`${cloud.world.restUrl}/model/_control/${at}`, {
        method,
        headers: {
          authorization: `Bearer ${cloud.world.controlToken}`,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      assert.equal(answer.status, 200)
      return await answer.json()
    }
    await callControl('PUT', `scripts/${key}`, { steps })
    return { calls: async () => (await callControl('GET', `calls/${key}`)) as object[] }
  }
  const projectRef = () => ({ id: project.id, org_id: person.organizationId })

  test('an attachment of each type is uploaded and downloaded byte for byte, and the browser may cache it but never run it', async () => {
    leaves({ activity: { 'bucket.create': 1, 'worker.address': 'some', 'worker.upload': 'some' } })
    for (const type of MEDIA_TYPES) {
      const file = fileOf(type, 5000)
      const key = await attach(person, path, file, type)
      assert.equal(key, `_prompt/${sha256Of(file)}`)
      const answer = await person.raw(`GET ${path}/attachments/${sha256Of(file)}`)
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), file)
      const names = ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control']
      assert.deepEqual(
        [answer.status, ...names.map((name) => answer.headers.get(name))],
        [200, type, 'nosniff', "sandbox; default-src 'none'", 'private, max-age=31536000, immutable'],
      )
    }
  })

  test('the hash, type and size of an attachment are validated before anything is created for its upload', async () => {
    const right = { sha256: 'a'.repeat(64), contentType: PNG, size: 1 }
    for (const [field, value] of [
      ['sha256', 'A'.repeat(64)],
      ['sha256', 'a'.repeat(63)],
      ['contentType', 'image/svg+xml'],
      ['contentType', 'text/html'],
      ['size', 0],
      ['size', 1.5],
      ['size', ATTACHMENT_BYTES_MAX + 1],
    ] as const) {
      const answer = await person.call(`POST ${path}/attachments/upload-init`, { ...right, [field]: value })
      assert.equal(answer.error?.code, 'invalid_request', `${field} ${value}`)
      assert.match(answer.error.message, new RegExp(`^${field}: `))
    }
  })

  test('an attachment of 8 MiB is accepted', async () => {
    await attach(person, path, fileOf('application/pdf', ATTACHMENT_BYTES_MAX), 'application/pdf')
  })

  test('finalizing an attachment of 8 MiB and one byte is refused and removes the file, even when its token allowed that size', async () => {
    leaves({ activity: { 'object.delete': 1 } })
    const file = fileOf(PNG, ATTACHMENT_BYTES_MAX + 1)
    const key = await uploadUnchecked(file)
    assert.deepEqual(await finalizeOutcome(key), [
      400,
      'invalid_request',
      `key: the file is larger than ${ATTACHMENT_BYTES_MAX} bytes`,
    ])
    assert.deepEqual(await finalizeOutcome(key), [
      400,
      'invalid_request',
      'key: nothing was uploaded under it',
    ])
  })

  /** Uploads bytes under their hash with a token that the service would not issue. */
  async function uploadUnchecked(file: Buffer<ArrayBuffer>, contentType: string = PNG): Promise<string> {
    const { uploadUrl } = await openUpload(fileOf(PNG))
    const sha256 = sha256Of(file)
    const key = `_prompt/${sha256}`
    const token = uploadKeyOf(cloud.app.platform, project).grant({
      use: 'put',
      key,
      exp: Math.floor(Date.now() / 1000) + 60,
      jti: sha256,
      contentType,
      sizeBytes: file.byteLength,
      sha256,
    })
    const to = { uploadUrl: uploadUrl.replace(/_prompt.*/, key), token }
    assert.equal((await putBytes(to, file, contentType)).status, 200)
    return key
  }

  test('an attachment whose content is not of its declared type (SVG as PNG, JPEG as PNG) is refused and removed', async () => {
    leaves({ activity: { 'object.delete': 2 } })
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const [file, said] of [
      [svg, 'key: the file is not image/png, nor anything that can be attached'],
      [fileOf('image/jpeg', 321), 'key: the file is image/jpeg, not image/png'],
    ] as const) {
      const ticket = await openUpload(file)
      assert.equal((await putBytes(ticket, file, PNG)).status, 200)
      assert.deepEqual(await finalizeOutcome(ticket.key), [400, 'invalid_request', said])
      assert.deepEqual(await finalizeOutcome(ticket.key), [
        400,
        'invalid_request',
        'key: nothing was uploaded under it',
      ])
      const found = await person.call(`GET ${path}/attachments/${sha256Of(file)}`)
      assert.equal(found.status, 404)
    }
  })

  test("finalizing an attachment twice succeeds, and finalizing it with a media type other than the file's is refused", async () => {
    const file = fileOf('image/gif', 100, 'again')
    const key = await attach(person, path, file, 'image/gif')
    assert.equal((await finalize(person, path, key)).status, 200)
    // Uploading the same file again does not change the attachment.
    await attach(person, path, file, 'image/gif')
    const wrong = await person.call(`POST ${path}/attachments/finalize`, { key, mediaType: PNG })
    assert.equal(wrong.error?.message, 'mediaType: the file is image/gif')
  })

  test('finalizing an attachment is refused when its key is invalid or nothing was uploaded under the key', async () => {
    for (const key of ['', 'x', 'logo.png', `_prompt/../${'a'.repeat(64)}`, `_prompt/${'A'.repeat(64)}`])
      assert.equal((await finalizeOutcome(key))[2], 'key: is not a key that an upload was opened for', key)
    assert.equal(
      (await finalizeOutcome(`_prompt/${'a'.repeat(64)}`))[2],
      'key: nothing was uploaded under it',
    )
  })

  describe('the upload token', () => {
    test('a second upload with an attachment token is refused, even after another token has uploaded the same file', async () => {
      const file = fileOf(PNG, 300, 'once')
      const ticket = await openUpload(file)
      assert.equal((await putBytes(ticket, file, PNG)).status, 200)
      assert.deepEqual(await putBytes(ticket, file, PNG), {
        status: 409,
        message: 'This token was already used.',
      })
      const another = await openUpload(file)
      assert.equal((await putBytes(another, file, PNG)).status, 200)
      assert.equal((await putBytes(ticket, file, PNG)).status, 409)
    })

    test('of ten simultaneous uploads with one attachment token, one succeeds', async () => {
      const file = fileOf(PNG, 300, 'race')
      const ticket = await openUpload(file)
      const all = await Promise.all(Array.from({ length: 10 }, () => putBytes(ticket, file, PNG)))
      const countStatus = (status: number) => all.filter((answer) => answer.status === status).length
      assert.deepEqual([countStatus(200), countStatus(409)], [1, 9])
    })

    test('an attachment token is bound to the announced hash, size and type, and remains usable after a refused upload', async () => {
      const file = fileOf(PNG, 300, 'exact')
      const ticket = await openUpload(file)
      const other = fileOf(PNG, 300, 'other')
      assert.equal((await putBytes(ticket, other, PNG)).message, 'body: does not have the announced SHA-256')
      assert.equal(
        (await putBytes(ticket, fileOf(PNG, 301), PNG)).message,
        'Content-Length: must be the announced 300',
      )
      assert.equal(
        (await putBytes(ticket, file, 'text/html')).message,
        'Content-Type: must be the announced image/png',
      )
      assert.equal((await finalizeOutcome(ticket.key))[2], 'key: nothing was uploaded under it')
      assert.equal((await putBytes(ticket, file, PNG)).status, 200, 'what was refused did not use it up')
    })

    test('an attachment token is valid only for its own object key; a write token cannot read, and a read token cannot write', async () => {
      const file = fileOf(PNG, 300, 'scope')
      const ticket = await openUpload(file)
      const elsewhere = { ...ticket, uploadUrl: ticket.uploadUrl.replace(/.{64}$/, 'b'.repeat(64)) }
      assert.equal((await putBytes(elsewhere, file, PNG)).status, 403)
      const read = await cloudFetch(ticket.uploadUrl, {
        headers: { authorization: `Bearer ${ticket.token}` },
      })
      assert.equal(read.status, 403)
      const exp = Math.floor(Date.now() / 1000) + 60
      const get = uploadKeyOf(cloud.app.platform, project).grant({ use: 'get', key: ticket.key, exp })
      assert.equal((await putBytes({ ...ticket, token: get }, file, PNG)).status, 403)
    })

    test('an attachment token that is expired, altered, missing or signed with the key of another project is refused', async () => {
      const file = fileOf(PNG, 300, 'forged')
      const ticket = await openUpload(file)
      const [payload = '', signature = ''] = ticket.token.split('.')
      const grant = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Parameters<
        ReturnType<typeof uploadKeyOf>['grant']
      >[0]
      const longer = Buffer.from(JSON.stringify({ ...grant, exp: grant.exp + 9999 })).toString('base64url')
      const expired = uploadKeyOf(cloud.app.platform, project).grant({
        ...grant,
        exp: Math.floor(Date.now() / 1000),
      })
      const foreign = uploadKeyOf(cloud.app.platform, { id: 'prj_another' }).grant(grant)
      for (const token of [
        `${longer}.${signature}`,
        `${payload}.`,
        payload,
        `${payload}.${signature}.${signature}`,
        `${payload}.${signature.slice(0, -4)}AAAA`,
        '.',
        'é.ü',
        expired,
        foreign,
        person.headers['cookie'] ?? '',
      ]) {
        const answer = await cloudFetch(ticket.uploadUrl, {
          method: 'PUT',
          headers: { authorization: `Bearer ${encodeURI(token)}`, 'content-type': PNG },
          body: file,
        })
        assert.equal(answer.status, 401, token)
        await answer.body?.cancel()
      }
      const bare = await cloudFetch(ticket.uploadUrl, { method: 'PUT', body: file })
      assert.equal(bare.status, 401)
      await bare.body?.cancel()
      assert.equal((await finalizeOutcome(ticket.key))[2], 'key: nothing was uploaded under it')
    })

    test('an attachment token expires after 15 minutes', async () => {
      const file = fileOf(PNG, 300, 'late')
      cloud.app.clock.advance(-15 * 60_000)
      const ticket = await openUpload(file)
      cloud.app.clock.advance(15 * 60_000)
      assert.equal(new Date(ticket.expiresAt).getTime() <= Date.now(), true)
      assert.equal((await putBytes(ticket, file, PNG)).status, 401)
    })

    test('the upload worker accepts cross-origin requests with an Authorization header from every origin and lets them read the response', async () => {
      const ticket = await openUpload(fileOf(PNG))
      const asked = await cloudFetch(ticket.uploadUrl, {
        method: 'OPTIONS',
        headers: { origin: 'https://console.example', 'access-control-request-method': 'PUT' },
      })
      assert.deepEqual(
        [asked.status, asked.headers.get('access-control-allow-origin')],
        [204, '*'],
        'the preflight passes',
      )
      assert.match(asked.headers.get('access-control-allow-headers') ?? '', /authorization/)
      const refused = await cloudFetch(ticket.uploadUrl, { headers: { origin: 'https://console.example' } })
      assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, '*'])
      await refused.body?.cancel()
    })
  })

  describe('attachments in a prompt', () => {
    test('each attachment of a prompt is loaded once with its bytes, in the given order', async () => {
      const files = (['image/png', 'application/pdf'] as const).map((type) => fileOf(type, 777, 'prompt'))
      const types: MediaType[] = ['image/png', 'application/pdf']
      const keys: string[] = []
      for (const [index, file] of files.entries())
        keys.push(await attach(person, path, file, types[index] ?? PNG))
      const order = [keys[1] ?? '', keys[0] ?? '', keys[1] ?? '']
      const loaded = await loadAttachments(cloud.app.platform, projectRef(), order)
      assert.deepEqual(
        loaded.map(({ key, mediaType, bytes }) => [key, mediaType, sha256Of(bytes)]),
        [
          [keys[1], 'application/pdf', keys[1]?.slice('_prompt/'.length)],
          [keys[0], 'image/png', keys[0]?.slice('_prompt/'.length)],
        ],
      )
    })

    test("the model that writes the title of a new ticket receives the ticket's attachments", async () => {
      leaves({ events: { 'ticket.created': 1 }, activity: { 'model.created': 1 } })
      const file = fileOf(PNG, 300, 'a drawing')
      const key = await attach(person, path, file, PNG)
      const model = await scriptModel('naming', [{ text: '{}' }])
      const { data } = await person.call<{ id: string }>('POST /connections/models', {
        provider: 'openai-compatible',
        label: 'Naming',
        baseUrl: cloud.app.config.modelBaseUrl,
        key: 'naming',
        defaultModel: 'scripted',
        modalities: ['images'],
      })
      const chosen = { connectionId: data.id, model: 'scripted' }
      assert.equal((await person.call(`PUT ${path}/model`, chosen)).status, 200)
      const asked = { text: 'It should look like this', attachments: [key] }
      assert.equal((await person.call(`POST ${path}/tickets/capture`, asked)).status, 200)
      const [call] = await model.calls()
      assert.ok(JSON.stringify(call).includes(file.toString('base64')), 'the picture is in the request')
    })

    test('attachments that are unknown, of another project, too many or too large are refused with an error about the field attachments', async () => {
      leaves({ events: { 'project.created': 1 } })
      const key = await attach(person, path, fileOf(PNG, 200, 'mine'), PNG)
      const { db } = cloud.app.platform
      const elsewhere = await person.call<{ id: string }>('POST /projects', { name: 'Another' })
      const other = { id: elsewhere.data.id, org_id: person.organizationId }
      await assert.rejects(findAttachments(db, other, [key]), /^ApiError: attachments: there is no/)
      await assert.rejects(
        findAttachments(db, { ...projectRef(), org_id: 'someone-else' }, [key]),
        /there is no attachment/,
      )
      await assert.rejects(
        findAttachments(db, projectRef(), ['logo.png']),
        /there is no attachment "logo.png"/,
      )
      const many = Array.from({ length: 21 }, (_, n) => `_prompt/${String(n).padStart(64, '0')}`)
      await assert.rejects(findAttachments(db, projectRef(), many), /attachments: must be at most 20/)
      await db
        .insertInto('attachments')
        .values(
          many.slice(0, 5).map((one) => ({
            org_id: person.organizationId,
            project_id: project.id,
            sha256: one.slice('_prompt/'.length),
            media_type: PNG as MediaType,
            size_bytes: ATTACHMENT_BYTES_MAX,
            account_id: 'x',
            created_at: cloud.app.clock.now(),
          })),
        )
        .execute()
      assert.equal((await findAttachments(db, projectRef(), many.slice(0, 4))).length, 4)
      await assert.rejects(
        findAttachments(db, projectRef(), many.slice(0, 5)),
        /must be at most 33554432 bytes together/,
      )
      await assert.rejects(
        loadAttachments(cloud.app.platform, projectRef(), [many[0] ?? '']),
        /kept in the cloud account x, which is not connected/,
      )
    })
  })

  test('reading an attachment whose bucket was deleted returns 502 and says that the file is no longer in the cloud account', async () => {
    leaves({
      activity: {
        'bucket.create': 1,
        'bucket.delete': 1,
        'bucket.empty': 1,
        'resource.removed': 1,
        'worker.address': 1,
        'worker.upload': 1,
      },
      jobs: { deploy: 1 },
    })
    const { person: owner, path: at } = await cloud.personWithProject()
    const file = fileOf(PNG, 200, 'gone')
    await attach(owner, at, file, PNG)
    const { data } = await owner.call<{ managed: { id: string; kind: string }[] }>(`GET ${at}/deployments`)
    const bucket = data.managed.find(({ kind }) => kind === 'bucket')
    assert.equal((await owner.call(`DELETE ${at}/resources/${bucket?.id ?? ''}`)).status, 200)
    const read = await owner.call(`GET ${at}/attachments/${sha256Of(file)}`)
    assert.deepEqual([read.status, read.error?.code], [502, 'upstream_error'])
    assert.match(read.error?.message ?? '', /no longer in the cloud account/)
  })

  test('an upload cannot be finalized while the cloud account refuses calls, and an attachment cannot be read without a connected account', async () => {
    leaves({
      activity: {
        'bucket.create': 1,
        'worker.address': 'some',
        'worker.delete': 1,
        'worker.upload': 'some',
      },
    })
    const { person: owner, project: own, path: at } = await cloud.personWithProject()
    const file = fileOf(PNG, 200, 'waiting')
    const { data } = await initUpload(owner, at, file, PNG)
    await putBytes(data, file, PNG)
    const account = await cloud.accountOf(owner.organizationId)
    await deleteWorker(account, `${own.slug}-assets`)
    const restore = await cloud.failCalls(account.accountId, { status: 400 })
    const failed = await finalize(owner, at, data.key)
    assert.deepEqual([failed.status, failed.error?.code], [502, 'upstream_error'])
    await restore()
    assert.equal((await finalize(owner, at, data.key)).status, 200)
    await cloud.app.platform.db.deleteFrom('connections').where('org_id', '=', owner.organizationId).execute()
    const read = await owner.call(`GET ${at}/attachments/${sha256Of(file)}`)
    assert.deepEqual([read.status, read.error?.code], [409, 'conflict'])
    assert.match(read.error?.message ?? '', /which is not connected/)
  })

  test("attachments in another organization's project return 404", async () => {
    leaves({ events: { 'project.created': 1 } })
    const file = fileOf(PNG, 200, 'private')
    const key = await attach(person, path, file, PNG)
    const stranger = await cloud.app.signUp()
    const answers = [
      await initUpload(stranger, path, file, PNG),
      await finalize(stranger, path, key),
      await stranger.call(`GET ${path}/attachments/${sha256Of(file)}`),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404],
    )
    const own = await stranger.call<{ id: string }>('POST /projects', { name: 'Own' })
    const looked = await stranger.call(`GET /projects/${own.data.id}/attachments/${sha256Of(file)}`)
    assert.equal(looked.status, 404)
  })
})
