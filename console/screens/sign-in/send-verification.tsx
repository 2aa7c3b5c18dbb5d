import { signInStepsText } from '../../text/sign-in-steps.en.ts'
import { useMutation } from '@tanstack/react-query'
import { sendVerificationEmail } from '../../api/account/auth.ts'
import { href } from '../../routes.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { MailNote } from './mail-note.tsx'

/**
 * Sends the verification mail again. The response is the same for every address, so that it does not reveal which
 * accounts exist.
 */
export function SendVerification({ email, next }: { email: string; next: string | undefined }) {
  const send = useMutation({ mutationFn: () => sendVerificationEmail(email, href.verifyEmail({ next })) })
  if (send.isSuccess)
    return (
      <div role="status" className="space-y-2">
        <p>{signInStepsText.verify.sentAgain}</p>
        <MailNote />
      </div>
    )
  return (
    <div className="space-y-3">
      <Button loading={send.isPending} onClick={() => send.mutate()}>
        {signInStepsText.verify.again}
      </Button>
      {send.isError && <FailureNote error={send.error} takeFocus />}
    </div>
  )
}
