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
 * Changes one capability. Not optimistic: a capability is shown as on only once the service has confirmed it.
 */
export function useSetCapability(projectId: string, key: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: CapabilityChange) => setCapability(projectId, key, change),
    onSuccess: (changed) => {
      client.setQueryData(capabilityQuery(projectId, key).queryKey, changed)
      if (changed.alsoOff.length > 0)
        notify(capabilitiesText.turnedOff(changed.title, titlesOf(changed.alsoOff).join(', ')))
      for (const { reason } of changed.unchecked) notify(reason)
    },
    onSettled: () => {
      // The account is asked for what is missing, which is slow: do not wait for it, and drop the old findings at once.
      void client.resetQueries(readinessQuery(projectId))
      // Dependencies may have changed as well, and an error may be about one of them.
      return client.invalidateQueries({ queryKey: capabilitiesQuery(projectId).queryKey })
    },
  })
}
