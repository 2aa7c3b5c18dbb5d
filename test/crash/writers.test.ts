import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openReceiver, type Receiver, type Reply, verifiedEvent } from '../../server/testing/receiver.ts'
import { Person } from '../support/client.ts'
import { ServiceProcess } from '../support/service.ts'
import { times } from '../support/soak.ts'
import { waitUntil } from '../support/wait-until.ts'

const WRITERS = 8
const KILLS = Number(process.env['SLIPWAY_CRASH_KILLS'] ?? 4)

describe('acknowledged writes are stored and delivered', () => {
  let service: ServiceProcess | undefined
  let receiver: Receiver | undefined
  after(async () => {
    await service?.dispose()
    await receiver?.close()
  })

  test('kill -9 of the service while eight clients write loses no acknowledged write, and each write has one event', async () => {
    const began = performance.now()
    service = await ServiceProcess.start({ SLIPWAY_DELIVERY_RETRY_SECONDS: '0.2' })
    // The time limit of a restart: ten seconds, or on a slow machine as long as the first start took.
    const backMsMax = Math.max(10_000, performance.now() - began)
    const { ann, tickets } = await createProject(service)
    receiver = await openReceiver(failingEveryFifth())
    const webhook = { url: receiver.url, events: ['ticket.created'] }
    const { secret } = await ann.call<{ secret: string }>('POST /webhooks', webhook)
    const asked = new Set<string>()
    const acknowledged = new Set<string>()
    for (let kill = 0; kill < KILLS; kill++) {
      const inSwing = acknowledged.size + WRITERS
      const writing = writeUntilKilled(ann, tickets, `k${kill}`, asked, acknowledged)
      await waitUntil(() => acknowledged.size > inSwing)
      await sleep(kill * 30)
      await service.kill()
      await writing
      const tookMs: number = await service.restart()
      assert.ok(tookMs < backMsMax, `back after ${Math.round(tookMs)} ms`)
    }
    await requireExactly(ann, tickets, asked, acknowledged)
    await requireTold(ann, tickets, receiver, secret)
  })

  test('kill -9 of the database while clients write delays acknowledged writes but loses none', async () => {
    assert.ok(service)
    const { ann, tickets } = await createProject(service, 'bea@example.test')
    const asked = new Set<string>()
    const acknowledged = new Set<string>()
    const stop = new AbortController()
    const writing = writeUntilKilled(ann, tickets, 'db', asked, acknowledged, stop.signal)
    await waitUntil(() => acknowledged.size > WRITERS)
    const killed = postmasterPid(service.dataDir)
    process.kill(killed, 'SIGKILL')
    // Wait for a new postmaster process. The old backends run for a moment after their parent has died.
    await waitUntil(async () => {
      const current = postmasterPid(service?.dataDir ?? '')
      return (
        current > 0 && current !== killed && (await ann.request('GET /me').catch(() => null))?.status === 200
      )
    })
    stop.abort()
    await writing
    await requireExactly(ann, tickets, asked, acknowledged)
  })

  for (const together of ['alone', 'together with its database'] as const)
    test(`after each kill -9 of the service ${together}, it can be restarted immediately and has all acknowledged data`, async () => {
      assert.ok(service)
      const { ann, tickets } = await createProject(service, `${together.split(' ')[0]}@example.test`)
      const titles: string[] = []
      const tookMs: number[] = []
      for (let round = 0; round < times(2, 20); round++) {
        const title = `kept ${round}`
        await ann.call(`POST ${tickets}`, { title })
        titles.push(title)
        const database = postmasterPid(service.dataDir)
        process.kill(service.pid, 'SIGKILL')
        if (together !== 'alone') process.kill(database, 'SIGKILL')
        // Start immediately, while the killed process is still in the process table.
        tookMs.push(await service.restart())
      }
      const stored = await ann.call<{ title: string }[]>(`GET ${tickets}`)
      assert.deepEqual(stored.map(({ title }) => title).toSorted(), titles.toSorted())
      console.log(`  ready after ${tookMs.map((ms) => Math.round(ms)).join(', ')} ms`)
    })

  test('the service restarts the process of its local provider emulators after kill -9 of that process', async () => {
    assert.ok(service)
    const listWorlds = () =>
      service?.processes().filter(({ command }) => command.includes('local/main.ts')) ?? []
    // The emulator process from before the last restart may still be exiting.
    await waitUntil(() => listWorlds().length === 1)
    const [before] = listWorlds()
    assert.ok(before)
    process.kill(before.pid, 'SIGKILL')
    await waitUntil(() => listWorlds().some(({ pid }) => pid !== before.pid))
    await waitUntil(async () => (await service?.hasWorld()) === true)
  })

  test('after the service is stopped gracefully, none of its processes is left', async () => {
    assert.ok(service)
    await service.stop()
    await waitUntil(() => service?.processes().length === 0)
  })
})

async function createProject(service: ServiceProcess, email?: string) {
  const ann = await Person.signUp(service.url, email)
  const project = await ann.call<{ id: string }>('POST /projects', { name: 'Crash' })
  return { ann, tickets: `/projects/${project.id}/tickets` }
}

/** Runs eight loops that write as fast as they get responses. Each ends when its request fails or the signal aborts. */
async function writeUntilKilled(
  person: Person,
  tickets: string,
  prefix: string,
  asked: Set<string>,
  acknowledged: Set<string>,
  signal?: AbortSignal,
): Promise<void> {
  const writeTickets = async (writer: number) => {
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
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeTickets(writer)))
}

async function requireExactly(
  person: Person,
  tickets: string,
  asked: Set<string>,
  acknowledged: Set<string>,
) {
  const stored = await person.call<{ title: string }[]>(`GET ${tickets}`)
  const titles = new Set(stored.map((ticket) => ticket.title))
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

function failingEveryFifth(): Reply {
  const seen = new Set<string>()
  return (res, { headers }) => {
    const id = String(headers['service-delivery-id'])
    const fails = !seen.has(id) && seen.size % 5 === 0
    seen.add(id)
    res.writeHead(fails ? 500 : 204).end()
  }
}

/** Asserts that the receiver got exactly one event for each stored ticket. The same event may be delivered repeatedly. */
async function requireTold(person: Person, tickets: string, receiver: Receiver, secret: string) {
  const stored = await person.call<{ id: string }[]>(`GET ${tickets}`)
  const eventsOf = () => {
    const events = receiver.received.map((received) => verifiedEvent(received, secret, new Date()))
    return new Map(events.map(({ id, data }) => [id, (data as { ticketId: string }).ticketId]))
  }
  await waitUntil(() => eventsOf().size >= stored.length)
  assert.deepEqual([...eventsOf().values()].toSorted(), stored.map(({ id }) => id).toSorted())
}

function postmasterPid(dataDir: string): number {
  const file = join(dataDir, 'postgres/18/postmaster.pid')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0
}
