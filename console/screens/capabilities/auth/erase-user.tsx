import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AppUser } from '../../../api/project/app-people.ts'
import { collectionsQuery } from '../../../api/project/capabilities.ts'
import { eraseAppUser } from './query.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { notify } from '../../../shell/toasts/toasts.ts'
import { usersText } from './text.en.ts'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'

export function EraseUser(props: { projectId: string; user: AppUser; onClose: () => void }) {
  const { projectId, user, onClose } = props
  const client = useQueryClient()
  const erase = useMutation({
    mutationFn: () => eraseAppUser(projectId, user.id),
    // Returns no promise, so that the dialog shows the error without waiting for the refetch.
    onError: () => void client.invalidateQueries({ queryKey: queryKeys.appUsers(projectId) }),
    onSuccess: async ({ removed, kept }) => {
      onClose()
      notify(usersText.erased(user.name, removed['records'] ?? 0, removed['files'] ?? 0, kept.sharedRecords))
      await Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.appUsers(projectId) }),
        client.invalidateQueries(collectionsQuery(projectId)),
      ])
    },
  })
  return (
    <Confirm
      title={usersText.eraseTitle(user.name)}
      consequence={usersText.eraseConsequence}
      submit={user.erasing ? usersText.continueErasing : usersText.erase}
      typed={user.email}
      busy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    />
  )
}
