import { LifebuoyIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { deskQuery } from '../../api/organization/help-desk.ts'
import { DESK_STATES, href } from '../../routes.ts'
import { helpDeskText as words } from '../../text/help-desk.en.ts'
import { SegmentedChoice } from '../../ui/controls/segmented-choice.tsx'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { ThreadList } from './thread-list.tsx'

const STATE_OPTIONS = DESK_STATES.map((value) => ({ value, label: words.states[value] }))

export function HelpDesk() {
  usePageTitle(words.title)
  const router = useRouter()
  const { state = 'open' } = useSearch({ from: '/app/desk' })
  const threads = useQuery(deskQuery(state))
  return (
    <div className="mx-auto w-full max-w-3xl space-y-6 px-4 pt-6 pb-16 sm:px-8 sm:pt-10">
      <div className="space-y-1">
        <PageHeading>{words.title}</PageHeading>
        <p className="text-kumo-subtle">{words.lead}</p>
      </div>
      {threads.data !== null && (
        <SegmentedChoice
          label={words.state}
          value={state}
          options={STATE_OPTIONS}
          onChange={(next) => router.history.push(href.desk(next))}
        />
      )}
      {threads.isPending && (
        <Skeleton>
          <Bar className="h-16 w-full rounded-xl" />
        </Skeleton>
      )}
      <LoadFailure query={threads} />
      {threads.data === null && (
        <EmptyNote icon={<LifebuoyIcon />} title={words.notYours} hint={words.notYoursHint} />
      )}
      {threads.data?.length === 0 && (
        <EmptyNote icon={<LifebuoyIcon />} title={words.none[state]} hint={words.noneHint} />
      )}
      {threads.data && threads.data.length > 0 && (
        <ThreadList
          threads={threads.data}
          hrefOf={href.deskThread}
          aboutOf={({ organization, projectName }) =>
            [organization.name, ...(projectName === null ? [] : [projectName])].join(' · ')
          }
        />
      )}
    </div>
  )
}
