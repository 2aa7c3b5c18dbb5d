import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Person } from '../support/client.ts'
import { ServiceProcess } from '../support/service.ts'

const WRITERS = 8
const KILLS = 4

describe('R1: what was acknowledged is stored', () => {
  let service: ServiceProcess | undefined
  after(() => service?.dispose())

  test('kill -9 of the service under eight writers loses nothing and stores nothing nobody asked for', async () => {
    service = await ServiceProcess.start()
    const { ann, tickets } = await openProject(service)
    const asked = new Set<string>()
    const acknowledged = new Set<string>()
    for (let kill = 0; kill < KILLS; kill++) {
      const writing = writeUntilKilled(ann, tickets, `k${kill}`, asked, acknowledged)
      await sleep(250 + kill * 90)
      await service.kill()
      await writing
      const tookMs: number = await service.restart()
      assert.ok(tookMs < 10_000, `back after ${Math.round(tookMs)} ms`)
    }
    await requireExactly(ann, tickets, asked, acknowledged)
  })

  test('kill -9 of the database under writers is a pause, not a loss', async () => {
    assert.ok(service)
    const { ann, tickets } = await openProject(service, 'bea@example.test')
    const asked = new Set<string>()
    const acknowledged = new Set<string>()
    const stop = new AbortController()
    const writing = writeUntilKilled(ann, tickets, 'db', asked, acknowledged, stop.signal)
    await sleep(300)
    const killed = postmasterPid(service.dataDir)
    process.kill(killed, 'SIGKILL')
    // Backends notice the death of their parent a moment later: only another postmaster means it is back.
    await until(async () => {
      const current = postmasterPid(service?.dataDir ?? '')
      return (
        current > 0 && current !== killed && (await ann.request('GET /me').catch(() => null))?.status === 200
      )
    })
    stop.abort()
    await writing
    assert.ok(acknowledged.size > 0)
    await requireExactly(ann, tickets, asked, acknowledged)
  })

  test('kill -9 of the local world: it is started again, and no workerd of it stays', async () => {
    assert.ok(service)
    const worlds = () => service?.processes().filter(({ command }) => command.includes('local/main.ts')) ?? []
    const [before] = worlds()
    assert.ok(before)
    process.kill(before.pid, 'SIGKILL')
    await until(() => Promise.resolve(worlds().some(({ pid }) => pid !== before.pid)))
    await until(
      async () => (await fetch(`${service?.localUrl}/model/v1/models`).catch(() => null))?.ok === true,
    )
  })

  test('after an orderly stop no process is left', async () => {
    assert.ok(service)
    await service.stop()
    await until(() => Promise.resolve(service?.processes().length === 0))
  })
})

async function openProject(service: ServiceProcess, email?: string) {
  const ann = await Person.signUp(service.url, email)
  const project = await ann.call<{ id: string }>('POST /projects', { name: 'Crash' })
  return { ann, tickets: `/projects/${project.id}/tickets` }
}

/** Eight loops that write as fast as they are answered; each ends when its request fails or `signal` says so. */
async function writeUntilKilled(
  person: Person,
  tickets: string,
  prefix: string,
  asked: Set<string>,
  acknowledged: Set<string>,
  signal?: AbortSignal,
): Promise<void> {
  const write = async (writer: number) => {
    for (let n = 0; ; n++) {
      if (signal?.aborted === true) return
      const title = `${prefix}-${writer}-${n}`
      asked.add(title)
      const answer = await person.request(`POST ${tickets}`, { title }).catch(() => null)
      if (answer?.status === 200) acknowledged.add(title)
      else if (signal === undefined) return
      else await sleep(20)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
}

async function requireExactly(
  person: Person,
  tickets: string,
  asked: Set<string>,
  acknowledged: Set<string>,
) {
  const stored = await person.call<{ title: string }[]>(`GET ${tickets}`)
  const titles = new Set(stored.map((ticket) => ticket.title))
  assert.ok(acknowledged.size > 20, `only ${acknowledged.size} writes were acknowledged`)
  assert.deepEqual(
    [...acknowledged].filter((title) => !titles.has(title)),
    [],
  )
  assert.deepEqual(
    [...titles].filter((title) => !asked.has(title)),
    [],
  )
  assert.equal(stored.length, titles.size)
}

function postmasterPid(dataDir: string): number {
  const file = join(dataDir, 'postgres/18/postmaster.pid')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0
}

async function until(condition: () => Promise<boolean>, msMax = 20_000): Promise<void> {
  const end = performance.now() + msMax
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('it did not happen in time')
    await sleep(50)
  }
}
