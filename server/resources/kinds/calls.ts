import { type CallsKind, deleteCalls, findCalls } from '../../cloudflare/products/calls.ts'
import type { ResourceLifecycle } from './kind.ts'

const callsResourceKind = (kind: CallsKind): ResourceLifecycle => ({
  holdsData: false,
  find: async (cloud, row) => {
    const found = await findCalls(cloud, kind, row.name)
    if (found.length === 0) return 'missing'
    // An SFU app or TURN key with the same name and another id is not the app's own: the app does not have its secret.
    return found.some(({ uid }) => uid === row.provider_id) ? 'ok' : 'drifted'
  },
  make: (work, row) => work.platform.makers.calls(work, { ...row, kind }),
  remove: async (cloud, row) => {
    for (const one of await findCalls(cloud, kind, row.name)) {
      // A row without an id comes from a creation whose response was lost. A resource with another id belongs to a person and is kept.
      if (row.provider_id === null || row.provider_id === one.uid) await deleteCalls(cloud, kind, one)
    }
  },
})

export const sfuApp = callsResourceKind('sfu_app')

/** A key for relay servers, which calls need when browsers cannot reach each other directly. */
export const turnKey = callsResourceKind('turn_key')
