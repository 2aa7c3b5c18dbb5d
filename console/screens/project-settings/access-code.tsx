import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { accessQuery, setAccessCode } from '../../api/project/access.ts'
import { notify } from '../../shell/toasts/toasts.ts'
import { projectSettingsText } from '../../text/project-settings.en.ts'
import { text } from '../../text/en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ReasonButton } from '../../ui/controls/reason-button.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'
import { Panel } from '../../ui/page/panel.tsx'

const accessCodeText = projectSettingsText.code
const CODE_CHARS_MIN = 8
const CODE_CHARS_MAX = 100

export function AccessCode({ projectId }: { projectId: string }) {
  const client = useQueryClient()
  const access = useQuery(accessQuery(projectId))
  const [typed, setTyped] = useState('')
  const [isShort, setIsShort] = useState(false)
  const change = useMutation({
    mutationFn: (code: string | null) => setAccessCode(projectId, code),
    onSuccess: (saved, code) => {
      client.setQueryData(accessQuery(projectId).queryKey, saved)
      // Keep a code that the person typed while the previous code was being saved or removed.
      setTyped((now) => (now.trim() === code ? '' : now))
      notify(code === null ? accessCodeText.removed : accessCodeText.wasSet)
    },
  })
  if (!access.data)
    return access.isError ? <FailureNote error={access.error} onRetry={() => void access.refetch()} /> : null
  const { enabled, since, applied } = access.data
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const code = typed.trim()
    const isBad = code.length < CODE_CHARS_MIN || code.length > CODE_CHARS_MAX
    setIsShort(isBad)
    if (!isBad && !change.isPending) change.mutate(code)
  }
  return (
    <Panel
      title={accessCodeText.title}
      hint={enabled ? '' : accessCodeText.open}
      action={
        enabled && (
          <Button
            size="sm"
            variant="secondary-destructive"
            disabled={change.isPending}
            onClick={() => change.mutate(null)}
          >
            {accessCodeText.remove}
          </Button>
        )
      }
    >
      <div className="space-y-3">
        {since !== null && (
          <p className="text-[13px] text-kumo-subtle">
            {accessCodeText.closed} <RelativeTime at={since} />. {accessCodeText.changeHint}
          </p>
        )}
        <p role="status" className="text-[13px] text-kumo-subtle empty:hidden">
          {applied ? '' : accessCodeText.following}
        </p>
        {change.isError && (
          <FailureNote title={projectSettingsText.notSaved} error={change.error} takeFocus />
        )}
        <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1 basis-64">
            <TextField
              label={accessCodeText.field}
              description={accessCodeText.fieldHint}
              {...(isShort && { error: accessCodeText.tooShort })}
              value={typed}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={CODE_CHARS_MAX}
              onChange={(event) => {
                setTyped(event.target.value)
                setIsShort(false)
              }}
            />
          </div>
          <ReasonButton
            type="submit"
            className="sm:mt-[27px]"
            loading={change.isPending}
            reason={typed.trim() === '' ? text.common.fillIn(accessCodeText.field) : null}
          >
            {enabled ? accessCodeText.change : accessCodeText.set}
          </ReasonButton>
        </form>
      </div>
    </Panel>
  )
}
