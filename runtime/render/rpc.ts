import { endReservation, reserveOfMonth } from '../directory/month.ts'
import { rpcMethod, type LiveContext } from '../kernel/objects/rpc-method.ts'
import type { AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { requireShortText } from '../kernel/fields.ts'
import { renderSettingsOf } from './settings.ts'
import type { RenderCalls } from './types.ts'

const ID_CHARS_MAX = 100

type RenderContext = Pick<LiveContext, 'objects' | 'env'>

export const handleRenders = rpcMethod<RenderContext, RenderCalls>(renderHandlers)

function renderHandlers({ objects, env }: RenderContext): AsyncHandlersOf<RenderCalls> {
  return {
    begin: async () => {
      const settings = renderSettingsOf(env)
      const refusal = `The app has rendered its ${settings.monthly} pages of this month.`
      const budget = { key: 'render', monthly: settings.monthly } as const
      return { id: await reserveOfMonth(objects, budget, { amount: 1, refusal }), settings }
    },
    end: async ({ id, isUsed }) => {
      const reservation = requireShortText('id', id, ID_CHARS_MAX)
      await endReservation(objects, isUsed ? 'settle' : 'release', { id: reservation, route: 'render' })
      return null
    },
  }
}
