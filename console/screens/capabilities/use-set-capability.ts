import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  capabilitiesQuery,
  type CapabilityChange,
  capabilityQuery,
  setCapability,
} from '../../api/project/capabilities.ts'
import { readinessQuery } from '../../api/project/deployments.ts'
import { notify } from '../../shell/toasts/toasts.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { titlesOf } from './capability-metadata.ts'

/**
 * Changes one capability. Not optimistic: a capability is shown as on only after the service has confirmed
 * it. Pass a function to change one entry of a setting that holds several: it gets the capability as it is stored now, so that entries
 * which another member has saved since the page was read are kept.
 */
export function useSetCapability(projectId: string, key: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: CapabilityChange | ((stored: Capability) => CapabilityChange)) =>
      setCapability(
        projectId,
        key,
        typeof change === 'function'
          ? change(await client.fetchQuery({ ...capabilityQuery(projectId, key), networkMode: 'always' }))
          : change,
      ),
    onSuccess: (changed) => {
      client.setQueryData(capabilityQuery(projectId, key).queryKey, changed)
      if (changed.alsoOff.length > 0)
        notify(capabilitiesText.turnedOff(changed.title, titlesOf(changed.alsoOff).join(', ')))
      for (const { reason } of changed.unchecked) notify(reason)
    },
    onSettled: () => {
      // Drop the old readiness at once. Do not wait for the new readiness, because the service reads it
      // from the cloud account.
      void client.resetQueries(readinessQuery(projectId))
      // Refetch also after an error: the change may have been saved although its response was lost, and may have turned on others.
      return client.invalidateQueries({ queryKey: capabilitiesQuery(projectId).queryKey })
    },
  })
}
