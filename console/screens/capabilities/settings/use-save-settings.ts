import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CapabilityChange, capabilityQuery } from '../../../api/project/capabilities.ts'
import type { TypedFields } from '../../../shell/use-draft-fields.ts'
import { useSetCapability } from '../use-set-capability.ts'

interface SettingsChange extends Required<Pick<CapabilityChange, 'settings'>> {
  secrets: Record<string, string>
  /** What was typed into the form when it was sent. */
  typed: TypedFields
}

/**
 * Saves settings. Reads the capability first and saves nothing when another person has changed one of these settings since it was shown.
 * The form then shows the newer value. `onSaved` is called even when the form was closed.
 */
export function useSaveSettings(
  projectId: string,
  shown: Capability,
  onSaved: (sent: SettingsChange) => void,
) {
  const client = useQueryClient()
  const set = useSetCapability(projectId, shown.key)
  return useMutation({
    mutationFn: async ({ settings, secrets }: SettingsChange) => {
      const stored = await client.fetchQuery({
        ...capabilityQuery(projectId, shown.key),
        networkMode: 'always',
      })
      const isNewer = (name: string) => {
        const now = JSON.stringify(stored.settings[name])
        return now !== JSON.stringify(shown.settings[name]) && now !== JSON.stringify(settings[name])
      }
      if (Object.keys(settings).some(isNewer)) return false
      await set.mutateAsync({
        enabled: stored.enabled,
        settings,
        ...(Object.keys(secrets).length > 0 && { secrets }),
      })
      return true
    },
    onSuccess: (isSaved, sent) => {
      if (isSaved) onSaved(sent)
    },
  })
}
