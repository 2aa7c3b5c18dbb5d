import { type MonthSpend, spendOfMonth } from '../directory/month.ts'
import type { Part } from '../kernel/part.ts'
import { renderSettingsOf } from './settings.ts'

interface RenderReads {
  /** The renderings of production and preview together. */
  renderSpend(): Promise<MonthSpend>
}

export const part: Part<object, object, RenderReads> = {
  reads: {
    renderSpend: (at) => () =>
      spendOfMonth(at.objects, { key: 'render', monthly: renderSettingsOf(at.env).monthly }),
  },
}
