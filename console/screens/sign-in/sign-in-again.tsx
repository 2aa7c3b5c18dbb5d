import { signInStepsText } from '../../text/sign-in-steps.en.ts'
import { Dialog } from '@cloudflare/kumo/components/dialog'
import { CSPProvider } from '@cloudflare/kumo/primitives/csp-provider'
import type { Me } from '@slipway/sdk/client/types.gen.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { resumeSession } from '../../api/account/resume-session.ts'
import { describeFailure } from '../../api/request/failures.ts'
import { queryClient } from '../../api/request/query-client.ts'
import { meQuery } from '../../api/account/session.ts'
import { href } from '../../routes.ts'
import { Button } from '../../ui/controls/button.tsx'
import { styleNonce } from '../../ui/code/style-nonce.ts'
import { CodeForm } from './code-form.tsx'
import { PasswordForm } from './password-form.tsx'

const signInAgainText = signInStepsText.again

/** Opens a sign-in dialog over the page, which stays mounted. Resolves with whether the user signed in. */
export function askToSignIn(): Promise<boolean> {
  const me = queryClient.getQueryData(meQuery().queryKey)
  if (!me?.user) return Promise.resolve(false)
  const { user } = me
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  return new Promise((resolve) => {
    const closeDialog = (isIn: boolean) => {
      root.unmount()
      place.remove()
      resolve(isIn)
    }
    root.render(
      <CSPProvider nonce={styleNonce()}>
        <QueryClientProvider client={queryClient}>
          <SignInAgain me={me} email={user.email} onEnd={closeDialog} />
        </QueryClientProvider>
      </CSPProvider>,
    )
  })
}

function SignInAgain(props: { me: Me; email: string; onEnd: (isIn: boolean) => void }) {
  const [isCode, setCode] = useState(false)
  const enter = async () => {
    const isSame = await resumeSession(props.me).catch((error: unknown) => {
      // Let the form show the error: opening the home page would lose the unsaved text of this page.
      if (describeFailure(error).retryable) throw error
      return false
    })
    // When another user signed in, or the user has left the organization, they must not see this page: open the home page.
    if (isSame) props.onEnd(true)
    else location.assign(href.home())
  }
  // Load the sign-in page as a new document, because a sign-in as another user must clear everything that this page holds.
  const openSignIn = () => location.assign(href.signIn(location.pathname + location.search))
  const putOff = () => props.onEnd(false)
  // Escape must close only this dialog, and not the dialog below it.
  const keepEscape = (event: React.KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    putOff()
  }
  const other = (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <Button type="button" variant="ghost" className="-ml-3" onClick={openSignIn}>
        {signInAgainText.otherAccount}
      </Button>
      <Button type="button" variant="ghost" className="-mr-3" onClick={putOff}>
        {signInAgainText.later}
      </Button>
    </div>
  )
  return (
    <Dialog.Root open onOpenChange={(open) => !open && putOff()} disablePointerDismissal>
      <Dialog size="base" className="w-full p-6">
        <div className="space-y-4" onKeyDown={keepEscape}>
          <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
            {signInAgainText.title}
          </Dialog.Title>
          {isCode ? (
            <CodeForm title={null} lead={signInAgainText.codeLead} onIn={enter} other={other} />
          ) : (
            <PasswordForm
              title={null}
              lead={signInAgainText.lead(props.email)}
              email={props.email}
              onIn={enter}
              onCode={() => setCode(true)}
              other={other}
            />
          )}
        </div>
      </Dialog>
    </Dialog.Root>
  )
}
