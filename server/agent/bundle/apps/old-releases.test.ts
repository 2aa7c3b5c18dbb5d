import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openRoom, openSocket } from '../../testing/bundle-socket.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { RELEASE_KEYS, releaseManifest, releaseTree } from '../../testing/release-app.ts'
import { until } from '../../../releases/testing.ts'
import { readManifest } from '../../source/manifest.ts'
import { compileApp } from '../../source/typegen.ts'

/**
 * App workers as earlier versions of Slipway bundled them. A rollback deploys such a worker again, so each must work with the current
 * live worker, which contains the records. A version that changes the calls to the live worker adds a file; no file is ever changed or
 * removed.
 */
const FOLDER = join(import.meta.dirname, '../../testing/releases')
const RELEASES = readdirSync(FOLDER).filter((name) => name.endsWith('.worker.txt'))
/** The first release with accounts. */
const PEOPLE_SINCE = '2026-11-23'

/** The first release with teams, meters, jobs, timers and hooks. */
const ALL_SINCE = '2026-11-25'

/** The first release with live rooms. */
const ROOMS_SINCE = '2026-11-26'

/** The source from which the releases were bundled, with a field that only the current release has. */
const TREE = releaseTree({ mood: { type: 'text' } })
const HOOK_SECRET = 'code secret'

interface Note {
  id: string
  text: string
  rev: number
  mood?: string
}

