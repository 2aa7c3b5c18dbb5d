import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { accountQuery } from '../../api/account/auth.ts'
import { useStore } from '../../lib/store.ts'
import { gatesText } from '../../text/gates.en.ts'
import { Mark, Wordmark } from '../../ui/page/brand.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { isAccountGone } from '../../shell/in-app-shell.ts'
import { leaveConsole } from '../../shell/leave-console.ts'

/** Shown when an organization refuses the session: the reason, what to do, and the user's other organizations. */
export function GatePage(props: { title: string; lead: string; children: ReactNode }) {
  usePageTitle(props.title)
  const account = useQuery(accountQuery()).data
  const isGone = useStore(isAccountGone)
  return (
    <div className="flex min-h-dvh flex-col bg-kumo-base px-6 py-6 sm:px-10">
      <p className="flex items-center gap-2.5 text-kumo-strong">
        <Mark className="size-8" />
        <Wordmark className="text-[19px]" />
      </p>
      <main id="content" className="mx-auto my-auto w-full max-w-md min-w-0 space-y-6 py-10">
        <div className="space-y-1.5">
          <PageHeading className="text-[26px] text-balance">{props.title}</PageHeading>
          <p className="text-kumo-subtle text-pretty">{props.lead}</p>
        </div>
        {props.children}
      </main>
      {!isGone && (
        <footer className="mx-auto flex w-full max-w-md flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-kumo-line pt-3 text-[13px] text-kumo-subtle">
          <span className="min-w-0 break-words">{account && gatesText.signedInAs(account.user.email)}</span>
          <Button size="sm" variant="ghost" onClick={() => void leaveConsole()}>
            {gatesText.signOut}
          </Button>
        </footer>
      )}
    </div>
  )
}
