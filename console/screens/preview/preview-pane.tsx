import { Button } from '@cloudflare/kumo/components/button'
import { Tooltip } from '@cloudflare/kumo/components/tooltip'
import { ArrowClockwiseIcon, ArrowSquareOutIcon, BrowserIcon, InfoIcon } from '@phosphor-icons/react'
import { useState } from 'react'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { workText } from '../../text/workspace.en.ts'
import { countOf } from '../../ui/format.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { hostOf } from '../../ui/host.ts'
import { NativeSelect } from '../../ui/native-select.tsx'
import { useWide } from '../../ui/use-media.ts'
import { isBuilding } from '../builds/build-follower.ts'
import { useBuild } from '../builds/use-build.ts'
import { PreviewFrame } from './preview-frame.tsx'
import { usePreviewMessages } from './use-preview-messages.ts'

const WIDTHS = ['full', '1280', '768', '390'] as const
type Width = (typeof WIDTHS)[number]

/** The last green build, running in a frame of its own origin. */
export function PreviewPane({ project, ticketId }: { project: Project; ticketId: string | null }) {
  const view = useBuild(ticketId)
  const [width, setWidth] = useState<Width>('full')
  const [reloads, setReloads] = useState(0)
  const building = isBuilding(view)
  const built = view?.state.phase === 'built' ? view.state : null
  // The address comes from the API alone.
  const address = built?.preview?.url ?? project.previewUrl
  const messages = usePreviewMessages(address)
  const wide = useWide()
  if (!address)
    return (
      <EmptyNote
        icon={<BrowserIcon />}
        title={building ? workText.preview.firstTitle : workText.preview.empty}
        hint={building ? workText.preview.firstBuild : (built?.preview?.error ?? workText.preview.emptyHint)}
      />
    )
  return (
    <>
      <div className="flex h-11 shrink-0 items-center gap-1.5 border-b border-kumo-line bg-kumo-base px-2">
        <Button
          size="sm"
          variant="ghost"
          shape="square"
          aria-label={workText.preview.reload}
          title={workText.preview.reload}
          icon={<ArrowClockwiseIcon />}
          onClick={() => setReloads(reloads + 1)}
        />
        <p
          className="min-w-0 flex-1 truncate rounded-md bg-kumo-recessed px-2.5 py-1 text-xs text-kumo-subtle"
          title={workText.preview.note}
        >
          {hostOf(address)}
          {messages.path}
        </p>
        {wide && (
          <div className="w-28">
            <NativeSelect
              label={workText.preview.width}
              hideLabel
              value={width}
              options={WIDTHS.map((value) => ({ value, label: workText.preview.widths[value] }))}
              onChange={setWidth}
            />
          </div>
        )}
        {messages.storageBlocked && <StorageHint />}
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={workText.preview.openTab}
          title={workText.preview.openTab}
          className="grid size-7 shrink-0 place-items-center rounded-md text-kumo-default hover:bg-kumo-tint"
        >
          <ArrowSquareOutIcon aria-hidden="true" />
        </a>
      </div>
      <div role="status">{building && <QuietBar>{workText.preview.building}</QuietBar>}</div>
      <PreviewFrame
        // A new build is a new page: the frame starts over.
        key={`${address} ${built?.sha ?? ''} ${reloads}`}
        frameRef={messages.frame}
        address={address}
        widthPx={width === 'full' ? null : Number(width)}
      />
      {messages.errors.length > 0 && <AppErrors errors={messages.errors} onClear={messages.clear} />}
    </>
  )
}

/** Browsers that block storage in frames keep people from signing in here; apps without sign-in do not mind. */
function StorageHint() {
  return (
    <Tooltip
      content={workText.preview.storage}
      render={
        <Button
          size="sm"
          variant="ghost"
          shape="square"
          aria-label={workText.preview.storageLabel}
          aria-description={workText.preview.storage}
          icon={<InfoIcon />}
        />
      }
    />
  )
}

function QuietBar({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-2 border-b border-kumo-line bg-tide-tint px-3 py-1.5 text-xs text-kumo-default">
      <span className="size-1.5 shrink-0 animate-pulse-dot rounded-full bg-tide" aria-hidden="true" />
      {children}
    </p>
  )
}

function AppErrors({ errors, onClear }: { errors: string[]; onClear: () => void }) {
  return (
    <section
      className="max-h-40 shrink-0 overflow-y-auto border-t border-kumo-line bg-kumo-danger-tint px-3 py-2 text-[13px]"
      tabIndex={0}
      aria-labelledby="app-errors"
    >
      <div className="flex items-center justify-between gap-2">
        <h3 id="app-errors" className="font-medium">
          {workText.preview.errors(countOf(errors.length, 'error'))}
        </h3>
        <Button size="xs" variant="ghost" onClick={onClear}>
          {workText.preview.clearErrors}
        </Button>
      </div>
      <ul className="mt-1 space-y-1 font-mono text-xs break-words">
        {errors.map((message, index) => (
          <li key={`${index}:${message}`}>{message}</li>
        ))}
      </ul>
    </section>
  )
}
