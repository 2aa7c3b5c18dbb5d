import type { AppPackages } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { packagesQuery } from '../../api/project/versions.ts'
import { href } from '../../routes.ts'
import { projectSettingsText } from '../../text/project-settings.en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { formatSize } from '../../lib/format.ts'
import { Panel } from '../../ui/page/panel.tsx'

const packagesText = projectSettingsText.packages

export function Packages({ projectId }: { projectId: string }) {
  const { data, isError, error, refetch } = useQuery(packagesQuery(projectId))
  if (data) return <PackageList {...data} />
  return isError ? <FailureNote error={error} onRetry={() => void refetch()} /> : null
}

export function PackageList({ items, dependencies }: AppPackages) {
  const policy = (
    <a
      href={href.security()}
      className="inline-block rounded-sm text-[13px] leading-6 text-kumo-link hover:underline"
    >
      {packagesText.policy}
    </a>
  )
  if (items.length === 0) return <Panel title={packagesText.title} hint={packagesText.none} action={policy} />
  return (
    <Panel title={packagesText.title} hint={packagesText.hint(dependencies)} action={policy}>
      <ul className="divide-y divide-kumo-hairline">
        {items.map(({ name, version, sizeBytes, purpose }) => (
          <li key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2">
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-medium break-words text-kumo-strong">
                {name} <span className="font-normal text-kumo-subtle">{version}</span>
              </p>
              <p className="text-[13px] text-kumo-subtle">{purpose ?? packagesText.uncurated}</p>
            </div>
            {/* The size is 0 when the registry does not state it. */}
            {sizeBytes > 0 && (
              <p className="text-[13px] text-kumo-subtle tabular-nums">
                {formatSize(sizeBytes)} {packagesText.size}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
