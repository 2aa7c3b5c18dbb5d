import type { Project, Version } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { deploymentQuery } from '../../api/project/deployments.ts'
import { versionsText as words } from '../../text/code.en.ts'
import { WindowedList } from '../../ui/lists/windowed-list.tsx'
import { VersionRow } from './version-row.tsx'

const ROW_PX = 68

/** All versions, newest first; only visible rows are rendered. */
export function VersionList({ project, versions }: { project: Project; versions: Version[] }) {
  const live = useQuery(deploymentQuery(project.id)).data?.sha ?? null
  const newest = (versions.find((version) => version.current) ?? versions[0])?.sha ?? ''
  return (
    <WindowedList
      isOrdered
      label={words.list}
      items={versions}
      rowPx={ROW_PX}
      keyOf={({ sha }) => sha}
      rowClassName="flex items-start gap-3 px-4 py-3 hover:bg-kumo-elevated"
    >
      {(version) => (
        <VersionRow project={project} version={version} newest={newest} isLive={version.sha === live} />
      )}
    </WindowedList>
  )
}
