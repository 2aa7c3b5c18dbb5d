import { LinkButton } from '@cloudflare/kumo/components/button'
import { ChartBarIcon } from '@phosphor-icons/react'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { deploymentQuery } from '../../api/project/deployments.ts'
import { analyticsQuery } from '../../api/project/insights.ts'
import { href } from '../../routes.ts'
import { insightsText, shipText } from '../../text/shipping.en.ts'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { formatCount } from '../../lib/format.ts'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import type { Series } from './traffic-chart.tsx'

const TrafficChart = lazy(() =>
  import('./traffic-chart.tsx').then((module) => ({ default: module.TrafficChart })),
)
const percentFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const hourFormat = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

export function TrafficPanel({ project }: { project: Project }) {
  const analytics = useQuery(analyticsQuery(project.id))
  const deployment = useQuery({ ...deploymentQuery(project.id), enabled: project.lifecycle !== 'live' })
  const isLoading = analytics.isPending || deployment.isLoading
  const data = isLoading ? undefined : analytics.data
  return (
    <Panel title={insightsText.chart}>
      {isLoading && (
        <Skeleton>
          <TrafficFigures />
          <Bar className="h-[220px]!" />
          <p className="mt-3 py-0.5 text-[13px]">&nbsp;</p>
        </Skeleton>
      )}
      <LoadFailure query={analytics} />
      {data?.state === 'unavailable' && (
        // A project whose state cannot be read counts as built: the ship page says what is missing.
        <TrafficUnavailable project={project} isBuilt={deployment.data?.builtSha !== null} />
      )}
      {data?.state === 'ok' && (
        <>
          <TrafficFigures total={data} />
          <Suspense fallback={<div className="h-[220px]" />}>
            <TrafficChart series={data.series} label={insightsText.chart} />
          </Suspense>
          <HourTable series={data.series} />
        </>
      )}
    </Panel>
  )
}

function TrafficUnavailable({ project, isBuilt }: { project: Project; isBuilt: boolean }) {
  const isLive = project.lifecycle === 'live'
  const [to, label] = isLive
    ? [href.connections(), insightsText.goConnect]
    : isBuilt
      ? [href.ship(project.id), insightsText.goShip]
      : [href.project(project.id), shipText.checks.goBuild]
  return (
    <EmptyNote
      icon={<ChartBarIcon />}
      level="h3"
      title={insightsText.unavailable}
      hint={isLive ? insightsText.noFigures : insightsText.notLive}
      action={
        <LinkButton variant="primary" href={to}>
          {label}
        </LinkButton>
      }
    />
  )
}

function TrafficFigures({ total }: { total?: { requests: number; errors: number } }) {
  const figures = [
    [insightsText.requests, total ? formatCount(total.requests) : '–', 'bg-tide'],
    [insightsText.errors, total ? formatCount(total.errors) : '–', 'bg-hull'],
    [insightsText.rate, total?.requests ? percentFormat.format(total.errors / total.requests) : '–', ''],
  ] as const
  return (
    <dl className="mb-4 flex flex-wrap gap-x-8 gap-y-2">
      {figures.map(([name, value, colour]) => (
        <div key={name}>
          <dt className="flex items-center gap-1.5 text-[13px] text-kumo-subtle">
            {colour && <span aria-hidden="true" className={`size-2.5 rounded-sm ${colour}`} />}
            {name}
          </dt>
          <dd className="text-[22px] font-semibold tracking-tight text-kumo-strong tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function HourTable({ series }: { series: Series }) {
  return (
    <details className="mt-3 text-[13px]">
      <summary className="w-fit cursor-pointer rounded-sm py-0.5 text-kumo-subtle hover:text-kumo-default">
        {insightsText.table}
      </summary>
      <table className="mt-2 w-full tabular-nums">
        <thead>
          <tr className="text-left text-kumo-subtle">
            <th scope="col" className="py-1 font-medium">
              {insightsText.hour}
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              {insightsText.requests}
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              {insightsText.errors}
            </th>
          </tr>
        </thead>
        <tbody>
          {series.map(({ at, requests, errors }) => (
            <tr key={at} className="border-t border-kumo-line">
              <th scope="row" className="py-1 text-left font-normal">
                <time dateTime={at}>{hourFormat.format(new Date(at))}</time>
              </th>
              <td className="py-1 text-right">{requests}</td>
              <td className="py-1 text-right">{errors}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
