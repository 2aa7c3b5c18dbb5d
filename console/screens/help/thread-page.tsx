import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { helpText as words } from '../../text/help.en.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { PageHeading } from '../../ui/page/page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'

export function ThreadPage<Thread>(props: {
  back: string
  /** The heading while there is no conversation to name. */
  title: string
  thread: UseQueryResult<Thread>
  children: (thread: Thread) => ReactNode
}) {
  const { back, title, thread, children } = props
  return (
    <div className="mx-auto w-full max-w-3xl space-y-6 px-4 pt-6 pb-16 sm:px-8 sm:pt-10">
      <a href={back} className="block w-fit text-[13px] text-kumo-link underline underline-offset-3">
        {words.back}
      </a>
      {!thread.data && <PageHeading>{title}</PageHeading>}
      {thread.isPending && (
        <Skeleton>
          <Bar className="h-24 w-full rounded-xl" />
        </Skeleton>
      )}
      <LoadFailure query={thread} />
      {thread.data && children(thread.data)}
    </div>
  )
}
