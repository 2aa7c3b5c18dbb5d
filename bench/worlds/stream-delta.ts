import { framesOf } from '../../test/support/frames.ts'
import { atMost } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { progress } from '../harness/progress.ts'
import { median } from '../harness/statistics.ts'
import { startSpeakingModel } from './stream-model.ts'
import type { Workbench } from './workbench.ts'

const PIECE_COUNT = 100

/** Measures the time from the moment a model writes a piece of text to the moment a reader of the build's stream receives it. */
export async function measureDeltas(workbench: Workbench, when: 'cold' | 'warm'): Promise<MeasuredFigure> {
  const model = await startSpeakingModel(PIECE_COUNT)
  try {
    const place = await openSpokenTicket(workbench, model.baseUrl)
    const delays: number[] = []
    for await (const frame of framesOf(await workbench.api.request('POST', `${place}/build/stream`, {}))) {
      const text = frame.type === 'delta' ? String(frame['text'] ?? '') : ''
      for (const [, at] of text.matchAll(/@([\d.]+)/g)) delays.push(performance.now() - Number(at))
    }
    delays.sort((a, b) => a - b)
    const p99Ms = delays[Math.floor(delays.length * 0.99) - 1] ?? 0
    progress(`  model to reader, ${when}  p50 ${median(delays).toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms`)
    return absolute({
      figure: `model to reader, ${when}, p50`,
      unit: 'ms',
      value: median(delays),
      goal: atMost(60),
      rounds: delays.length,
      errors: PIECE_COUNT - delays.length,
      p50Ms: median(delays),
      p99Ms,
    })
  } finally {
    await model.close()
  }
}

/** Creates a project with this model and a ticket in it; returns the ticket's path. */
export async function openSpokenTicket({ api, createProject }: Workbench, baseUrl: string): Promise<string> {
  const connection = await api.call<{ id: string }>('POST', '/connections/models', {
    provider: 'openai-compatible',
    label: 'Spoken',
    baseUrl,
    key: 'bench',
    defaultModel: 'spoken',
  })
  const projectId = await createProject()
  await api.call('PUT', `/projects/${projectId}/model`, { connectionId: connection.id, model: 'spoken' })
  const ticket = await api.call<{ id: string }>('POST', `/projects/${projectId}/tickets`, {
    title: 'Show the tides',
  })
  return `/projects/${projectId}/tickets/${ticket.id}`
}
