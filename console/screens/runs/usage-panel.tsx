import { CoinsIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import type { Usage } from '@slipway/sdk/client/types.gen.ts'
import { usageQuery } from '../../api/project/runs.ts'
import { formatCost, formatCount } from '../../lib/format.ts'
import { usageText } from '../../text/runs.en.ts'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { ListSkeleton } from './list-skeleton.tsx'

type SpentTokens = Usage['total']
const USAGE_COLUMNS = ['input', 'cached', 'output', 'runs'] as const
const numberFormat = new Intl.NumberFormat('en')

export function UsagePanel({ projectId }: { projectId: string }) {
  const usage = useQuery(usageQuery(projectId))
  if (usage.isPending) return <ListSkeleton />
  if (usage.isError && !usage.data)
    return <FailureNote title={usageText.failed} error={usage.error} onRetry={() => void usage.refetch()} />
  const { models, total, medianBuild } = usage.data
  if (models.length === 0)
    return <EmptyNote icon={<CoinsIcon />} title={usageText.empty} hint={usageText.emptyHint} />
  return (
    <div className="space-y-3">
      <p className="text-kumo-subtle">
        {usageText.lead} {total.estimated && usageText.estimated}{' '}
        {medianBuild && usageText.median(formatCount(medianBuild.tokens), costText(medianBuild.costUsd))}
      </p>
      {/* Below 640 px each row is a card with labelled figures. */}
      <table className="w-full overflow-hidden rounded-xl bg-kumo-base text-left ring-1 ring-kumo-line max-sm:block">
        <caption className="sr-only">{usageText.caption}</caption>
        <thead className="max-sm:sr-only">
          <tr className="border-b border-kumo-line text-[13px] text-kumo-subtle">
            <th scope="col" className="px-4 py-2.5 font-medium">
              {usageText.columns.model}
            </th>
            {USAGE_COLUMNS.map((column) => (
              <th key={column} scope="col" className="px-4 py-2.5 text-right font-medium">
                {usageText.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {models.map((row) => (
            <UsageRow
              key={`${row.provider}/${row.model}`}
              name={row.model}
              detail={row.provider}
              spent={row}
            />
          ))}
          {models.length > 1 && <UsageRow name={usageText.total} spent={total} />}
        </tbody>
      </table>
    </div>
  )
}

/** The cost in words; null when no price is known. */
const costText = (usd: number | null) => (usd === null ? null : formatCost(usd))

function UsageRow({ name, detail, spent }: { name: string; detail?: string; spent: SpentTokens }) {
  const figures = {
    input: spent.input,
    cached: spent.cacheRead,
    output: spent.output,
    runs: spent.runs,
  }
  return (
    <tr className="border-b border-kumo-line last:border-0 max-sm:block max-sm:px-4 max-sm:py-3">
      <th scope="row" className="px-4 py-2.5 font-normal max-sm:block max-sm:p-0 max-sm:pb-1">
        <span className="font-medium break-words text-kumo-strong">{name}</span>
        <span className="block text-[13px] text-kumo-subtle">
          {[detail, costText(spent.costUsd), spent.estimated ? usageText.estimatedMark : null]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </th>
      {USAGE_COLUMNS.map((column) => (
        <td
          key={column}
          className="px-4 py-2.5 text-right tabular-nums max-sm:flex max-sm:justify-between max-sm:p-0 max-sm:py-0.5"
        >
          <span className="text-kumo-subtle sm:hidden" aria-hidden="true">
            {usageText.columns[column]}
          </span>
          {numberFormat.format(figures[column])}
        </td>
      ))}
    </tr>
  )
}
