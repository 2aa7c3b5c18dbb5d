import { BrowserIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useEffectEvent, useRef, useState } from 'react'
import { deploymentQuery } from '../../api/project/deployments.ts'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { previewText } from '../../text/preview.en.ts'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { isBuilding } from '../../state/builds/build-follower.ts'
import { useBuildPart } from '../../state/builds/use-build.ts'
import { AppErrors } from './app-errors.tsx'
import { pageAddress } from './preview-address.ts'
import { PreviewBar, type Width } from './preview-bar.tsx'
import { PreviewFrame } from './preview-frame.tsx'
import { Republish } from './republish.tsx'
import { usePreviewMessages } from './use-preview-messages.ts'

/** Shows the last successful build in a frame with its own origin. */
export const PreviewPane = memo(function PreviewPane(props: { project: Project; ticket: Ticket | null }) {
  const { project, ticket } = props
  const ticketId = ticket?.id ?? null
  const building = useBuildPart(ticketId, isBuilding)
  const built = useBuildPart(ticketId, (view) => (view?.state.phase === 'built' ? view.state : null))
  const deployment = useQuery(deploymentQuery(project.id))
  const [width, setWidth] = useState<Width>('full')
  const [visit, setVisit] = useState({ n: 0, path: '' })
  // Only the API sets the address: an address that the app reports could open another site in the frame.
  const address = built?.preview?.url ?? project.previewUrl
  const messages = usePreviewMessages(address)
  const openPath = (path: string) => {
    messages.restart()
    setVisit({ n: visit.n + 1, path })
  }
  const version = deployment.data?.builtSha ?? null
  const shown = useRef<string | null>(null)
  const show = useEffectEvent((next: string | null) => {
    // Reload the frame to show the new build, at the path that is open in it.
    if (shown.current !== null && next !== shown.current) openPath(messages.path)
    shown.current = next
  })
  useEffect(() => show(version), [version])
  const isUnpublished = built?.preview?.error != null && (version === null || built.sha === version)
  if (!address)
    return isUnpublished ? (
      <Republish projectId={project.id} isAlone onPublished={() => openPath('')} />
    ) : (
      <EmptyNote
        icon={<BrowserIcon />}
        title={building ? previewText.firstTitle : previewText.empty}
        hint={building ? previewText.firstBuild : previewText.emptyHint}
      />
    )
  return (
    <>
      <PreviewBar
        address={address}
        path={messages.path || visit.path}
        width={width}
        onWidth={setWidth}
        isStorageBlocked={messages.storageBlocked}
        onGo={openPath}
      />
      <div role="status">{building && <QuietBar>{previewText.building}</QuietBar>}</div>
      {isUnpublished && (
        <Republish key={built?.sha} projectId={project.id} onPublished={() => openPath(messages.path)} />
      )}
      <PreviewFrame
        key={`${address} ${visit.n}`}
        frameRef={messages.frame}
        address={pageAddress(address, visit.path)}
        widthPx={width === 'full' ? null : Number(width)}
      />
      {messages.errors.length > 0 && (
        <AppErrors project={project} ticket={ticket} errors={messages.errors} onClear={messages.clear} />
      )}
    </>
  )
})

function QuietBar({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-2 border-b border-kumo-line bg-tide-tint px-3 py-1.5 text-xs text-kumo-default">
      <span className="size-1.5 shrink-0 animate-pulse-dot rounded-full bg-tide" aria-hidden="true" />
      {children}
    </p>
  )
}
