import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame } from '../support/frames.ts'
import { finish, write } from '../support/scripted-model.ts'
import { times } from '../support/soak.ts'
import { Watcher } from '../support/watcher.ts'
import { KillWorld, type Outcome, type Phase } from './build-kills.ts'

const isA = (type: string) => (frame: Frame) => frame.type === type

const PHASES: Phase[] = [
  { name: 'before the first model call', begins: isA('run'), lastsMs: 100 },
  { name: 'during a response of the model', begins: isA('delta'), lastsMs: 400 },
  { name: 'between the last token and the tool calls', begins: isA('usage'), lastsMs: 20 },
  { name: 'while files are written', begins: isA('tool'), lastsMs: 60 },
  {
    name: 'around the commit',
    begins: (frame) => frame.type === 'tool' && frame['name'] === 'finish',
    lastsMs: 60,
  },
  {
    name: 'while the preview is published',
    begins: (frame) => frame.type === 'tool' && frame['name'] === 'finish',
    lastsMs: 3000,
    isCloudSlow: true,
  },
  { name: 'at any moment', begins: isA('run'), lastsMs: 2500 },
]
/** The number of kills per phase. */
const KILLS = times(1, 10)

/** A build fails after this number of interrupted attempts. Outages of the database do not count as attempts. */
const KILLED_ANSWERS = 3

/** Returns the time of a kill within a phase. The times are spread evenly (golden ratio); the first is at the start. */
const momentOf = (kill: number, { lastsMs }: Phase) => ((kill * 0.618_034) % 1) * lastsMs

describe('builds after a crash', () => {
  let world: KillWorld
  const outcomes: Outcome[] = []
  before(async () => {
    world = await KillWorld.open()
  })
  after(() => world.close())

  for (const phase of PHASES)
    for (let kill = 0; kill < KILLS; kill++) {
      const afterMs = momentOf(phase.lastsMs > 1000 ? kill + 1 : kill, phase)
      test(`a build that is killed ${phase.name} (+${Math.round(afterMs)} ms) continues, and is committed and billed once`, async (t) => {
        const outcome = await world.killBuild(phase, afterMs)
        outcomes.push(outcome)
        t.diagnostic(describeOutcome(outcome))
      })
    }

  test('killing the database during three model responses delays the build but does not end it', async () => {
    const turn = {
      text: 'A list and a form. '.repeat(8),
      toolCalls: [write('shared/a.ts', 'export const a = 1\n')],
      fault: { kind: 'slow', perSecond: 25 },
    }
    const { ann, service, model } = world
    const key = 'crash-database'
    const place = await world.openTicket(key, [
      ...Array.from({ length: KILLED_ANSWERS + 1 }, () => turn),
      { toolCalls: [finish()], repeat: true },
    ])
    const watcher = new Watcher(ann, place)
    const hasBegun = Promise.withResolvers<void>()
    const watching = watcher.read((frame) => {
      if (frame.type === 'delta') hasBegun.resolve()
    })
    await hasBegun.promise
    for (let killed = 1; killed <= KILLED_ANSWERS; killed++) {
      // Wait until the service has repeated the call. The response takes five seconds, so this kill interrupts it.
      while ((await model.calls(key)).length < killed) await sleep(20)
      process.kill(postmasterOf(service.dataDir), 'SIGKILL')
    }
    const project = place.split('/tickets')[0]
    let newest: { status: string } | undefined
    for (const end = performance.now() + 50_000; newest?.status !== 'succeeded' && performance.now() < end;) {
      await sleep(100)
      const runs = await ann.call<{ items: { status: string }[] }>(`GET ${project}/runs`).catch(() => null)
      newest = runs?.items[0] ?? newest
    }
    assert.equal(newest?.status, 'succeeded')
    assert.equal((await ann.call<unknown[]>(`GET ${project}/versions`)).length, 1)
    await watching
  })
})

const describeOutcome = ({ attempts, restartMs, firstFrameMs, settledMs }: Outcome) =>
  `health after ${formatMs(restartMs)}, new run after ${formatMs(firstFrameMs)}, settled after ${formatMs(settledMs)}, attempts ${attempts}`
const formatMs = (value: number | null) => (value === null ? '-' : `${Math.round(value)} ms`)

const postmasterOf = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/18/postmaster.pid'), 'utf8'), 10)
