import { deleteWidget, findWidget } from '../../cloudflare/turnstile.ts'
import { hooks } from '../hooks.ts'
import type { Kind } from './kind.ts'

/** A Turnstile widget. With it pages of the app prove that a person uses them. */
export const widget: Kind = {
  holdsData: false,
  find: async (cloud, row) => {
    const found = await findWidget(cloud, row.name)
    if (found === null) return 'missing'
    // Another key under the same name is another widget, whose secret the app does not have.
    return row.provider_id === null || row.provider_id === found.sitekey ? 'ok' : 'drifted'
  },
  make: (work, row) => hooks().makers.widget(work, row),
  remove: async (cloud, row) => {
    const found = await findWidget(cloud, row.name)
    // One that was made by hand since is kept.
    if (found === null || (row.provider_id !== null && row.provider_id !== found.sitekey)) return
    await deleteWidget(cloud, found)
  },
}
