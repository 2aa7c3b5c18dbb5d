import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LineCounts } from '../../editor/line-counts.tsx'
import { diffQuery, revertProject, type VersionDiff } from '../../api/project/versions.ts'
import { changedBy, invalidateAll } from '../../api/query-keys.ts'
import { notify, notifyFailure } from '../../shell/toasts/toasts.ts'
import { versionsText as words } from '../../text/code.en.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'

interface RevertDialogProps {
  projectId: string
  sha: string
  /** The newest version. The earlier version (`sha`) is compared with it. */
  newest: string
  onDone: () => void
  onClose: () => void
}

/** Shows what would change before reverting to an earlier version. */
export function RevertDialog({ projectId, sha, newest, onDone, onClose }: RevertDialogProps) {
  const diff = useQuery(diffQuery(projectId, sha, newest))
  const revert = useRevert(projectId)
  const files = diff.data?.files ?? []
  return (
    <Confirm
      title={words.confirm(sha.slice(0, 7))}
      consequence={diff.isError ? words.uncounted : consequenceOf(diff.data)}
      details={
        files.length > 0 && (
          <>
            <ul
              tabIndex={0}
              aria-label={words.changing}
              className="max-h-56 overflow-y-auto rounded-lg bg-kumo-recessed px-3 py-2"
            >
              {files.map(({ path, added, removed }) => (
                <li key={path} className="flex items-baseline gap-3 py-0.5">
                  <code className="min-w-0 flex-1 font-mono text-xs break-all">{path}</code>
                  <LineCounts added={added} removed={removed} />
                </li>
              ))}
            </ul>
            <p className="text-[13px] text-kumo-subtle">{words.keeps}</p>
          </>
        )
      }
      submit={words.revertTo(sha.slice(0, 7))}
      isHarmless
      isBlocked={files.length === 0}
      busy={revert.isPending}
      error={revert.error ?? diff.error}
      onConfirm={() => revert.mutate({ sha, before: newest }, { onSuccess: onDone })}
      onClose={onClose}
    />
  )
}

function consequenceOf(diff: VersionDiff | undefined): string {
  if (diff === undefined) return words.counting
  return diff.files.length === 0 ? words.same : words.consequence(diff.files.length)
}

/**
 * Reverts to an earlier version by adding a version. The success message has an undo button, which reverts to the previously newest
 * version.
 */
function useRevert(projectId: string) {
  const client = useQueryClient()
  // The list of versions, the page for shipping and the preview depend on the newest version.
  const refresh = () => invalidateAll(client, changedBy.revert(projectId))
  const undo = (before: string) => {
    revertProject(projectId, before)
      .then(() => {
        notify(words.undone)
        return refresh()
      })
      .catch(notifyFailure)
  }
  return useMutation({
    mutationFn: ({ sha }: { sha: string; before: string }) => revertProject(projectId, sha),
    // The versions may have been read again during the request. The newest version is then the revert itself, so use `before`.
    onSuccess: ({ restored }, { before }) => {
      notify(words.reverted(restored.slice(0, 7)), { undo: () => undo(before) })
      void refresh()
    },
  })
}
