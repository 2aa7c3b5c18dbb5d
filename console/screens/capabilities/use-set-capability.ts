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
 * Changes one capability. Not optimistic: a capability is shown as on only after the service has confirmed it. To change one entry of a
 * setting that holds several, pass a function. It gets the capability as stored now, so that entries saved by another member since the page
 * was read are kept.
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
      // Refetch also after an error: the change may have been saved although the response was lost, and may have turned on other
      // capabilities.
      return client.invalidateQueries({ queryKey: capabilitiesQuery(projectId).queryKey })
    },
  })
}
