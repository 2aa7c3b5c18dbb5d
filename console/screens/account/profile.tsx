import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changedBy, invalidateAll } from '../../api/query-keys.ts'
import { type AccountUser, updateUser } from '../../api/account/auth.ts'
import { describeFailure } from '../../api/request/failures.ts'
import { notify } from '../../shell/toasts/toasts.ts'
import { accountText } from '../../text/account.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { EmailState } from './email-state.tsx'
import { focusField } from '../../ui/browser/focus-field.ts'
import { Box, Section } from './section.tsx'

const profileText = accountText.profile

export function Profile({ user }: { user: AccountUser }) {
  const client = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const save = useMutation({
    mutationFn: updateUser,
    onSuccess: () => {
      notify(profileText.saved)
      return invalidateAll(client, changedBy.profile)
    },
  })
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    setProblem(name === '' ? profileText.nameMissing : undefined)
    if (name === '') focusField(event.currentTarget, 'name')
    else save.mutate({ name })
  }
  const failure = save.isError ? describeFailure(save.error) : null
  const error = problem ?? (failure?.field === 'name' ? failure.sentence : undefined)
  return (
    <Section title={profileText.title} lead={profileText.lead}>
      <Box>
        <form noValidate onSubmit={submit} className="space-y-4">
          {failure && failure.field !== 'name' && (
            <FailureNote title={profileText.failed} error={save.error} takeFocus />
          )}
          <TextField
            name="name"
            label={profileText.name}
            defaultValue={user.name}
            autoComplete="name"
            maxLength={200}
            {...(error !== undefined && { error })}
          />
          <Button type="submit" loading={save.isPending}>
            {profileText.save}
          </Button>
        </form>
        <EmailState user={user} />
      </Box>
    </Section>
  )
}
