import { FingerprintIcon } from '@phosphor-icons/react'
import { useMutation } from '@tanstack/react-query'
import { canUsePasskeys, signInWithPasskey } from '../../api/account/passkeys.ts'
import { signInText } from '../../text/sign-in.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'

/** Signs in with a passkey, which needs neither an e-mail address nor a code. */
export function PasskeyButton({ onIn }: { onIn: () => unknown }) {
  const enter = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: onIn })
  if (!canUsePasskeys()) return null
  return (
    <div className="space-y-3">
      <Button
        type="button"
        size="lg"
        className="w-full justify-center"
        icon={<FingerprintIcon />}
        loading={enter.isPending}
        onClick={() => enter.mutate()}
      >
        {signInText.passkey}
      </Button>
      {enter.isError && <FailureNote error={enter.error} takeFocus />}
    </div>
  )
}
