import { budgetsOf, reserveOfMonth } from '../directory/month.ts'
import type { AnswerTo, AsyncHandlersOf } from '../kernel/calls.ts'
import { invalid, refusalAsValue } from '../kernel/errors.ts'
import type { Objects } from '../kernel/objects.ts'
import { renderSettingsOf } from './settings.ts'
import type { RenderCalls } from './types.ts'

/** Answers a call of the app's worker about its renderings; refusals are returned as values. */
export async function answerRender<Kind extends keyof RenderCalls>(
  { objects, env }: { objects: Objects; env: unknown },
  kind: Kind,
  ask: RenderCalls[Kind]['ask'],
): Promise<AnswerTo<RenderCalls, Kind>> {
  const handlers: AsyncHandlersOf<RenderCalls> = {
    begin: async () => {
      const settings = renderSettingsOf(env)
      const refusal = `The app has rendered its ${settings.monthly} pages of this month.`
      const budget = { key: 'render', monthly: settings.monthly } as const
      return { id: await reserveOfMonth(objects, budget, { amount: 1, refusal }), settings }
    },
    end: async ({ id, isUsed }) => {
      if (typeof id !== 'string') throw invalid('id', 'must be that of a reservation')
      await budgetsOf(objects).budget(isUsed ? 'settle' : 'release', { id })
      return null
    },
  }
  return await refusalAsValue(() => handlers[kind](ask))
}
