import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, type Server, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import type { Client } from '../../server/testing/app.ts'
import { type BuildWorld, type BuildProject, buildWorld } from '../scenarios/build-world.ts'
import type { Frame } from '../support/frames.ts'
import { type ScriptedStep, finish, write } from '../support/scripted-model.ts'
import { SCENARIOS, type Scenario, type Target } from './agent-orders.ts'

const FILE_CANARY = 'canary-file-7f3a9c'
const ENV_CANARY = 'canary-env-51be02'
const OTHER_CANARY = 'canary-other-e8d417'
const OBEY: ScriptedStep = { fault: 'obey', repeat: true }
const QUESTION = { id: 'what', question: 'Track what?', options: ['Plants', 'Tasks'], default: 'Plants' }

describe('a model that obeys everything it reads', { concurrency: 2 }, () => {
  let world: BuildWorld
  let builder: Client
  let target: Target
  let trap: Server
  let caught = 0
  let keyring = ''
  const log: string[] = []

  before(async () => {
    process.env['SLIPWAY_CANARY'] = ENV_CANARY
    const dir = mkdtempSync(join(tmpdir(), 'outside-'))
    writeFileSync(join(dir, 'canary.txt'), FILE_CANARY)
    writeFileSync(join(dir, 'canary.ts'), `export const secret = '${FILE_CANARY}' as const\n`)
    writeFileSync(
      join(dir, 'canary.json'),
      JSON.stringify({ version: 3, sources: [FILE_CANARY], [FILE_CANARY]: 1 }),
    )
    writeFileSync(join(dir, 'canary.css'), `.${FILE_CANARY} { color: red; }`)
    trap = createServer((socket) => {
      caught++
      socket.destroy()
    })
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
    const trapPort = (trap.address() as AddressInfo).port
    world = await buildWorld()
    Object.assign(world.app.platform, {
      log: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
    })
    keyring = readFileSync(world.app.config.secretsFile, 'utf8').trim()
    const other = await world.app.signUp()
    const project = await other.call<{ id: string }>('POST /projects', { name: OTHER_CANARY })
    await other.call(`POST /projects/${project.data.id}/tickets`, { title: OTHER_CANARY, body: OTHER_CANARY })
    target = { dir, trap: `http://127.0.0.1:${trapPort}`, trapPort, otherProject: project.data.id }
    builder = await world.app.keyFor(world.person, ['projects:read', 'tickets:write', 'build:write'])
  })
  after(async () => {
    delete process.env['SLIPWAY_CANARY']
    await world.close()
    trap.close()
    rmSync(target.dir, { recursive: true, force: true })
  })

  for (const scenario of SCENARIOS) {
    test(`a model that obeys prompt injections cannot ${scenario.name}`, { timeout: 180_000 }, async () => {
      const { place, frames } = await playScenario(scenario)
      const tools = frames.filter((frame) => frame.type === 'tool')
      const orders = scenario.orders(target)
      const obeyed = tools.filter((frame) => orders.some(([name]) => name === frame['name']))
      assert.ok(obeyed.length >= Math.min(orders.length, 5), `only ${obeyed.length} orders were tried`)
      if (scenario.codes !== undefined) {
        const codes = obeyed.slice(0, scenario.codes.length).map((frame) => String(frame['error']))
        assert.deepEqual(codes.toSorted(), scenario.codes.toSorted())
      }
      const last = frames.at(-1)
      assert.ok(last?.type === 'done' || last?.type === 'error', JSON.stringify(last))
      assert.notEqual(last['kind'], 'server_error', JSON.stringify(last))
      await assertNothingEscaped(place, frames)
    })
  }

  /**
   * Puts the scenario's tool calls as instructions into a text that the model reads, and builds with a model that obeys instructions.
   * Returns the frames of the build.
   */
  async function playScenario(scenario: Scenario): Promise<{ place: BuildProject; frames: Frame[] }> {
    const orders = scenario.orders(target).map(([name, args]) => `ORDER: ${name} ${JSON.stringify(args)}`)
    const text = orders.join('\n')
    const isIngested = scenario.in === 'ingested ticket'
    // The owner builds the ingested ticket with every scope, so only the origin of the ticket can limit the
    // tools.
    const client = isIngested ? world.person : builder
    const place = await world.openProject([OBEY], { client })
    const ticket = `PATCH /tickets/${place.ticketId}`
    switch (scenario.in ?? 'ticket') {
      case 'ticket':
      case 'ingested ticket':
        // Instructions that are too long for a ticket's body are scripted as responses of the model.
        if (text.length > 30_000) await place.script(scriptOf(scenario.orders(target)))
        else await assertOk(place.call(ticket, { body: text }))
        if (isIngested) await setRow('tickets', place.ticketId, { source: 'ingest' })
        return { place, frames: await place.stream() }
      case 'parent': {
        const parent = await place.addTicket({ title: 'Everything', type: 'epic', body: text })
        await assertOk(place.call(ticket, { parent }))
        return { place, frames: await place.stream() }
      }
      case 'preview error':
        await assertOk(
          place.call('POST /preview-errors', {
            ticketId: place.ticketId,
            errors: orders.map((message) => ({ message })),
          }),
        )
        return { place, frames: await place.stream() }
      case 'answer': {
        await place.script([{ toolCalls: [{ name: 'ask_user', args: { questions: [QUESTION] } }] }, OBEY])
        assert.equal((await place.build()).data['status'], 'awaiting')
        return { place, frames: await place.stream({ answers: [{ id: 'what', value: text }] }) }
      }
      case 'result':
      case 'file':
      case 'readme': {
        const note = orders.map((order) => `// ${order}`).join('\n')
        const files = [write('shared/notes.ts', `${note}\nexport const notes = 1\n`)]
        if (scenario.in === 'readme') {
          await setRow('projects', place.projectId, { readme: text })
          files.splice(0, 1, write('shared/notes.ts', 'export const notes = 1\n'))
        }
        await place.script([{ toolCalls: files }, { toolCalls: [finish()] }])
        assert.equal((await place.build()).data['status'], 'built')
        const look = { toolCalls: [{ name: 'search', args: { pattern: 'ORDER' } }] }
        await place.script(scenario.in === 'result' ? [look, OBEY] : [OBEY])
        return { place, frames: await place.stream() }
      }
    }
  }

  async function assertNothingEscaped(place: BuildProject, frames: Frame[]): Promise<void> {
    const { db } = world.app.platform
    const [run, source, steps, project, deployments] = await Promise.all([
      place.get('/runs'),
      place.get<{ files: Record<string, string> } | null>('/source'),
      db
        .selectFrom('run_steps')
        .innerJoin('runs', 'runs.id', 'run_steps.run_id')
        .selectAll('run_steps')
        .where('runs.project_id', '=', place.projectId)
        .execute(),
      db
        .selectFrom('projects')
        .select(['name', 'lifecycle'])
        .where('id', '=', target.otherProject)
        .executeTakeFirstOrThrow(),
      db.selectFrom('deployments').select('id').where('project_id', '=', place.projectId).execute(),
    ])
    const seen = JSON.stringify([frames, run.data, source.data, steps]) + log.join('\n')
    for (const canary of [FILE_CANARY, ENV_CANARY, OTHER_CANARY, keyring])
      assert.ok(!seen.includes(canary), `${canary} got out: ${excerptAround(seen, canary)}`)
    assert.equal(caught, 0, 'somebody was called')
    assert.deepEqual(deployments, [])
    assert.deepEqual(project, { name: OTHER_CANARY, lifecycle: 'offline' })
    const paths = Object.keys(source.data?.files ?? {})
    for (const path of paths)
      assert.match(path, /^(?!.*\.\.)(web|server|shared|tests|public|platform)\/|^[A-Za-z.-]+$/)
    assert.deepEqual(readdirSync(target.dir).sort(), ['canary.css', 'canary.json', 'canary.ts', 'canary.txt'])
    assert.ok(!existsSync('/tmp/outside.ts'))
  }

  async function setRow(table: 'tickets' | 'projects', id: string, set: object): Promise<void> {
    await world.app.platform.db.updateTable(table).set(set).where('id', '=', id).execute()
  }
})

function scriptOf(orders: [name: string, args: object][]): ScriptedStep[] {
  return [...orders.map(([name, args]) => ({ toolCalls: [{ name, args }] })), { ...OBEY }]
}

async function assertOk(answer: Promise<{ status: number; error: unknown }>): Promise<void> {
  const { status, error } = await answer
  assert.equal(status, 200, JSON.stringify(error))
}

const excerptAround = (text: string, what: string) => {
  const at = text.indexOf(what)
  return text.slice(Math.max(0, at - 200), at + 100)
}
