import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { enableTwoFactor, hasPasswordQuery, verifyTotp } from '../../api/account/auth.ts'
import { text } from '../../text/en.ts'
import { twoFactorText as words } from '../../text/two-factor.en.ts'
import { BackupCodes } from './backup-codes.tsx'
import { focusField } from '../browser/focus-field.ts'
import { useStayOnPage } from '../browser/use-stay-on-page.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { FailureNote } from '../page/failure.tsx'
import { QrCode } from './qr-code.tsx'
import { TextField } from '../controls/text-field.tsx'
import { withoutSpaces, isTotpCode, readableTotpKey } from './totp.ts'
import { Button } from '../controls/button.tsx'

interface TotpEnrollment {
  totpURI: string
  backupCodes: string[]
}

/** Sets up a second factor in steps: password, authenticator app, backup codes. The caller renders the heading. */
export function TwoFactorSetup({ onDone }: { onDone: () => void }) {
  // Only this component holds the key and the codes; they are never cached.
  const [setUp, setSetUp] = useState<TotpEnrollment | null>(null)
  const [isOn, setOn] = useState(false)
  if (setUp === null) return <BeginSetup onBegun={setSetUp} />
  if (!isOn) return <ScanCode totpURI={setUp.totpURI} onConfirmed={() => setOn(true)} />
  return (
    <SetupStep title={words.codesTitle} lead={words.codes}>
      <BackupCodes codes={setUp.backupCodes} />
      <Button variant="primary" size="lg" className="w-full justify-center" onClick={onDone}>
        {words.saved}
      </Button>
    </SetupStep>
  )
}

function BeginSetup({ onBegun }: { onBegun: (setUp: TotpEnrollment) => void }) {
  const hasPassword = useQuery(hasPasswordQuery())
  const begin = useMutation({ mutationFn: enableTwoFactor, onSuccess: onBegun })
  const [problem, setProblem] = useState<string>()
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = new FormData(event.currentTarget).get('password')
    const isMissing = hasPassword.data === true && password === ''
    setProblem(isMissing ? words.passwordMissing : undefined)
    if (isMissing) focusField(event.currentTarget, 'password')
    else begin.mutate(typeof password === 'string' ? password : undefined)
  }
  if (hasPassword.isPending) return <p role="status">{text.common.loading}</p>
  if (hasPassword.isError)
    return <FailureNote error={hasPassword.error} onRetry={() => void hasPassword.refetch()} />
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      {begin.isError && <FailureNote title={words.failed} error={begin.error} takeFocus />}
      {hasPassword.data && (
        <TextField
          name="password"
          type="password"
          size="lg"
          label={words.password}
          autoComplete="current-password"
          {...(problem ? { error: problem } : { description: words.passwordHint })}
        />
      )}
      <Button type="submit" variant="primary" size="lg" loading={begin.isPending}>
        {words.begin}
      </Button>
    </form>
  )
}

function ScanCode({ totpURI, onConfirmed }: { totpURI: string; onConfirmed: () => void }) {
  const key = readableTotpKey(totpURI)
  const confirm = useMutation({ mutationFn: verifyTotp, onSuccess: onConfirmed })
  // Once the service has the request, the account needs a second factor, and only this page has the backup codes.
  useStayOnPage(confirm.isPending)
  const [problem, setProblem] = useState<string>()
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = withoutSpaces(String(new FormData(event.currentTarget).get('code')))
    setProblem(isTotpCode(code) ? undefined : words.codeMissing)
    if (isTotpCode(code)) confirm.mutate({ code })
    else focusField(event.currentTarget, 'code')
  }
  return (
    <SetupStep title={words.scanTitle} lead={words.scan}>
      <div className="flex flex-wrap items-center gap-5">
        <QrCode value={totpURI} label={words.qr} />
        <div className="min-w-0 flex-1 basis-44 space-y-1">
          <p className="text-[13px] text-kumo-subtle">{words.byHand}</p>
          <p className="flex items-start gap-1">
            <code className="min-w-0 font-mono text-[13px] leading-relaxed break-words">{key}</code>
            <CopyButton value={key.replaceAll(' ', '')} label={words.copyKey} />
          </p>
        </div>
      </div>
      <form noValidate onSubmit={submit} className="space-y-4">
        {confirm.isError && <FailureNote title={words.failed} error={confirm.error} takeFocus />}
        <TextField
          name="code"
          size="lg"
          label={words.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          className="font-mono text-[17px] tracking-[0.3em]"
          {...(problem && { error: problem })}
        />
        <Button type="submit" variant="primary" size="lg" loading={confirm.isPending}>
          {words.confirm}
        </Button>
      </form>
    </SetupStep>
  )
}

function SetupStep(props: { title: string; lead: string; children: React.ReactNode }) {
  return (
    <div className="space-y-4">
      <div role="status" className="space-y-1">
        <h2 className="text-[16px] font-semibold text-kumo-strong">{props.title}</h2>
        <p className="text-kumo-subtle">{props.lead}</p>
      </div>
      {props.children}
    </div>
  )
}
