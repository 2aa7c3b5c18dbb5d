import { ChatsCircleIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { modelConnectionsQuery } from '../../api/organization/connections.ts'
import { ticketStatsQuery } from '../../api/project/tickets.ts'
import { planText } from '../../text/plan.en.ts'
import { ConnectModel } from '../settings/models/connect-model.tsx'

export function PlanStart(props: { projectId: string; onChoose: (example: string) => void }) {
  const stats = useQuery(ticketStatsQuery(props.projectId))
  const isNew = stats.data?.total === 0
  if (stats.isPending) return <div className="flex-1" />
  const examples = isNew ? planText.empty.examples : planText.empty.laterExamples
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex min-h-full max-w-xl flex-col justify-center gap-6 px-4 py-8">
        <div className="space-y-2">
          <span
            className="mb-3 grid size-11 place-items-center rounded-xl bg-tide-tint text-tide ring-1 ring-tide-line"
            aria-hidden="true"
          >
            <ChatsCircleIcon className="size-[22px]" />
          </span>
          <h3 className="text-[18px] leading-tight font-semibold text-kumo-strong">
            {isNew ? planText.empty.title : planText.empty.laterTitle}
          </h3>
          <p className="leading-relaxed text-kumo-subtle">
            {isNew ? planText.empty.lead : planText.empty.laterLead}
          </p>
        </div>
        <section aria-label={planText.empty.examplesLabel} className="space-y-2">
          <h4 className="text-[13px] font-medium">{planText.empty.examplesLabel}</h4>
          <ul className="space-y-2">
            {examples.map((example) => (
              <li key={example}>
                <button
                  type="button"
                  onClick={() => props.onChoose(example)}
                  className="w-full cursor-pointer rounded-xl bg-kumo-base px-3.5 py-2.5 text-left leading-relaxed break-words whitespace-pre-line ring-1 ring-kumo-line hover:bg-kumo-tint"
                >
                  {example}
                </button>
              </li>
            ))}
          </ul>
        </section>
        <ScaffoldNote />
      </div>
    </div>
  )
}

/** A note that the built-in model is not an AI. */
function ScaffoldNote() {
  const models = useQuery(modelConnectionsQuery()).data
  const chosen = models?.find(({ isDefault }) => isDefault)
  if (chosen?.provider !== 'scaffold') return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-[13px] text-kumo-subtle">
      <p className="min-w-0 flex-1 basis-60">{planText.empty.scaffold}</p>
      <ConnectModel variant="secondary" onConnected={() => {}} />
    </div>
  )
}
