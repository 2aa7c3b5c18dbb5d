import { useMutation } from '@tanstack/react-query'
import { type AccountUser, sendVerificationEmail } from '../../api/account/auth.ts'
import { href } from '../../routes.ts'
import { readBoot } from '../../shell/boot.ts'
import { accountText } from '../../text/account.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { StateDot } from '../../ui/page/state-dot.tsx'
import { MailNote } from '../sign-in/mail-note.tsx'

const profileText = accountText.profile

export function EmailState({ user }: { user: AccountUser }) {
  const send = useMutation({ mutationFn: () => sendVerificationEmail(user.email, href.verifyEmail()) })
  return (
    <div className="mt-5 border-t border-kumo-hairline pt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">{profileText.email}</p>
          <p className="flex flex-wrap items-center gap-x-3 text-kumo-subtle">
            <span className="min-w-0 break-all">{user.email}</span>
            <span className="text-[13px]">
              <StateDot tone={user.emailVerified ? 'good' : 'quiet'}>
                {user.emailVerified ? profileText.verified : profileText.unverified}
              </StateDot>
            </span>
          </p>
        </div>
        {!user.emailVerified && !send.isSuccess && (
          <Button size="sm" loading={send.isPending} onClick={() => send.mutate()}>
            {profileText.sendLink}
          </Button>
        )}
      </div>
      <div role="status" className="text-[13px] not-empty:mt-3">
        {send.isSuccess &&
          (readBoot().mail === 'smtp' ? <p>{profileText.sent(user.email)}</p> : <MailNote />)}
      </div>
      {send.isError && (
        <div className="mt-3">
          <FailureNote error={send.error} />
        </div>
      )}
    </div>
  )
}
