import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type AppUser,
  appUsersQuery,
  collectionsQuery,
  eraseAppUser,
} from '../../../api/project/capabilities.ts'
import { notify } from '../../../shell/toasts/toasts.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'

const words = capabilitiesText.users

/** Erases a person of the live app, and says what was removed and what stays. */
export function EraseUser(props: { projectId: string; user: AppUser; onClose: () => void }) {
  const { projectId, user, onClose } = props
  const client = useQueryClient()
  const erase = useMutation({
    mutationFn: () => eraseAppUser(projectId, user.id),
    onSuccess: async ({ removed, kept }) => {
      onClose()
      notify(words.erased(user.name, removed['records'] ?? 0, removed['files'] ?? 0, kept.sharedRecords))
      await Promise.all([
        client.invalidateQueries(appUsersQuery(projectId)),
        client.invalidateQueries(collectionsQuery(projectId)),
      ])
    },
  })
  return (
    <Confirm
      title={words.eraseTitle(user.name)}
      consequence={words.eraseConsequence}
      submit={words.erase}
      typed={user.email}
      busy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    />
  )
}
