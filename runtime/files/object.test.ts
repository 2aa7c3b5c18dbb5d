import assert from 'node:assert/strict'
import { after, beforeEach, describe, mock, test } from 'node:test'
import { Hold } from '../kernel/objects/hold.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { Files } from './object.ts'
import type { FileRef, FilesCalls, TicketOptions } from './types.ts'
import { DAY_MS } from '../kernel/durations.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const FILE = { name: 'a.png', type: 'image/png', size: 100 }

describe('the files of an app', () => {
  let storage: ReturnType<typeof memoryStorage>
  let hold: Hold
  let files: Files
  beforeEach(() => {
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date'], now: NOW })
    storage = memoryStorage()
    hold = new Hold(storage)
    files = new Files(storage, { FILES_MAX_BYTES: '1000', FILES_PER_USER_BYTES: '250' }, hold)
  })

  // Other test files run in the same process and need real timers.
  after(() => mock.timers.reset())

  const ask = async <Kind extends keyof FilesCalls>(kind: Kind, given: FilesCalls[Kind]['ask']) => {
    const answer = await files.answer(kind, given)
    if (answer.ok) return answer.value
    throw Object.assign(new Error(answer.error.message), answer.error)
  }
  const open = (more: Partial<FilesCalls['open']['ask']> = {}) =>
    ask('open', { file: FILE, owner: 'u_ada', ...more })
  const ticket = (options: TicketOptions = {}) => ask('ticket', options)
  const upload = async (more: Partial<FilesCalls['open']['ask']> = {}): Promise<FileRef> => {
    const { file } = await open(more)
    return await ask('finish', { id: file.id })
  }
  const wrong = (field: string) => ({ code: 'invalid_request', field })

  test('an upload ticket allows one upload until it expires, even when two uploads arrive at the same moment', async () => {
    const once = await ticket({ ttlSeconds: 60 })
    const both = await Promise.allSettled([open({ ticket: once }), open({ ticket: once })])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    await assert.rejects(open({ ticket: once }), { code: 'conflict' })
    const late = await ticket({ ttlSeconds: 60 })
    mock.timers.tick(59_999)
    const unused = await ticket({ ttlSeconds: 1 })
    await open({ ticket: late })
    mock.timers.tick(1000)
    await assert.rejects(open({ ticket: unused }), { code: 'forbidden' })
  })

  test('an upload that is refused, because it is too large or its owner has no room left, does not use up its ticket', async () => {
    const { file } = await open({ file: { ...FILE, size: 200 } })
    const once = await ticket({ owner: 'u_ada' })
    const wished = (size: number) => open({ ticket: once, file: { ...FILE, size } })
    await assert.rejects(wished(1001), wrong('size'))
    await assert.rejects(wished(51), wrong('size'))
    const [first, second] = await Promise.allSettled([wished(30), wished(20)])
    assert.deepEqual([first.status, second.status], ['fulfilled', 'rejected'])
    await assert.rejects(wished(20), { code: 'conflict' })
    await ask('remove', { id: file.id })
    // The two refused attempts reserve no bytes: 30 of 250 bytes are used.
    await open({ file: { ...FILE, size: 220 } })
    await assert.rejects(open({ file: { ...FILE, size: 1 } }), wrong('size'))
  })

  test('an altered upload ticket, a ticket of another app, and an upload token in place of a ticket are rejected', async () => {
    const good = await ticket()
    const [text = '', signature = ''] = good.split('.')
    const raised = btoa(atob(text).replace('"maxBytes":null', '"maxBytes":9')).replaceAll('=', '')
    const other = new Files(memoryStorage(), {}, hold)
    const foreign = await other.answer('ticket', {})
    assert.ok(foreign.ok)
    const { token, file } = await open()
    for (const bad of [
      '',
      '.',
      text,
      `${raised}.${signature}`,
      `${text}.${signature.slice(1)}x`,
      foreign.value,
      `${file.id}.${token}`,
    ])
      await assert.rejects(open({ ticket: bad }), { code: 'forbidden' }, bad)
  })

  test("an upload ticket limits the file's type and size, and never raises the limits of the operator", async () => {
    const small = await ticket({ maxBytes: 50, types: ['image/*'] })
    await assert.rejects(open({ ticket: small }), wrong('size'))
    await assert.rejects(
      open({ ticket: small, file: { ...FILE, size: 10, type: 'text/plain' } }),
      wrong('type'),
    )
    // A rejected upload does not use up the ticket.
    assert.equal((await open({ ticket: small, file: { ...FILE, size: 50 } })).file.size, 50)
    const large = await ticket({ maxBytes: 1_000_000 })
    await assert.rejects(open({ ticket: large, file: { ...FILE, size: 1001 } }), /at most 1000 bytes/)
  })

  test('an upload counts toward the storage of the person whose ticket it uses, not of the person who uploads', async () => {
    const given = await ticket({ owner: 'u_bob' })
    assert.equal((await open({ ticket: given, owner: 'u_ada' })).file.ownerId, 'u_bob')
  })

  test('an upload ticket with an invalid option is rejected with an error that names the option', async () => {
    for (const owner of ['app', '', 'a b', 'x'.repeat(65), '../u_ada'])
      await assert.rejects(ticket({ owner }), wrong('owner'), owner)
    for (const ttlSeconds of [0, -1, 1.5, 86_401, Number.NaN])
      await assert.rejects(ticket({ ttlSeconds }), wrong('ttlSeconds'), String(ttlSeconds))
    for (const types of [['image'], ['image/*', '*'], ['text/html; charset=utf-8'], 'image/png', 7, {}])
      await assert.rejects(ticket({ types: types as string[] }), wrong('types'), String(types))
  })

  test('an upload with an invalid name, type or size is rejected with an error that names the field, and stores nothing', async () => {
    const bad: [string, object][] = [
      ...['', 'a/b', 'a\\b', 'a\nb', 'é'.repeat(101), '\ud800', 7].map(
        (name) => ['name', { name }] as [string, object],
      ),
      ...['png', 'IMAGE/png', 'image/', 'image/png; x=1', `image/${'x'.repeat(81)}`].map(
        (type) => ['type', { type }] as [string, object],
      ),
      ...[0, -1, 1.5, Number.NaN, Infinity, '100', 1001].map(
        (size) => ['size', { size }] as [string, object],
      ),
    ]
    for (const [field, more] of bad)
      await assert.rejects(open({ file: { ...FILE, ...more } }), wrong(field), JSON.stringify(more))
    assert.deepEqual(storage.sql.exec('select * from files').toArray(), [])
    assert.equal((await open({ file: { ...FILE, name: 'é'.repeat(100) } })).file.name.length, 100)
  })

  test('all uploads of a person count toward one storage limit, and deleting a file frees its size', async () => {
    const first = await upload()
    await upload()
    await assert.rejects(open(), wrong('size'))
    await open({ owner: 'u_bob' })
    assert.equal(await ask('remove', { id: first.id }), first.key)
    assert.equal(await ask('remove', { id: first.id }), null)
    await open()
  })

  test('an unfinished upload begun more than a day ago stops counting at the next upload, and can no longer be finished', async () => {
    const { file } = await open({ file: { ...FILE, size: 250 } })
    mock.timers.tick(DAY_MS)
    await assert.rejects(open(), wrong('size'))
    mock.timers.tick(1)
    const { dead } = await open()
    assert.deepEqual(
      dead.map(({ id }) => id),
      [file.id],
    )
    await assert.rejects(ask('finish', { id: file.id }), { code: 'not_found' })
  })

  test('an upload can be continued only with its own token, and only until it is finished', async () => {
    const [one, other] = [await open(), await open()]
    for (const token of ['', other.token, `${one.token}x`])
      await assert.rejects(ask('going', { id: one.file.id, token }), { code: 'not_found' }, token)
    assert.equal((await ask('going', { id: one.file.id, token: one.token })).file.id, one.file.id)
    await ask('finish', { id: one.file.id })
    await assert.rejects(ask('going', { id: one.file.id, token: one.token }), { code: 'not_found' })
  })

  test('two requests that start a multipart upload at once get the same upload id, and its parts are listed by number', async () => {
    const { file } = await open()
    assert.equal(await ask('multipart', { id: file.id, multipart: 'first' }), 'first')
    assert.equal(await ask('multipart', { id: file.id, multipart: 'second' }), 'first')
    for (const [number, etag] of [
      [2, 'b'],
      [10, 'c'],
      [1, 'old'],
      [1, 'a'],
    ] as const)
      await ask('part', { id: file.id, number, etag })
    assert.deepEqual(
      (await ask('parts', { id: file.id })).map(({ etag }) => etag),
      ['a', 'b', 'c'],
    )
    await ask('finish', { id: file.id })
    assert.deepEqual(await ask('parts', { id: file.id }), [])
    await assert.rejects(ask('multipart', { id: file.id, multipart: 'third' }), { code: 'not_found' })
  })

  test('a signed link is valid for its own file until it expires, and is rejected when it was changed or is used for another file', async () => {
    const { id } = await upload()
    const other = await upload()
    const link = await ask('sign', { id, ttlSeconds: 60, isDownload: false })
    assert.equal((await ask('verify', { id, query: link }))?.file.id, id)
    for (const query of [
      `${link}&download=1`,
      link.replace(/exp=\d+/, 'exp=9999999999'),
      link.replace(/&sig=.*/, ''),
      '',
    ])
      assert.equal(await ask('verify', { id, query }), null, query)
    assert.equal(await ask('verify', { id: other.id, query: link }), null)
    mock.timers.tick(60_000)
    assert.equal(await ask('verify', { id, query: link }), null)
    for (const ttlSeconds of [0, 86_401, 0.5])
      await assert.rejects(ask('sign', { id, ttlSeconds, isDownload: false }), wrong('ttlSeconds'))
  })

  test('a signed link to a file is no longer valid after the file was deleted', async () => {
    const { id } = await upload()
    const link = await ask('sign', { id, ttlSeconds: 60, isDownload: true })
    assert.equal((await ask('verify', { id, query: link }))?.isDownload, true)
    await ask('remove', { id })
    assert.equal(await ask('verify', { id, query: link }), null)
  })

  test('paging through files created at the same moment returns each file once, and malformed cursors are rejected', async () => {
    const made = new Set<string>()
    for (let n = 0; n < 7; n++) made.add((await upload({ owner: null })).id)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await ask('list', { owner: null, limit: 3, ...(cursor !== undefined && { cursor }) })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    assert.deepEqual([seen.length, new Set(seen)], [7, made])
    for (const bad of ['', 'x', '1:2', `${NOW}:${'x'.repeat(27)}`, `-1:${'a'.repeat(26)}`])
      await assert.rejects(ask('list', { owner: null, cursor: bad }), wrong('cursor'), bad)
    for (const limit of [0, 201, 1.5])
      await assert.rejects(ask('list', { owner: null, limit }), wrong('limit'))
    for (const owner of ['app', 7, {}, ['u_ada']])
      await assert.rejects(ask('list', { owner: owner as string }), wrong('owner'))
  })

  test('a file whose id is not a text counts as missing', async () => {
    const { id } = await upload()
    for (const wrongId of [undefined, null, 7, { id }, [id]] as unknown as string[])
      assert.deepEqual(
        [await ask('find', { id: wrongId }), await ask('remove', { id: wrongId })],
        [null, null],
      )
    assert.equal((await ask('find', { id }))?.id, id)
  })

  test('while an app is copied to another cloud account, no upload begins, continues or ends, and files can be read', async () => {
    const done = await upload()
    const { file, token } = await open()
    hold.set(true)
    const changes = [
      ['open', { file: FILE, owner: 'u_ada' }],
      ['multipart', { id: file.id, multipart: 'm' }],
      ['part', { id: file.id, number: 1, etag: 'e' }],
      ['finish', { id: file.id }],
      ['remove', { id: done.id }],
    ] as const
    for (const [kind, given] of changes) {
      const answer = await files.answer(kind, given)
      assert.equal(answer.ok ? 'ok' : answer.error.code, 'unavailable', kind)
    }
    assert.equal((await ask('find', { id: done.id }))?.id, done.id)
    assert.equal((await ask('going', { id: file.id, token })).file.id, file.id)
  })

  test("files that are copied to another cloud account count once toward their owner's storage, even when the copy is repeated", async () => {
    const moved = await upload()
    const empty = memoryStorage()
    const target = new Files(empty, { FILES_PER_USER_BYTES: '250' }, hold)
    for (let times = 0; times < 3; times++) target.take([moved])
    assert.deepEqual(await target.answer('find', { id: moved.id }), { ok: true, value: moved })
    assert.deepEqual(
      empty.sql
        .exec<{ bytes: number }>('select bytes from file_owners')
        .toArray()
        .map((row) => row.bytes),
      [100],
    )
    // Repeating the copy with an older list does not restore a file that was deleted in the meantime.
    await target.answer('remove', { id: moved.id })
    target.take([moved])
    assert.deepEqual(await target.answer('find', { id: moved.id }), { ok: true, value: null })
  })

  test('erasing a person ends their uploads, lists their files still in the bucket, and leaves no row with their id', async () => {
    const done = await upload()
    const { file } = await open()
    await upload({ owner: 'u_bob' })
    await ask('remove', { id: done.id })
    const dead = await ask('abandon', { owner: 'u_ada' })
    assert.deepEqual(dead.map(({ id }) => id).toSorted(), [done.id, file.id].toSorted())
    await ask('gone', { ids: dead.map(({ id }) => id) })
    for (const table of ['files', 'file_owners', 'file_parts'])
      assert.ok(
        !JSON.stringify(storage.sql.exec(`select * from ${table}`).toArray()).includes('u_ada'),
        table,
      )
    await assert.rejects(ask('abandon', { owner: 'app' }), wrong('owner'))
  })
})
