import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Organization,
  organizationsQuery,
  updateOrganization,
} from '../../../api/organization/organizations.ts'
import { reword } from '../../../api/request/reword.ts'
import { meQuery } from '../../../api/account/session.ts'
import { isSlug } from '../../../shell/organizations/order.ts'
import { notify } from '../../../shell/toasts/toasts.ts'
import { organizationsText } from '../../../text/organizations.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'

const organizationSettingsText = organizationsText.settings

interface OrganizationNames {
  name?: string
  slug?: string
}

/** Edits the names of an organization. A refetch does not overwrite a name that the user is editing. */
export function OrganizationForm(props: { organization: Organization; reason: string | null }) {
  const { organization, reason } = props
  const client = useQueryClient()
  const [typed, setTyped] = useState<OrganizationNames>({})
  const { name, slug } = { name: organization.name, slug: organization.slug, ...typed }
  const [problems, setProblems] = useState<{ name?: string; slug?: string }>({})
  const save = useMutation({
    // Send only the names that were edited: another member may have changed a name that was not.
    mutationFn: (sent: OrganizationNames) =>
      updateOrganization(organization.id, {
        ...(sent.name !== undefined && { name: sent.name.trim() }),
        ...(sent.slug !== undefined && { slug: sent.slug.trim() }),
      }),
    onSuccess: async (_saved, sent) => {
      notify(organizationSettingsText.saved)
      await Promise.all([
        client.invalidateQueries({ queryKey: organizationsQuery().queryKey, exact: true }),
        client.invalidateQueries({ queryKey: meQuery().queryKey }),
      ])
      // Keep text that was typed while the request ran, because it is not saved yet.
      setTyped((now) => (now === sent ? {} : now))
    },
  })
  const isChanged = name.trim() !== organization.name || slug.trim() !== organization.slug
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (reason !== null || !isChanged) return
    const found = {
      ...(name.trim() === '' && { name: organizationsText.nameMissing }),
      ...(!isSlug(slug.trim()) && { slug: organizationSettingsText.slugWrong }),
    }
    setProblems(found)
    const first = Object.keys(found)[0]
    if (first === undefined) save.mutate(typed)
    else event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }
  return (
    <form noValidate onSubmit={submit} className="max-w-lg space-y-5">
      {save.isError && (
        <FailureNote
          title={organizationSettingsText.failed}
          error={reword(save.error, ERROR_SENTENCES)}
          takeFocus
        />
      )}
      <TextField
        name="name"
        label={organizationsText.name}
        value={name}
        maxLength={80}
        autoComplete="organization"
        readOnly={reason !== null}
        onChange={(event) => setTyped({ ...typed, name: event.target.value })}
        {...(problems.name ? { error: problems.name } : { description: organizationsText.nameHint })}
      />
      <TextField
        name="slug"
        label={organizationSettingsText.slug}
        value={slug}
        maxLength={48}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        readOnly={reason !== null}
        className="font-mono text-[13px]"
        onChange={(event) => setTyped({ ...typed, slug: event.target.value })}
        {...(problems.slug ? { error: problems.slug } : { description: organizationSettingsText.slugHint })}
      />
      <ReasonButton
        type="submit"
        variant="primary"
        loading={save.isPending}
        reason={reason ?? (isChanged ? null : organizationSettingsText.unchanged)}
      >
        {organizationSettingsText.save}
      </ReasonButton>
      {reason && <p className="text-[13px] text-kumo-subtle">{reason}</p>}
    </form>
  )
}

const ERROR_SENTENCES = { organization_slug_already_taken: organizationSettingsText.slugTaken }
