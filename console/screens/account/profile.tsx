import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changedBy, invalidateAll } from '../../api/query-keys.ts'
import { type AccountUser, updateUser } from '../../api/account/auth.ts'
import { describeFailure } from '../../api/request/failures.ts'
import { FormDraftNote } from '../../shell/form-draft-note.tsx'
import { notify } from '../../shell/toasts/toasts.ts'
import { type TypedFields, useDraftFields } from '../../shell/use-draft-fields.ts'
import { accountText } from '../../text/account.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { EmailState } from './email-state.tsx'
import { focusField, focusRefusedField } from '../../ui/browser/focus-field.ts'
import { Box, Section } from './section.tsx'

const profileText = accountText.profile

export function Profile({ user }: { user: AccountUser }) {
  const client = useQueryClient()
  const draft = useDraftFields('profile', '', { name: user.name })
  const [problem, setProblem] = useState<string>()
  const save = useMutation({
    mutationFn: ({ name }: { name: string; typed: TypedFields }) => updateUser({ name }),
    onSuccess: async (_saved, sent) => {
      notify(profileText.saved)
      await invalidateAll(client, changedBy.profile)
      draft.forget(sent.typed)
    },
  })
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = draft.textOf('name').trim()
    setProblem(name === '' ? profileText.nameMissing : undefined)
    const form = event.currentTarget
    if (name === '') focusField(form, 'name')
    else save.mutate({ name, typed: draft.typed }, { onError: (error) => focusRefusedField(form, error) })
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
          <FormDraftNote draft={draft} labels={{ name: profileText.name }} />
          <TextField
            {...draft.field('name')}
            label={profileText.name}
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
