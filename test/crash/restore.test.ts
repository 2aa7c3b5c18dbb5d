import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { request } from 'undici'
import { run } from '../../scripts/lib.ts'
import { Person } from '../support/client.ts'
import { readOutboxMail } from '../support/outbox.ts'
import { ServiceProcess } from '../support/service.ts'
import { waitUntil } from '../support/wait-until.ts'

const WRITERS = 4

describe('a backup of the service itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-restore-'))
  const backup = join(folder, 'backup')
  let service: ServiceProcess | undefined
  let restored: ServiceProcess | undefined
  let projectId = ''
  let appHost = ''
  let record = ''
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
    await ann.call(`POST /projects/${projectId}/deploy`, {})
    const { url } = await ann.call<{ url: string }>(`GET /projects/${projectId}`)
    appHost = new URL(url).hostname
    const ops = [{ op: 'create', collection: 'plants', fields: { name: 'Fern', room: 'Office' } }]
    const body = { mutationId: randomUUID(), ops }
    record =
      (await askApp<{ records: { id: string }[] }>(service, '/_app/data/mutate', body)).records[0]?.id ?? ''
  })
  after(async () => {
    await restored?.dispose()
    await service?.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Sends a request to the live app. Sets the Host header, because Node does not resolve `*.localhost`. */
  async function askApp<T>({ env }: ServiceProcess, path: string, body?: object): Promise<T> {
    const host = `${appHost}:${env['SLIPWAY_APPS_PORT']}`
    const answer = await request(`http://127.0.0.1:${env['SLIPWAY_APPS_PORT']}${path}`, {
      headers: { host, origin: `http://${host}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    const envelope = (await answer.body.json()) as { ok: boolean; data: T }
    assert.ok(envelope.ok, JSON.stringify(envelope))
    return envelope.data
  }

  test('a restored backup contains every write that was acknowledged before the backup started', async () => {
    assert.ok(service)
    const stop = new AbortController()
    const writing = Array.from({ length: WRITERS }, (_, i) => writeTickets(i, stop.signal))
    await waitUntil(() => acknowledged.size > 2 * WRITERS)
    const before = new Set(acknowledged)
    const { code, output } = await runAdmin(service.env, 'backup', backup)
    const during = acknowledged.size - before.size
    stop.abort()
    await Promise.all(writing)
    assert.equal(code, 0, output)
    assert.ok(during > 0, 'writers went on during the backup')
    assert.deepEqual([...new Set(answers)], [200], 'no writer was refused')
    const mail = await readOutboxMail(service, 'ann@example.test')

    restored = await ServiceProcess.prepare()
    const put = await runAdmin(restored.env, 'restore', backup)
    assert.equal(put.code, 0, put.output)
    await restored.restart()
    const there = ann.at(restored.url)
    const stored = await there.call<{ title: string }[]>(`GET /projects/${projectId}/tickets`)
    const titles = new Set(stored.map(({ title }) => title))
    assert.deepEqual(
      [...before].filter((title) => !titles.has(title)),
      [],
    )
    assert.equal(await readOutboxMail(restored, 'ann@example.test'), mail, 'a sealed value opens')
  })

  test('a restored service runs the apps with their data and accepts new builds', async () => {
    assert.ok(restored)
    const there = ann.at(restored.url)
    const found = await askApp<{ id: string; fields: object }>(restored, `/_app/data/plants/${record}`)
    assert.equal(found.id, record)
    const ticket = await there.call<{ id: string }>(`POST /projects/${projectId}/tickets`, {
      title: 'Add a notes field',
    })
    const run = await there.call<{ status: string }>(
      `POST /projects/${projectId}/tickets/${ticket.id}/build`,
      {},
    )
    assert.equal(run.status, 'built')
  })

  test('the files of a backup can be read only by the user account that made it', async () => {
    for (const name of [
      '.',
      'secrets.json',
      'manifest.json',
      'postgres',
      'postgres/public.user.copy.gz',
      'local',
    ])
      assert.equal(statSync(join(backup, name)).mode & 0o077, 0, name)
  })

  test('a backup can be written only to an empty folder, and restored only into one', async () => {
    assert.ok(service && restored)
    for (const verb of ['backup', 'restore'] as const) {
      const { code, output } = await runAdmin(service.env, verb, backup)
      assert.equal(code, 1)
      assert.match(output, / is not empty\. /)
    }
  })

  test('a service does not start after a restore that was killed half-way', async () => {
    const half = await ServiceProcess.prepare()
    writeFileSync(join(half.dataDir, 'restore-unfinished'), '')
    await assert.rejects(
      half.restart(),
      /A restore into .* did not finish\. Remove that folder and restore again/,
    )
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

const runAdmin = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  run(process.execPath, ['scripts/admin.ts', ...args], { env })
