import { signInStepsText } from '../../text/sign-in-steps.en.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { verifyBackupCode, verifyTotp } from '../../api/account/auth.ts'
import { rewordError } from '../../api/request/reword-error.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { TextField } from '../../ui/controls/text-field.tsx'
import { withoutSpaces, isTotpCode } from '../../ui/two-factor/totp.ts'
import { formFieldText } from './credentials.ts'
import { EntryForm } from './entry-form.tsx'

const twoFactorText = signInStepsText.twoFactor

export function CodeForm(props: {
  title: string | null
  lead: string
  onIn: () => unknown
  other?: React.ReactNode
}) {
  const [isBackup, setBackup] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const entering = useMutation({
    mutationFn: (input: { code: string; trustDevice: boolean }) =>
      isBackup ? verifyBackupCode(input) : verifyTotp(input),
    onSuccess: props.onIn,
  })
  const submit = (form: FormData) => {
    const code = withoutSpaces(formFieldText(form, 'code'))
    const isWhole = isBackup ? code !== '' : isTotpCode(code)
    setProblem(isWhole ? null : isBackup ? twoFactorText.backupMissing : twoFactorText.codeMissing)
    if (isWhole) entering.mutate({ code, trustDevice: form.has('trust') })
    else entering.reset()
    return isWhole ? {} : { code: true }
  }
  const switchCodeKind = () => {
    setBackup(!isBackup)
    setProblem(null)
    entering.reset()
  }
  return (
    <EntryForm
      title={props.title}
      lead={isBackup ? twoFactorText.backupLead : props.lead}
      error={rewordError(entering.error, { rate_limited: signInText.throttled })}
      submit={twoFactorText.submit}
      isPending={entering.isPending}
      onSubmit={submit}
      other={
        <div className="space-y-3">
          <p>
            <button
              type="button"
              onClick={switchCodeKind}
              className="cursor-pointer rounded-sm font-medium text-kumo-link underline underline-offset-3"
            >
              {isBackup ? twoFactorText.useApp : twoFactorText.useBackup}
            </button>
          </p>
          {props.other}
        </div>
      }
    >
      <TextField
        // The changed key clears the field when the user switches between the two kinds of code.
        key={String(isBackup)}
        name="code"
        size="lg"
        label={isBackup ? twoFactorText.backup : twoFactorText.code}
        autoFocus
        autoComplete={isBackup ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        className={isBackup ? 'font-mono' : 'font-mono text-[17px] tracking-[0.3em]'}
        {...(!isBackup && { inputMode: 'numeric' })}
        {...(problem !== null && { error: problem })}
      />
      <label className="flex min-h-6 cursor-pointer items-center gap-2.5">
        <input type="checkbox" name="trust" className="size-4" />
        {twoFactorText.trust}
      </label>
    </EntryForm>
  )
}
