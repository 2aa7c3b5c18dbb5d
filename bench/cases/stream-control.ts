import { type Frame, framesOf } from '../../test/support/frames.ts'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { progress } from '../harness/progress.ts'
import { startService } from '../harness/service.ts'
import { median } from '../harness/statistics.ts'
import { openSpokenTicket } from '../worlds/stream-delta.ts'
import { type SpeakingModel, startSpeakingModel } from '../worlds/stream-model.ts'
import { openWorkbench, type Workbench } from '../worlds/workbench.ts'

export const buildControl: Benchmark = {
  id: 'P24',
  name: 'build-control',
  measures: 'How soon a running build obeys, and how soon one goes on whose process was killed',
  goals: ['cancel to model request aborted <= 1 s', 'health to first frame of the new run <= 1 s'],
  tools: [],
  run: measureControl,
}

/**
 * The service and its API client. Every restart replaces both, because the service then has a new address.
 */
type World = Pick<Workbench, 'service' | 'api'>

async function measureControl(options: Options): Promise<MeasuredFigure[]> {
  const rounds = options.rounds ?? 5
  const model = await startSpeakingModel(Infinity)
  const workbench = await openWorkbench()
  let world: World = workbench
  try {
    const place = await openSpokenTicket(workbench, model.baseUrl)
    const [cancelled, settled]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const { abortedMs, endedMs } = await cancelOne(world, model, place)
      cancelled.push(abortedMs)
      settled.push(endedMs)
    }
    progress(`  cancel  ${cancelled.map((value) => value.toFixed(0)).join(' ')} ms`)
    const resumed: number[] = []
    for (let round = 0; round < rounds; round++) {
      const back = await killOne(world, place)
      world = back.world
      resumed.push(back.tookMs)
    }
    progress(`  kill  ${resumed.map((value) => value.toFixed(0)).join(' ')} ms`)
    const figure = (name: string, times: number[], bound: number | null) =>
      absolute({
        figure: name,
        unit: 'ms',
        value: Math.max(...times),
        goal: bound === null ? null : atMost(bound),
        rounds,
        p50Ms: median(times),
      })
    return [
      figure('cancel to model request aborted, worst', cancelled, 1000),
      figure('cancel to last frame, worst', settled, null),
      figure('health to first frame of the new run, worst', resumed, 1000),
    ]
  } finally {
    await world.service.remove()
    await model.close()
  }
}

async function cancelOne({ api }: World, model: SpeakingModel, place: string) {
  const frames = framesOf(await api.request('POST', `${place}/build/stream`, {}))
  await nextOf(frames, 'delta')
  const began = performance.now()
  const [abandonedAt, endedAt] = await Promise.all([
    model.abandoned(),
    nextOf(frames, 'done').then(() => performance.now()),
    api.call('POST', `${place}/build/cancel`, {}),
  ])
  return { abortedMs: abandonedAt - began, endedMs: endedAt - began }
}

async function killOne({ service, api }: World, place: string): Promise<{ world: World; tookMs: number }> {
  const frames = framesOf(await api.request('POST', `${place}/build/stream`, {}))
  const run = (await nextOf(frames, 'run'))['run']
  const { seq } = await nextOf(frames, 'delta')
  await service.stop('SIGKILL')
  const restarted = await startService({ localWorld: true, dataDir: service.dataDir })
  const healthyAt = performance.now()
  const world = { service: restarted, api: api.at(restarted) }
  const again = framesOf(await world.api.request('POST', `${place}/build/stream`, { run, after: seq }))
  await nextOf(again, 'run')
  const tookMs = performance.now() - healthyAt
  await world.api.call('POST', `${place}/build/cancel`, {})
  await nextOf(again, 'done')
  return { world, tookMs }
}

async function nextOf(frames: AsyncGenerator<Frame>, type: string): Promise<Frame> {
  for (;;) {
    const { done, value } = await frames.next()
    if (done === true) throw new Error(`the stream ended before a ${type}`)
    if (value.type === type) return value
  }
}
