import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Organization,
  organizationsQuery,
  updateOrganization,
} from '../../../api/organization/organizations.ts'
import { rewordError } from '../../../api/request/reword-error.ts'
import { meQuery } from '../../../api/account/session.ts'
import { isSlug } from '../../../shell/organizations/order.ts'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import { notify } from '../../../shell/toasts/toasts.ts'
import { type TypedFields, useDraftFields } from '../../../shell/use-draft-fields.ts'
import { organizationsText } from '../../../text/organizations.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'

const organizationSettingsText = organizationsText.settings

/** Edits the names of an organization. A refetch does not overwrite a name that the user is editing. */
export function OrganizationForm(props: { organization: Organization; reason: string | null }) {
  const { organization, reason } = props
  const client = useQueryClient()
  const draft = useDraftFields('organization', organization.id, {
    name: organization.name,
    slug: organization.slug,
  })
  const { name, slug } = { name: draft.textOf('name'), slug: draft.textOf('slug') }
  const [problems, setProblems] = useState<{ name?: string; slug?: string }>({})
  const save = useMutation({
    // Send only the names that were edited: another member may have changed a name that was not edited here.
    mutationFn: (sent: TypedFields) =>
      updateOrganization(organization.id, {
        ...(sent['name'] && { name: sent['name'].text.trim() }),
        ...(sent['slug'] && { slug: sent['slug'].text.trim() }),
      }),
    onSuccess: async (_saved, sent) => {
      notify(organizationSettingsText.saved)
      await Promise.all([
        client.invalidateQueries({ queryKey: organizationsQuery().queryKey, exact: true }),
        client.invalidateQueries({ queryKey: meQuery().queryKey }),
      ])
      // Keep text that was typed while the request ran, because it is not saved yet.
      draft.forget(sent)
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
    if (first === undefined) save.mutate(draft.typed)
    else event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }
  return (
    <form noValidate onSubmit={submit} className="max-w-lg space-y-5">
      {save.isError && (
        <FailureNote
          title={organizationSettingsText.failed}
          error={rewordError(save.error, ERROR_SENTENCES)}
          takeFocus
        />
      )}
      <FormDraftNote
        draft={draft}
        labels={{ name: organizationsText.name, slug: organizationSettingsText.slug }}
      />
      <TextField
        {...draft.field('name')}
        label={organizationsText.name}
        maxLength={80}
        autoComplete="organization"
        readOnly={reason !== null}
        {...(problems.name ? { error: problems.name } : { description: organizationsText.nameHint })}
      />
      <TextField
        {...draft.field('slug')}
        label={organizationSettingsText.slug}
        maxLength={48}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        readOnly={reason !== null}
        className="font-mono text-[13px]"
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
