import type { Project, Version } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { deploymentQuery } from '../../api/deployments.ts'
import { versionsText as words } from '../../text/code.en.ts'
import { useWindowedRows } from '../../ui/use-windowed-rows.ts'
import { VersionRow } from './version-row.tsx'

const ROW_PX = 68

/** All versions, newest first; only those in sight are on the page. */
export function VersionList({ project, versions }: { project: Project; versions: Version[] }) {
  const live = useQuery(deploymentQuery(project.id)).data?.sha ?? null
  const newest = (versions.find((version) => version.current) ?? versions[0])?.sha ?? ''
  const { box, rows, totalPx, measure } = useWindowedRows(versions.length, ROW_PX)
  return (
    <ol
      ref={box}
      aria-label={words.list}
      className="relative overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line"
      style={{ height: totalPx }}
    >
      {rows.map(({ index, startPx }) => {
        const version = versions[index]
        return (
          version && (
            <VersionRow
              key={version.sha}
              ref={measure}
              index={index}
              count={versions.length}
              startPx={startPx}
              project={project}
              version={version}
              newest={newest}
              isLive={version.sha === live}
            />
          )
        )
      })}
    </ol>
  )
}
