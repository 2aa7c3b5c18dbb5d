import type { Me } from '@slipway/sdk/client/types.gen.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { connectionsQuery, modelConnectionsQuery } from '../../api/organization/connections.ts'
import { projectsQuery } from '../../api/project/projects.ts'
import { meQuery } from '../../api/account/session.ts'
import { href } from '../../routes.ts'
import { notify } from '../../shell/toasts/toasts.ts'
import { text } from '../../text/en.ts'
import { welcomeText as words } from '../../text/welcome.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { NewProject } from '../projects/new-project.tsx'
import { closeWelcome, reopenWelcome } from './closing.ts'
import { ModelTest } from './model-test.tsx'
import { StepRow } from './step-row.tsx'
import { cloudStep, codeStep, isWelcomeComplete, modelStep, sentenceStep } from './steps.ts'

export function Welcome() {
  const me = useQuery(meQuery()).data
  const name = me?.user?.name.trim().split(/\s+/)[0] ?? ''
  usePageTitle(words.title(''))
  return (
    <div className="mx-auto w-full max-w-3xl px-4 pt-8 pb-16 sm:px-8 sm:pt-12">
      {me && <WelcomeSteps me={me} name={name} />}
    </div>
  )
}

function WelcomeSteps({ me, name }: { me: Me; name: string }) {
  const connections = useQuery(connectionsQuery())
  const models = useQuery(modelConnectionsQuery())
  const projects = useInfiniteQuery(projectsQuery())
  const failed = [connections, models, projects].find(({ isError, data }) => isError && !data)
  const heading = (lead: string, isOver: boolean) => (
    <div className="mb-6 space-y-1">
      <div className="flex items-start justify-between gap-x-4">
        <PageHeading className="min-w-0 break-words sm:text-[26px]">{words.title(name)}</PageHeading>
        <LeaveButton me={me} isOver={isOver} />
      </div>
      <p className="text-kumo-subtle text-pretty">{lead}</p>
    </div>
  )
  if (failed)
    return (
      <>
        {heading(words.lead, false)}
        <FailureNote title={text.failure.title} error={failed.error} onRetry={() => void failed.refetch()} />
      </>
    )
  if (!connections.data || !models.data || !projects.data)
    return (
      <>
        {heading(words.lead, false)}
        <StepsSkeleton />
      </>
    )
  const steps = {
    cloud: cloudStep(connections.data.cloudflare),
    code: codeStep(connections.data.github),
    model: modelStep(models.data),
    sentence: sentenceStep(projects.data.pages[0]?.items[0]),
  }
  const isOver = isWelcomeComplete(steps)
  const isReady = [steps.cloud, steps.code, steps.model].every(({ state }) => state === 'done')
  const reason = me.role === 'member' ? words.membersOnly : null
  const model = models.data.find(({ isDefault }) => isDefault)
  return (
    <>
      {heading(isOver ? words.leadDone : isReady ? words.leadReady : words.lead, isOver)}
      <ol
        aria-label={words.steps}
        className="divide-y divide-kumo-hairline rounded-xl bg-kumo-base ring-1 ring-kumo-line"
      >
        <StepRow number={1} title={words.cloud.title} step={steps.cloud} reason={reason} />
        <StepRow number={2} title={words.code.title} step={steps.code} reason={reason} />
        <StepRow number={3} title={words.model.title} step={steps.model} reason={reason}>
          {model && reason === null && <ModelTest model={model} />}
        </StepRow>
        <StepRow number={4} title={words.sentence.title} step={steps.sentence} />
      </ol>
      <div className="mt-10">
        <NewProject />
      </div>
    </>
  )
}

/** Closes the page at once. A message confirms this and, unless all steps are done, offers an undo. */
function LeaveButton({ me, isOver }: { me: Me; isOver: boolean }) {
  const { history } = useRouter()
  const userId = me.user?.id ?? ''
  const leaveWelcome = () => {
    closeWelcome(userId, me.organization.id)
    history.push(href.projects())
    if (isOver) return
    notify(words.dismissed, {
      undo: () => {
        reopenWelcome(userId, me.organization.id)
        history.push(href.welcome())
      },
    })
  }
  return (
    <Button variant={isOver ? 'primary' : 'ghost'} onClick={leaveWelcome}>
      {isOver ? words.leave : words.dismiss}
    </Button>
  )
}

function StepsSkeleton() {
  return (
    <Skeleton>
      <div className="space-y-6 rounded-xl bg-kumo-base p-5 ring-1 ring-kumo-line">
        {[1, 2, 3, 4].map((row) => (
          <div key={row} className="space-y-2.5">
            <Bar className="w-1/3" />
            <Bar className="w-2/3" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
