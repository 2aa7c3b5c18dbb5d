import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type FormEvent, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { describeFailure } from '../../api/request/failures.ts'
import { projectQuery, updateProject } from '../../api/project/projects.ts'
import { FormDraftNote } from '../../shell/form-draft-note.tsx'
import { notify } from '../../shell/toasts/toasts.ts'
import { type TypedFields, useDraftFields } from '../../shell/use-draft-fields.ts'
import { projectSettingsText as words } from '../../text/project-settings.en.ts'
import { text } from '../../text/en.ts'
import { ReasonButton } from '../../ui/controls/reason-button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'

type TextFieldProps = ComponentProps<typeof TextField>

interface ProjectFieldProps extends Pick<TextFieldProps, 'maxLength' | 'autoCapitalize' | 'spellCheck'> {
  project: Project
  field: 'name' | 'slug'
  label: string
  description: string
  /** The error that is shown when an empty field is saved. */
  missing: string
  isLocked?: boolean
}

export function ProjectField({
  project,
  field,
  label,
  description,
  missing,
  isLocked = false,
  ...input
}: ProjectFieldProps) {
  const client = useQueryClient()
  const draft = useDraftFields('project', `${project.id}.${field}`, { [field]: project[field] })
  const [isMissing, setMissing] = useState(false)
  const save = useMutation({
    mutationFn: ({ wanted }: { wanted: string; typed: TypedFields }) =>
      updateProject(project.id, { [field]: wanted }),
    onSuccess: (saved, sent) => {
      client.setQueryData(projectQuery(project.id).queryKey, saved)
      // Keep a value that the person typed while the sent value was being saved.
      draft.forget(sent.typed)
      notify(words.saved(label))
      return client.invalidateQueries({ queryKey: queryKeys.projects.lists })
    },
  })
  const value = draft.textOf(field)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = value.trim()
    setMissing(wanted === '')
    if (wanted !== '' && wanted !== project[field] && !save.isPending)
      save.mutate({ wanted, typed: draft.typed })
  }
  const failure = save.isError ? describeFailure(save.error) : null
  // A `conflict` means that another project has this name. The error names no field, but is shown at this field.
  const ofField =
    failure && (failure.field === field || failure.code === 'conflict') ? failure.sentence : undefined
  const error = isMissing ? missing : ofField
  return (
    <form noValidate onSubmit={submit} className="space-y-3">
      {failure !== null && ofField === undefined && (
        <FailureNote title={words.notSaved} error={save.error} takeFocus />
      )}
      <FormDraftNote draft={draft} labels={{ [field]: label }} />
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <TextField
            {...input}
            label={label}
            description={description}
            {...(error !== undefined && { error })}
            value={value}
            readOnly={isLocked}
            autoComplete="off"
            className={isLocked ? 'opacity-70' : ''}
            onChange={(event) => {
              draft.write({ [field]: event.target.value })
              setMissing(false)
              if (save.isError) save.reset()
            }}
          />
        </div>
        {!isLocked && (
          <ReasonButton
            type="submit"
            aria-label={words.save(label)}
            className="sm:mt-[27px]"
            loading={save.isPending}
            reason={value.trim() === project[field] ? text.common.nothingToSave : null}
          >
            {text.common.save}
          </ReasonButton>
        )}
      </div>
    </form>
  )
}
