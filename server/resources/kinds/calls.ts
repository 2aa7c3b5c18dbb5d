import { type CallsKind, deleteCalls, findCalls } from '../../cloudflare/calls.ts'
import { hooks } from '../hooks.ts'
import type { Kind } from './kind.ts'

const kindOf = (kind: CallsKind): Kind => ({
  holdsData: false,
  find: async (cloud, row) => {
    const found = await findCalls(cloud, kind, row.name)
    if (found.length === 0) return 'missing'
    // Another id under the same name is one of which the app has no secret.
    return found.some(({ uid }) => uid === row.provider_id) ? 'ok' : 'drifted'
  },
  make: (work, row) => hooks().makers.calls(work, { ...row, kind }),
  remove: async (cloud, row) => {
    for (const one of await findCalls(cloud, kind, row.name)) {
      // Without an id it was made by a call whose reply was lost. One that was made by hand since stays.
      if (row.provider_id === null || row.provider_id === one.uid) await deleteCalls(cloud, kind, one)
    }
  },
})

/** The app of the media server that large calls go through. */
export const sfuApp = kindOf('sfu_app')

/** The key with which calls get relays for browsers that cannot reach each other. */
export const turnKey = kindOf('turn_key')
