import { CheckCircleIcon, WarningCircleIcon } from '@phosphor-icons/react'
import { useId, useState } from 'react'
import { webhooksText } from '../../../text/webhooks.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FIELD_STYLE, TextField } from '../../../ui/controls/text-field.tsx'
import { checkSignature, type SignatureVerdict } from './check-signature.ts'

const signatureCheckerText = webhooksText.checker

/** Verifies the signature of a received request in the browser. Nothing is sent. */
export function SignatureChecker() {
  const bodyId = useId()
  const [verdict, setVerdict] = useState<SignatureVerdict | null>(null)
  const submit = async (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const read = (name: string) => String(data.get(name) ?? '')
    setVerdict(
      await checkSignature({
        secret: read('secret').trim(),
        header: read('header'),
        // Forms submit line breaks as CRLF, but the pasted body had LF.
        body: read('body').replaceAll('\r\n', '\n'),
        ignoreAge: data.has('ignoreAge'),
      }),
    )
  }
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <form
      onSubmit={(event) => void submit(event)}
      onChange={() => setVerdict(null)}
      noValidate
      className="flex flex-col gap-4"
    >
      <TextField name="secret" label={signatureCheckerText.secret} placeholder="whsec_…" {...plain} />
      <TextField name="header" label={signatureCheckerText.header} placeholder="t=…,v1=…" {...plain} />
      <div className="space-y-1.5">
        <label htmlFor={bodyId} className="block font-medium">
          {signatureCheckerText.body}
        </label>
        <textarea
          id={bodyId}
          name="body"
          rows={4}
          placeholder={'{"id":"evt_…'}
          className={`${FIELD_STYLE} block resize-y py-2 font-mono text-xs ring-kumo-line`}
          {...plain}
        />
      </div>
      <label className="flex min-h-6 cursor-pointer items-center gap-2.5">
        <input type="checkbox" name="ignoreAge" className="size-4" />
        {signatureCheckerText.ignoreAge}
      </label>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit">{signatureCheckerText.submit}</Button>
        <p role="status" className="flex min-w-0 flex-1 basis-64 items-start gap-2">
          {verdict &&
            (verdict.isRight ? (
              <CheckCircleIcon
                weight="fill"
                className="mt-0.5 size-[18px] shrink-0 text-added"
                aria-hidden="true"
              />
            ) : (
              <WarningCircleIcon
                weight="fill"
                className="mt-0.5 size-[18px] shrink-0 text-removed"
                aria-hidden="true"
              />
            ))}
          {verdict?.sentence}
        </p>
      </div>
    </form>
  )
}
