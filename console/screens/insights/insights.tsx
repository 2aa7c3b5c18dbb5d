import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { projectQuery } from '../../api/project/projects.ts'
import { insightsText } from '../../text/shipping.en.ts'
import { PaneBoundary } from '../../ui/page/pane-boundary.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { ErrorsPanel } from './errors-panel.tsx'
import { TrafficPanel } from './traffic-panel.tsx'

export function Insights() {
  const { projectId } = useParams({ from: '/app/projects/$projectId/insights' })
  const project = useQuery(projectQuery(projectId)).data
  return (
    <SectionPage projectId={projectId} title={insightsText.title} lead={insightsText.lead}>
      {project && (
        <div className="space-y-4">
          <PaneBoundary>
            <TrafficPanel project={project} />
          </PaneBoundary>
          {project.lifecycle === 'live' && (
            <PaneBoundary>
              <ErrorsPanel projectId={projectId} />
            </PaneBoundary>
          )}
        </div>
      )}
    </SectionPage>
  )
}
