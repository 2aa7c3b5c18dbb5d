import type { AccountDeletion } from '@slipway/sdk/client/types.gen.ts'
import { onlineManager, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deletionQuery } from '../../../api/account/deletion.ts'
import { href } from '../../../routes.ts'
import { isAccountGone } from '../../../shell/in-app-shell.ts'
import { leaveConsole } from '../../../shell/leave-console.ts'
import { deletionText as words } from '../../../text/deletion.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { LoadFailure } from '../../../ui/page/failure.tsx'
import { Bar, Skeleton } from '../../../ui/page/skeleton.tsx'
import { Box } from '../section.tsx'
import { PlannedOrganizations } from './planned-organizations.tsx'
import { RunDeletion } from './run-deletion.tsx'

/**
 * Lists what a deletion of the account deletes and what it keeps, and runs the deletion. Signs the person out
 * at the end.
 */
export function DeletionParts() {
  const plan = useQuery(deletionQuery())
  const [done, setDone] = useState<AccountDeletion | null>(null)
  const finish = (last: AccountDeletion) => {
    if (last.left.length === 0) return void leaveConsole()
    // Pause all queries. The session is deleted, so a query would fail and replace the list below with the
    // sign-in page.
    onlineManager.setOnline(false)
    isAccountGone.set(true)
    setDone(last)
  }
  if (done !== null) return <DeletionDone plan={done} />
  return (
    <div className="space-y-8">
      <p className="text-kumo-subtle">{words.lead}</p>
      {plan.isPending && (
        <Skeleton>
          <Bar className="h-28 w-full rounded-xl" />
        </Skeleton>
      )}
      <LoadFailure query={plan} />
      {plan.data && (
        <>
          <PlannedOrganizations plan={plan.data} />
          <RemainingRecords />
          <RunDeletion plan={plan.data} onDone={finish} />
        </>
      )}
    </div>
  )
}

function RemainingRecords() {
  return (
    <section aria-labelledby="stays" className="space-y-2">
      <h2 id="stays" className="text-[15px] font-semibold text-kumo-strong">
        {words.stays}
      </h2>
      <ul className="list-disc space-y-1 pl-5 text-kumo-subtle">
        {words.staysList.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="text-kumo-subtle">
        {words.export}{' '}
        <a href={href.organization()} className="text-kumo-link underline underline-offset-3">
          {words.exportLink}
        </a>
      </p>
    </section>
  )
}

/** Lists the resources that could not be removed, because the person has to remove them by hand. */
function DeletionDone({ plan }: { plan: AccountDeletion }) {
  return (
    <div className="space-y-5">
      <div className="space-y-1" role="status">
        <h2 className="text-[15px] font-semibold text-kumo-strong">{words.done}</h2>
        <p className="text-kumo-subtle">{words.doneHint}</p>
      </div>
      <Box>
        <ul className="divide-y divide-kumo-hairline">
          {plan.left.map(({ name, projectName, detail }) => (
            <li key={`${projectName} ${name}`} className="space-y-0.5 py-2 break-words first:pt-0 last:pb-0">
              <p className="font-medium text-kumo-strong">
                {name} <span className="font-normal text-kumo-subtle">{projectName}</span>
              </p>
              <p className="text-[13px] text-kumo-subtle">{detail}</p>
            </li>
          ))}
        </ul>
      </Box>
      <Button variant="primary" onClick={() => void leaveConsole()}>
        {words.finish}
      </Button>
    </div>
  )
}
