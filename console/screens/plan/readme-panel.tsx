import { useQuery } from '@tanstack/react-query'
import { readmeQuery } from '../../api/project/plan.ts'
import { planText } from '../../text/plan.en.ts'
import { text } from '../../text/en.ts'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { README_ID } from './readme-button.tsx'

/** Shows the README of the app, which the plan agent keeps up to date. */
export function ReadmePanel({ projectId }: { projectId: string }) {
  const readme = useQuery(readmeQuery(projectId))
  return (
    <section
      id={README_ID}
      aria-label={planText.readme.title}
      // Makes the panel focusable, so that it can be scrolled with the keyboard.
      tabIndex={0}
      className="max-h-[55%] shrink-0 overflow-y-auto border-b border-kumo-line bg-kumo-base -outline-offset-2"
    >
      <div className="mx-auto max-w-3xl px-4 py-4">
        {readme.isPending && (
          <Skeleton>
            <div className="space-y-3">
              <Bar className="w-1/3" />
              <Bar className="w-4/5" />
              <Bar className="w-2/3" />
            </div>
          </Skeleton>
        )}
        {readme.isError && readme.data === undefined && (
          <FailureNote
            title={text.failure.title}
            error={readme.error}
            onRetry={() => void readme.refetch()}
          />
        )}
        {readme.data === '' && (
          <>
            <h3 className="font-medium text-kumo-strong">{planText.readme.empty}</h3>
            <p className="text-kumo-subtle">{planText.readme.emptyHint}</p>
          </>
        )}
        {readme.data && (
          <>
            <div className="mb-4 flex items-start gap-3">
              <p className="min-w-0 flex-1 text-[13px] text-kumo-subtle">{planText.readme.lead}</p>
              <CopyButton value={readme.data} label={planText.readme.copy} />
            </div>
            <Markdown text={readme.data} />
          </>
        )}
      </div>
    </section>
  )
}
