import { deleteWidget, findWidget } from '../../cloudflare/products/turnstile.ts'
import type { ResourceLifecycle } from './kind.ts'

/** A Turnstile widget. Pages of the app use it to verify that the visitor is a person. */
export const widgetKind: ResourceLifecycle = {
  holdsData: false,
  find: async (cloud, row) => {
    const found = await findWidget(cloud, row.name)
    if (found === null) return 'missing'
    // A widget with the same name and another key has a secret that the app does not have.
    return row.provider_id === null || row.provider_id === found.sitekey ? 'ok' : 'drifted'
  },
  make: (work, row) => work.platform.makers.widget(work, row),
  remove: async (cloud, row) => {
    const found = await findWidget(cloud, row.name)
    // A widget that a person has made since is kept.
    if (found === null || (row.provider_id !== null && row.provider_id !== found.sitekey)) return
    await deleteWidget(cloud, found)
  },
}
