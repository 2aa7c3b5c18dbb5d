import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerFrame } from '@slipway/runtime/data/frames.ts'
import { WebSocket } from 'undici'
import { times } from '../../../test/support/soak.ts'
import { appSaying, type CloudApp, openCloudApp, until, wordAt } from '../../releases/testing.ts'
import { AppCrowd, type AppPerson } from '../../testing/apps/app-crowd.ts'
import type { Client } from '../../testing/app.ts'
import { leaves } from '../../testing/effects.ts'

const PEOPLE = times(60, 500)
const SOCKETS = 50
const ASKING_AT_ONCE = 6
const PAUSE_MS = 25

const USED = ['auth', 'data', 'team']
const MANIFEST = {
  slipway: 1,
  name: 'Crews',
  uses: USED,
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    tasks: { partition: 'team', read: 'team', write: 'team', fields: { title: { type: 'text' } } },
    diary: { partition: 'user', read: 'owner', write: 'owner', fields: { title: { type: 'text' } } },
  },
}
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
const crewsSaying = (word: string) =>
  new Map([...appSaying(word), ['app.json', JSON.stringify(MANIFEST)], ['web/pages/Home.tsx', HOME]])

/** An open page of a member. When the socket closes, the page reconnects and continues after the last change received. */
class OpenPage {
  readonly #url: URL
  readonly #member: AppPerson
  #socket: WebSocket | null = null
  #seq: number | null = null
  #isClosed = false
  readonly seen: string[] = []
  readonly wrong: string[] = []
  opened = 0

  constructor(appUrl: string, member: AppPerson, partition: string) {
    this.#url = new URL('/_app/data/socket', appUrl)
    this.#url.protocol = 'ws:'
    this.#url.searchParams.set('data', 'tasks')
    this.#url.searchParams.set('partition', partition)
    this.#member = member
    this.#connect()
  }

  close(): void {
    this.#isClosed = true
    this.#socket?.close()
  }

  #connect(): void {
    if (this.#isClosed) return
    if (this.#seq !== null) this.#url.searchParams.set('after', String(this.#seq))
    const { cookie, agent } = this.#member
    const socket = new WebSocket(this.#url, { headers: { cookie }, dispatcher: agent })
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as ServerFrame))
    socket.addEventListener('close', () => setTimeout(() => this.#connect(), 50 + Math.random() * 100))
  }

  #receive(frame: ServerFrame): void {
    if (frame.type === 'hello') {
      this.opened++
      this.#seq ??= frame.seq
    } else if (frame.type === 'ops')
      for (const { seq, id } of frame.ops) {
        if (this.#seq === null || seq !== this.#seq + 1) this.wrong.push(`${seq} after ${this.#seq}`)
        this.#seq = seq
        this.seen.push(id)
      }
    else this.wrong.push(frame.type)
  }
}

/**
 * Sends requests of members and of other people, one after the other without a pause. Every fourth request of a
 * member is a write.
 */
class Load {
  readonly failed: string[] = []
  readonly written: string[] = []
  asked = 0
  #isOver = false
  readonly #work: Promise<void>[]

  constructor(everyone: AppPerson[], members: number, team: string) {
    let turn = 0
    this.#work = Array.from({ length: ASKING_AT_ONCE }, async () => {
      while (!this.#isOver) {
        const n = turn++
        const member = everyone[n % members] as AppPerson
        const person = everyone[n % everyone.length] as AppPerson
        const ask = [
          () => this.#write(member, 'tasks', team),
          () => this.#ask(member, 'GET', `/_app/data/tasks?partition=${team}&limit=5`),
          () => this.#ask(person, 'GET', '/_app/auth/me'),
          () => this.#ask(person, 'GET', '/'),
          () => this.#write(person, 'diary', 'own'),
        ][n % 5]
        await ask?.()
        await sleep(PAUSE_MS)
      }
    })
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#work)
  }

