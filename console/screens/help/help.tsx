import { LifebuoyIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { deskQuery } from '../../api/organization/help-desk.ts'
import { helpQuery } from '../../api/organization/help.ts'
import { href } from '../../routes.ts'
import { appDialog } from '../../shell/app-dialog.ts'
import { helpDeskText } from '../../text/help-desk.en.ts'
import { helpText as words } from '../../text/help.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { ThreadList } from './thread-list.tsx'

export function Help() {
  usePageTitle(words.title)
  const threads = useQuery(helpQuery())
  const asked = useQuery(deskQuery('open')).data
  const ask = (
    <Button variant="primary" onClick={() => appDialog.show('help')}>
      {words.ask}
    </Button>
  )
  return (
    <div className="mx-auto w-full max-w-3xl space-y-6 px-4 pt-6 pb-16 sm:px-8 sm:pt-10">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="space-y-1">
          <PageHeading>{words.title}</PageHeading>
          <p className="text-kumo-subtle">{words.lead}</p>
          {asked && (
            <a href={href.desk()} className="text-kumo-link underline underline-offset-3">
              {helpDeskText.link(asked.length)}
            </a>
          )}
        </div>
        {threads.data && threads.data.length > 0 && ask}
      </div>
      {threads.isPending && (
        <Skeleton>
          <Bar className="h-16 w-full rounded-xl" />
        </Skeleton>
      )}
      <LoadFailure query={threads} />
      {threads.data?.length === 0 && (
        <EmptyNote icon={<LifebuoyIcon />} title={words.none} hint={words.noneHint} action={ask} />
      )}
      {threads.data && threads.data.length > 0 && (
        <ThreadList
          threads={threads.data}
          hrefOf={href.helpThread}
          aboutOf={({ projectName }) => (projectName === null ? null : words.about(projectName))}
        />
      )}
    </div>
  )
}