for (const name of RELEASES)
  describe(`an app of release ${name.slice(0, 10)} with the current live worker`, () => {
    const worker = readFileSync(join(FOLDER, name), 'utf8')
    let app: RunningApp
    before(async () => {
      app = await startApp(TREE, {
        enabled: RELEASE_KEYS,
        worker,
        variables: { HOOK_ENDPOINTS: JSON.stringify({ code: {} }), HOOK_CODE_SECRET: HOOK_SECRET },
      })
    })
    after(() => app.stop())

    const send = async <T>(method: string, path: string, body?: unknown, headers = {}): Promise<T> => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const init = { method, headers, ...(body === undefined ? {} : { body: text }) }
      const answer = await app.fetch(path, init)
      assert.equal(answer.status, 200, `${method} ${path}: ${await answer.clone().text()}`)
      return (await answer.json()) as T
    }
    const texts = async () =>
      (await send<{ items: Note[] }>('GET', '/api/notes')).items.map(({ text }) => text).sort()

    const textsOf = async (text: string) => (await texts()).filter((one) => one === text)

    test('an app built by an older platform version creates, changes, lists and removes a record', async () => {
      const note = await send<Note>('POST', '/api/notes', { text: 'first', count: 1 })
      const changed = await send<Note>('PATCH', `/api/notes/${note.id}`, { text: 'second' })
      assert.deepEqual([changed.text, changed.rev], ['second', 2])
      assert.deepEqual(await texts(), ['second'])
      await send('DELETE', `/api/notes/${note.id}`)
      assert.deepEqual(await texts(), [])
    })

    test('in an app built by an older platform version, new records appear in searches and on open pages at once', async () => {
      const socket = await openSocket(app, { collections: ['notes'] })
      try {
        await socket.next('hello')
        const { id } = await send<Note>('POST', '/api/notes', { text: 'a fern in the hall' })
        const { ops } = (await socket.next('ops')) as unknown as { ops: { id: string }[] }
        assert.deepEqual(
          ops.map((op) => op.id),
          [id],
        )
        for (let tries = 0; (await send<Note[]>('GET', '/api/search?q=fern')).length === 0; tries++) {
          assert.ok(tries < 100, 'never found')
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        await send('DELETE', `/api/notes/${id}`)
      } finally {
        socket.close()
      }
    })

    test('an app built by an older platform version stores and lists a file', async () => {
      const file = await send<{ id: string }>('POST', '/api/files', 'some words')
      const { items } = await send<{ items: { id: string; size: number }[] }>('GET', '/api/files')
      assert.deepEqual(
        items.map(({ id, size }) => [id, size]),
        [[file.id, 10]],
      )
    })

    const person = async (name: string) => {
      const account = { email: `${name}@example.test`, password: 'likes apples a lot', name }
      const answer = await app.fetch('/_app/auth/sign-up', { method: 'POST', body: JSON.stringify(account) })
      assert.equal(answer.status, 200)
      return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
    }

    const signUp = async () => {
      const account = { email: 'ada@example.test', password: 'likes apples a lot', name: 'Ada' }
      await send('POST', '/_app/auth/sign-up', account)
      const answer = await app.fetch('/_app/auth/sign-in', { method: 'POST', body: JSON.stringify(account) })
      const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      const who = await send<{ name: string }>('GET', '/api/who', undefined, { cookie })
      assert.equal(who.name, 'Ada')
      const op = { op: 'create', collection: 'diary', fields: { text: 'dear diary' } }
      const write = { mutationId: 'mutation-1', ops: [op], partition: 'own' }
      await send('POST', '/_app/data/mutate', write, { cookie })
      const { items } = await send<{ items: Note[] }>('GET', '/api/diary', undefined, { cookie })
      assert.deepEqual(
        items.map(({ text }) => text),
        ['dear diary'],
      )
    }
    if (name >= PEOPLE_SINCE)
      test(
        'in an app built by an older platform version people sign up, sign in and have private records',
        signUp,
      )

    const shareTeam = async () => {
      const [bea, cem] = [await person('bea'), await person('cem')]
      const { id } = await send<{ id: string }>('POST', '/api/teams', {}, bea)
      const invite = await send<{ data: { url: string } }>('POST', `/_app/team/${id}/invites`, {}, bea)
      const token = new URL(invite.data.url).searchParams.get('invite')
      await send('POST', '/_app/team/invites/accept', { token }, cem)
      const teams = await send<{ id: string; members: number }[]>('GET', '/api/teams', undefined, cem)
      assert.deepEqual(
        teams.map((team) => [team.id, team.members]),
        [[id, 2]],
      )
      const op = { op: 'create', collection: 'tasks', fields: { text: 'paint' } }
      await send('POST', '/_app/data/mutate', { mutationId: 'mutation-2', ops: [op], partition: id }, cem)
      const { items } = await send<{ items: Note[] }>('GET', `/api/teams/${id}/tasks`)
      assert.deepEqual(
        items.map(({ text }) => text),
        ['paint'],
      )
      const spend = async () => (await app.fetch(`/api/teams/${id}/export`, { method: 'POST' })).status
      assert.deepEqual([await spend(), await spend(), await spend(), await spend()], [200, 200, 200, 429])
      assert.equal((await send<{ remaining: number }>('GET', `/api/teams/${id}/export`)).remaining, 0)
    }

    const sendLetters = async () => {
      const sent = () => send<{ id: string }>('POST', '/api/letters', { text: 'by a job' })
      const [{ id }, again] = [await sent(), await sent()]
      assert.equal(again.id, id)
      const jobs = await app.taken('jobs')
      assert.equal(jobs.length, 1)
      const body: unknown = JSON.parse(jobs[0] ?? '')
      await app.deliver([{ id: 'm1', timestamp: new Date(), attempts: 1, body }])
      assert.deepEqual(await textsOf('by a job'), ['by a job'])
    }

    const remind = async () => {
      const dot = await person('dot')
      await send('POST', '/api/remind', { text: 'by a timer' }, dot)
      await until(async () => (await textsOf('by a timer')).length === 1)
      const at = '2027-01-01T00:00:00.000Z'
      const timer = { at, name: 'note', data: { text: 'never' } }
      const { data } = await send<{ data: { id: string } }>('POST', '/_app/schedule/timers', timer, dot)
      const left = () => send<{ data: { id: string }[] }>('GET', '/_app/schedule/timers', undefined, dot)
      assert.deepEqual(
        (await left()).data.map(({ id }) => id),
        [data.id],
      )
      await send('DELETE', `/_app/schedule/timers/${data.id}`, undefined, dot)
      assert.deepEqual((await left()).data, [])
      // Activate the manifest as the service does when it deploys a release.
      const read = readManifest(JSON.stringify(releaseManifest()))
      assert.ok(read.ok)
      const { hash, manifest } = compileApp(read.manifest)
      await app.operate('activate', 'production', hash, manifest)
      const [job] = await app.operate<{ name: string }[]>('scheduledJobs', 'production')
      assert.equal(job?.name, 'tick')
    }

    const receive = async () => {
      const body = JSON.stringify({ zen: 'Keep it simple.' })
      const signature = createHmac('sha256', HOOK_SECRET).update(body).digest('hex')
      const deliver = async () => {
        const answer = await app.fetch('/_app/hook/code', {
          method: 'POST',
          headers: {
            'x-hub-signature-256': `sha256=${signature}`,
            'x-github-delivery': 'delivery-1',
            'content-type': 'application/json',
          },
          body,
        })
        assert.equal(answer.status, 202, await answer.clone().text())
        return ((await answer.json()) as { data: { id: string } }).data.id
      }
      const id = await deliver()
      assert.equal(await deliver(), id)
      await until(async () => (await textsOf('pushed delivery-1')).length === 1)
      await send('POST', `/api/replay/${id}`)
      await until(async () => (await textsOf('pushed delivery-1')).length === 2)
    }

    if (name >= ALL_SINCE) {
      test(
        'in an app built by an older platform version the members of a team share its records and its usage limit',
        shareTeam,
      )
      test(
        'an app built by an older platform version enqueues a job once per idempotency key, and the job runs',
        sendLetters,
      )
      test(
        'in an app built by an older platform version timers run, are listed and can be cancelled, and schedules are registered',
        remind,
      )
      test(
        'an app built by an older platform version stores a signed webhook message as one record and can handle it again',
        receive,
      )
    }

    const enterRoom = async () => {
      const { cookie } = await person('fay')
      const room = await openRoom(app, 'desk/1', { cookie })
      await room.next('room')
      const peers = await send<{ userId: string }[]>('POST', '/api/rooms/1', { text: 'hello' })
      assert.equal(peers.length, 1)
      const { items } = (await room.next('messages')) as unknown as { items: { data: object }[] }
      assert.deepEqual(items[0]?.data, { text: 'hello' })
      room.close()
    }
    if (name >= ROOMS_SINCE)
      test(
        'in an app built by an older platform version a person in a room receives messages of server code',
        enterRoom,
      )

    test('after a rollback to an older platform version, records of the newer release keep fields unknown to the older release', async () => {
      await app.ship(TREE)
      const { id } = await send<Note>('POST', '/api/notes', { text: 'newer', mood: 'calm' })
      await app.ship(TREE, worker)
      assert.ok((await texts()).includes('newer'))
      await send('PATCH', `/api/notes/${id}`, { text: 'newer, changed' })
      await app.ship(TREE)
      const { items } = await send<{ items: Note[] }>('GET', '/api/notes')
      const kept = items.find((note) => note.id === id)
      assert.deepEqual([kept?.text, kept?.mood], ['newer, changed', 'calm'])
    })
  })