  async #write(who: AppPerson, collection: string, partition: string): Promise<void> {
    const ops = [{ op: 'create', collection, fields: { title: 'Paint' } }]
    const body = { mutationId: crypto.randomUUID(), partition, ops }
    const data = await this.#ask<{ records: { id: string }[] }>(who, 'POST', '/_app/data/mutate', body)
    if (collection === 'tasks') this.written.push(...(data?.records ?? []).map(({ id }) => id))
  }

  async #ask<T>(who: AppPerson, method: string, path: string, body?: object): Promise<T | null> {
    this.asked++
    const { status, data } = await who
      .call<T>(method, path, body)
      .catch((error: unknown) => ({ status: String(error), data: null }))
    if (status !== 200) this.failed.push(`${method} ${path}: ${status}`)
    return data
  }
}

describe(`${PEOPLE} people and ${SOCKETS} open pages of one team`, () => {
  let cloud: CloudApp
  let operator: Client
  let crowd: AppCrowd
  let at: string
  let projectId: string
  let appUrl: string
  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Crews')
    operator = made.person
    at = made.path
    projectId = made.project.id
    for (const key of USED) await operator.call(`PUT ${at}/capabilities/${key}`, { enabled: true })
    const methods = { password: true, emailCode: true }
    await operator.call(`PUT ${at}/capabilities/auth`, { enabled: true, settings: { methods } })
    appUrl = await ship('one')
    crowd = new AppCrowd(operator, { appUrl, projectPath: at })
  })
  after(async () => {
    await crowd?.close()
    await cloud.close()
  })

  async function ship(word: string): Promise<string> {
    await cloud.build(projectId, crewsSaying(word))
    const { data, error } = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(error, undefined)
    assert.equal(await wordAt(data.url), word)
    return data.url
  }

  /** Changes a setting of the live worker, so that this worker, with the app's Durable Objects, is deployed again. */
  async function redeployObjects(): Promise<void> {
    const uploads = () => cloud.countCalls('PUT', '/crews-live')
    const earlier = await uploads()
    await operator.call(`PUT ${at}/capabilities/team`, { enabled: true, settings: { maxMembers: 200 } })
    await until(async () => (await uploads()) > earlier)
    await until(async () => {
      const { data } = await operator.call<{ provision: { state: string } }>(`GET ${at}/capabilities/team`)
      return data.provision.state === 'idle'
    })
  }

  async function makeTeam([owner, ...guests]: AppPerson[]): Promise<string> {
    assert.ok(owner)
    const { data } = await owner.call<{ id: string }>('POST', '/_app/team', { name: 'Red' })
    for (const guest of guests) {
      const invited: { data: { url: string } } = await owner.call('POST', `/_app/team/${data.id}/invites`, {})
      const token: string | null = new URL(invited.data.url).searchParams.get('invite')
      assert.equal((await guest.call('POST', '/_app/team/invites/accept', { token })).status, 200)
    }
    return data.id
  }

  test('while an app and its Durable Objects are deployed under load, no request fails and every open page receives every change', async (t) => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        'app_outbox.read': 2,
        'project.deployed': 2,
        'worker.deploy': 'some',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', provision: 'any' },
    })
    const people = await crowd.add(PEOPLE)
    const members = people.slice(0, SOCKETS)
    const team = await makeTeam(members)
    const pages = members.map((member) => new OpenPage(appUrl, member, team))
    try {
      await until(async () => pages.every(({ opened }) => opened === 1))
      const load = new Load(people, members.length, team)
      await ship('two')
      await redeployObjects()
      await ship('three')
      await load.stop()
      t.diagnostic(`${load.asked} requests, ${load.written.length} changes`)
      assert.deepEqual([load.failed, load.written.length > 20], [[], true])
      const written = load.written.toSorted()
      await until(async () => pages.every(({ seen }) => seen.length >= written.length), 10_000)
      for (const { seen, wrong, opened } of pages) {
        assert.deepEqual([wrong, seen.toSorted()], [[], written])
        assert.ok(opened > 1, 'the socket was cut')
      }
    } finally {
      for (const page of pages) page.close()
    }
  })
})
