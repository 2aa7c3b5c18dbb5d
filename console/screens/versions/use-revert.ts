import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changedBy, invalidateAll } from '../../api/query-keys.ts'
import { revertProject } from '../../api/project/versions.ts'
import { notify, notifyFailure } from '../../shell/toasts/toasts.ts'
import { versionsText as words } from '../../text/code.en.ts'

/** Reverts to an earlier version by adding a new one. The message offers an undo, which reverts to the version before. */
export function useRevert(projectId: string, newest: string, onDone: () => void) {
  const client = useQueryClient()
  // The list of versions, the conditions of a ship and the preview depend on the newest version.
  const refresh = () => invalidateAll(client, changedBy.revert(projectId))
  const undo = () => {
    revertProject(projectId, newest)
      .then(() => {
        notify(words.undone)
        return refresh()
      })
      .catch(notifyFailure)
  }
  return useMutation({
    mutationFn: (sha: string) => revertProject(projectId, sha),
    onSuccess: ({ restored }) => {
      notify(words.reverted(restored.slice(0, 7)), { undo })
      onDone()
      return refresh()
    },
  })
}
