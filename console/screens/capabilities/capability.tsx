import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { capabilityQuery } from '../../api/project/capabilities.ts'
import { isNotFound } from '../../api/request/query-client.ts'
import { href } from '../../routes.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { Cost } from './cost.tsx'
import { metadataOf } from './capability-metadata.ts'
import { CapabilityStatus } from './capability-status.tsx'
import { CapabilitySwitch } from './capability-switch.tsx'
import { LIVE_TABS } from './live-tabs.ts'
import { SettingsForm } from './settings/settings-form.tsx'
import { hasEntry } from '../../lib/fields.ts'

export function Capability() {
  const { projectId, key } = useParams({ from: '/app/projects/$projectId/capabilities/$key' })
  const { tab = 'settings' } = useSearch({ from: '/app/projects/$projectId/capabilities/$key' })
  const capability = useQuery(capabilityQuery(projectId, key))
  const { data } = capability
  const metadata = metadataOf(key)
  if (metadata === undefined || isNotFound(capability.error)) return <NotFound />
  const live = hasEntry(LIVE_TABS, key) ? key : null
  const Live = live === null ? null : LIVE_TABS[live].Tab
  const isLive = Live !== null && tab === 'live'
  return (
    <SectionPage
      key={`${projectId}/${key}`}
      projectId={projectId}
      title={metadata.title}
      lead={metadata?.about}
      crumbs={[{ to: href.capabilities(projectId), label: capabilitiesText.title }]}
      action={
        data ? (
          <CapabilitySwitch projectId={projectId} capability={data} />
        ) : (
          capability.isPending && <ActionRoom />
        )
      }
    >
      <Cost metadata={metadata} />
      {capability.isPending && (
        <Skeleton>
          <div className="space-y-3 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5">
            <Bar className="w-1/3" />
            <Bar className="w-2/3" />
          </div>
        </Skeleton>
      )}
      <LoadFailure query={capability} />
      {data && (
        <div className="space-y-5">
          <CapabilityStatus projectId={projectId} capability={data} />
          {live !== null && <CapabilityTabs projectId={projectId} capabilityKey={live} tab={tab} />}
          {isLive && <Live projectId={projectId} />}
          {/* The form stays mounted behind the other tab, because the form keeps the typed text. */}
          <div hidden={isLive}>
            <SettingsForm projectId={projectId} capability={data} metadata={metadata} />
          </div>
        </div>
      )}
    </SectionPage>
  )
}

/** Reserves the space of the switch while it is loading, so that the page below does not move. */
function ActionRoom() {
  return (
    <div aria-hidden="true" className="invisible">
      <Button disabled>{capabilitiesText.turnOff}</Button>
    </div>
  )
}

function CapabilityTabs(props: {
  projectId: string
  capabilityKey: keyof typeof LIVE_TABS
  tab: 'settings' | 'live'
}) {
  const { projectId, capabilityKey, tab } = props
  return (
    <nav aria-label={capabilitiesText.title} className="flex gap-1 border-b border-kumo-line">
      {(['settings', 'live'] as const).map((one) => (
        <a
          key={one}
          href={href.capability(projectId, capabilityKey, one === 'live' ? { tab: one } : {})}
          aria-current={one === tab ? 'page' : undefined}
          className={`-mb-px border-b-2 px-3 py-2 ${one === tab ? 'border-tide font-medium text-kumo-strong' : 'border-transparent text-kumo-subtle hover:text-kumo-default'}`}
        >
          {one === 'live' ? LIVE_TABS[capabilityKey].title : capabilitiesText.settingsTab}
        </a>
      ))}
    </nav>
  )
}
