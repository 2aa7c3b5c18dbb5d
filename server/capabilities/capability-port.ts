import type { CapabilityPort } from '../resources/ports.ts'
import { followHosts } from './guard/widget.ts'
import { emptyBuckets } from './operator/empty-bucket.ts'
import { dropEndpoint, inspectEndpoint, makeEndpoint } from './pay/endpoints.ts'
import { listStates } from './switch/capabilities.ts'
import { recordMissing } from './switch/errors.ts'
import { provisionPending } from './switch/provision.ts'
import { rebindWhenDue } from './switch/rebind-due.ts'
import { readUploadVariables } from './switch/variables.ts'

export const capabilityPort: CapabilityPort = {
  states: listStates,
  followHosts,
  uploadVariables: readUploadVariables,
  provision: provisionPending,
  rebindWhenDue,
  recordMissing,
  endpoints: { find: inspectEndpoint, make: makeEndpoint, remove: dropEndpoint },
  emptyBuckets,
}
