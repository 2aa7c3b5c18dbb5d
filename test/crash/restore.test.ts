import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../../scripts/lib.ts'
import { Person } from '../support/client.ts'
import { readHeldMail } from '../support/outbox.ts'
import { ServiceProcess } from '../support/service.ts'

const WRITERS = 4

describe('a backup of the service itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-restore-'))
  const backup = join(folder, 'backup')
  let service: ServiceProcess | undefined
  let restored: ServiceProcess | undefined
  let projectId = ''
  let ann: Person
  const acknowledged = new Set<string>()
  const answers: number[] = []

  before(async () => {
    service = await ServiceProcess.start()
    ann = await Person.signUp(service.url)
    const project = await ann.call<{ id: string }>('POST /projects', { name: 'Plants' })
    projectId = project.id
    const ticket = await ann.call<{ id: string }>(`POST /projects/${projectId}/tickets`, {
      title: 'Keep a list of plants with a name and a room',
    })
    await ann.call(`POST /projects/${projectId}/tickets/${ticket.id}/build`, {})
    await ann.call(`POST /projects/${projectId}/ship`, {})
    await writeRecord('before the backup')
  })
  after(async () => {
    await restored?.dispose()
    await service?.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  const writeRecord = (name: string) =>
    ann.call(`POST /projects/${projectId}/data/plants/records`, { name, room: 'Office' })

  test('taken under writers and restored elsewhere, holds all that was acknowledged before it', async () => {
    assert.ok(service)
    const stop = new AbortController()
    const writing = Array.from({ length: WRITERS }, (_, i) => writeTickets(i, stop.signal))
    await until(() => acknowledged.size > 2 * WRITERS)
    const before = new Set(acknowledged)
    const { code, output } = await admin(service.env, 'backup', backup)
    const during = acknowledged.size - before.size
    stop.abort()
    await Promise.all(writing)
    assert.equal(code, 0, output)
    assert.ok(during > 0, 'writers went on during the backup')
    assert.deepEqual([...new Set(answers)], [200], 'no writer was refused')
    const mail = await readHeldMail(service, 'ann@example.test')

    restored = await ServiceProcess.prepare()
    const put = await admin(restored.env, 'restore', backup)
    assert.equal(put.code, 0, put.output)
    await restored.restart()
    const there = ann.at(restored.url)
    const stored = await there.call<{ title: string }[]>(`GET /projects/${projectId}/tickets`)
    const titles = new Set(stored.map(({ title }) => title))
    assert.deepEqual(
      [...before].filter((title) => !titles.has(title)),
      [],
    )
    assert.equal(await readHeldMail(restored, 'ann@example.test'), mail, 'a sealed value opens')
  })

  test('brings the apps back with their data, and new work is done', async () => {
    assert.ok(restored)
    const there = ann.at(restored.url)
    const { items } = await there.call<{ items: { name: string }[] }>(
      `GET /projects/${projectId}/data/plants/records`,
    )
    assert.deepEqual(
      items.map(({ name }) => name),
      ['before the backup'],
    )
    const { url } = await there.call<{ url: string }>(`GET /projects/${projectId}`)
    const page = await restored.askApp(new URL(url).hostname)
    assert.equal(page.status, 200)
    const ticket = await there.call<{ id: string }>(`POST /projects/${projectId}/tickets`, { title: 'Sort by room' })
    const run = await there.call<{ status: string }>(
      `POST /projects/${projectId}/tickets/${ticket.id}/build`,
      {},
    )
    assert.equal(run.status, 'succeeded')
  })

  test('is readable by its owner only and says that it holds the secrets', async () => {
    for (const name of ['.', 'secrets.json', 'manifest.json', 'postgres', 'postgres/public.user.copy.gz', 'local'])
      assert.equal(statSync(join(backup, name)).mode & 0o077, 0, name)
  })

  test('is refused when anything about it is wrong, with the name of what it is, and nothing is made', async () => {
    const cases: [RegExp, (copy: string) => void][] = [
      [/is damaged: postgres\/public\.tickets\.copy\.gz has changed/, (copy) => flip(join(copy, 'postgres/public.tickets.copy.gz'))],
      [/is damaged: local\/world\.db has \d+ bytes and should have/, (copy) => truncateSync(join(copy, 'local/world.db'), 100)],
      [/is damaged: secrets\.json is missing/, (copy) => rmSync(join(copy, 'secrets.json'))],
      [/is no whole backup: it has no manifest\.json/, (copy) => rmSync(join(copy, 'manifest.json'))],
      [/manifest\.json is not JSON/, (copy) => truncateSync(join(copy, 'manifest.json'), 100)],
      [/has format 99 and this release reads 1/, (copy) => edit(copy, (manifest) => ({ ...manifest, format: 99 }))],
      [
        /its migration 9999_future is unknown to this release/,
        (copy) =>
          edit(copy, (manifest) => ({
            ...manifest,
            migrations: [...(manifest['migrations'] as object[]), { number: 9999, name: 'future', sha256: 'x' }],
          })),
      ],
      [
        /\.\.\/outside leads out of the backup/,
        (copy) => edit(copy, (manifest) => ({ ...manifest, files: [{ path: '../outside', bytes: 0, sha256: '' }] })),
      ],
    ]
    for (const [i, [message, damage]] of cases.entries()) {
      const copy = join(folder, `copy-${i}`)
      cpSync(backup, copy, { recursive: true })
      damage(copy)
      const dataDir = join(folder, `target-${i}`)
      const { code, output } = await admin({ ...service?.env, SLIPWAY_DATA_DIR: dataDir }, 'restore', copy)
      assert.equal(code, 1, output)
      assert.match(output, message)
      assert.equal(existsSync(dataDir), false, output)
    }
  })

  test('is neither written into nor restored over a folder that holds something', async () => {
    assert.ok(service && restored)
    for (const verb of ['backup', 'restore'] as const) {
      const { code, output } = await admin(service.env, verb, backup)
      assert.equal(code, 1)
      assert.match(output, / is not empty\. /)
    }
  })

  test('a service does not start on a restore that was killed half way', async () => {
    const half = await ServiceProcess.prepare()
    writeFileSync(join(half.dataDir, 'restore-unfinished'), '')
    await assert.rejects(half.restart(), /A restore into .* did not finish\. Remove that folder and restore again/)
    half.abandon()
  })

  async function writeTickets(writer: number, signal: AbortSignal): Promise<void> {
    for (let n = 0; !signal.aborted; n++) {
      const title = `t-${writer}-${n}`
      const answer = await ann.request(`POST /projects/${projectId}/tickets`, { title })
      answers.push(answer.status)
      if (answer.status === 200) acknowledged.add(title)
    }
  }
})

const admin = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  run(process.execPath, ['scripts/admin.ts', ...args], { env })

function flip(path: string): void {
  const bytes = readFileSync(path)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

function edit(copy: string, change: (manifest: Record<string, unknown>) => object): void {
  const path = join(copy, 'manifest.json')
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>)))
}

async function until(isDone: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + 20_000
  while (!isDone()) {
    assert.ok(performance.now() < giveUpAt, 'did not happen in time')
    await sleep(20)
  }
}
