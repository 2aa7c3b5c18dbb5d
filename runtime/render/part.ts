import { type MonthSpend, spendOfMonth } from '../directory/month.ts'
import type { Part } from '../kernel/objects/part.ts'
import { renderSettingsOf } from './settings.ts'

interface RenderReads {
  /** Returns how many pages production and preview together have rendered this month, including reserved renderings. */
  renderSpend(): Promise<MonthSpend>
}

export const part: Part<object, object, RenderReads> = {
  reads: {
    renderSpend: (at) => () =>
      spendOfMonth(at.objects, { key: 'render', monthly: renderSettingsOf(at.env).monthly }),
  },
}
