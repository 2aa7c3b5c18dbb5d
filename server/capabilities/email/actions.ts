import type { CapabilityActions } from '../capability-actions.ts'
import { listMissingMail, readLiveMail } from './live.ts'
import { syncMail } from './sync.ts'

export const actions: CapabilityActions = {
  // Mail is routed to the live worker, which is one of the resources.
  afterResources: syncMail,
  readLive: readLiveMail,
  // The domain and the mailboxes are stored in tables.
  listMissing: listMissingMail,
}
