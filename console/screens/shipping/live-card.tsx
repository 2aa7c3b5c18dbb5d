import { ArrowSquareOutIcon, QrCodeIcon } from '@phosphor-icons/react'
import type { DeployState, Project } from '@slipway/sdk/client/types.gen.ts'
import { lazy, Suspense, useState } from 'react'
import { shipText } from '../../text/shipping.en.ts'
import { workText } from '../../text/workspace.en.ts'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { hostOf, isLocalOnly } from '../../ui/format/host.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { StateDot, type StateTone } from '../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'
import { ArchiveButton, UnarchiveButton } from './archive-button.tsx'
import { Comparison, SameVersion } from './comparison.tsx'
import { LocalOnlyNote } from './local-only-note.tsx'
import { OpenAsStaff } from './open-as-staff.tsx'
import { ShipButton } from './ship-button.tsx'
import { ShipProgress } from './ship-progress.tsx'

const QrCode = lazy(() =>
  import('../../ui/two-factor/qr-code.tsx').then((module) => ({ default: module.QrCode })),
)

const STATE_TONES: Record<DeployState['state'], StateTone> = {
  none: 'quiet',
  deploying: 'busy',
  live: 'good',
  error: 'bad',
  archived: 'quiet',
}

export function LiveCard({ project, deployment }: { project: Project; deployment: DeployState }) {
  const { state, url, sha } = deployment
  const isArchived = state === 'archived'
  return (
    <section
      aria-label={shipText.states[state]}
      className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line sm:p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="text-[15px] font-semibold text-kumo-strong">
            <StateDot tone={STATE_TONES[state]}>
              {state === 'live' && url !== null && isLocalOnly(url)
                ? shipText.liveHere
                : shipText.states[state]}
            </StateDot>
          </p>
          <p className="mt-0.5 text-[13px] text-kumo-subtle">
            {isArchived ? shipText.archivedNote : compareBuilt(deployment)}{' '}
            {deployment.deployedAt && (
              <span className="whitespace-nowrap">
                {shipText.shippedAt} <RelativeTime at={deployment.deployedAt} />.
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {sha !== null && !isArchived && <ArchiveButton project={project} />}
          {isArchived ? (
            <UnarchiveButton project={project} />
          ) : (
            <ShipButton project={project} ticketId={null} long />
          )}
        </div>
      </div>
      {url !== null && !isArchived && <LiveAddress url={url} />}
      {url !== null && state === 'live' && <OpenAsStaff projectId={project.id} />}
      {state === 'deploying' && <ShipProgress hint={shipText.deploying} />}
      {deployment.error !== null && (
        <p
          role="alert"
          className="rounded-lg bg-kumo-danger-tint px-3.5 py-3 break-words ring-1 ring-kumo-danger/25"
        >
          {deployment.error} {sha !== null && shipText.kept}
        </p>
      )}
      {(sha !== null || deployment.builtSha !== null) &&
        (sha !== null && sha === deployment.builtSha ? (
          <SameVersion projectId={project.id} sha={sha} isLive={state === 'live'} />
        ) : (
          <Comparison projectId={project.id} deployment={deployment} />
        ))}
    </section>
  )
}

function compareBuilt({ builtSha, upToDate, sha }: DeployState): string {
  if (builtSha === null) return shipText.nothingBuilt
  if (sha === null) return shipText.ready
  return upToDate ? shipText.upToDate : shipText.behind
}

function LiveAddress({ url }: { url: string }) {
  const [showsQr, setShowsQr] = useState(false)
  const label = showsQr ? shipText.hideQr : shipText.showQr
  return (
    <div className="space-y-3">
      <div className="flex items-center gap-1.5 rounded-xl bg-tide-tint py-1.5 pr-1.5 pl-3.5 ring-1 ring-tide-line">
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`${workText.ship.address}: ${hostOf(url)}`}
          className="inline-flex min-w-0 flex-1 items-center gap-1.5 rounded-sm font-medium text-kumo-strong hover:underline"
        >
          <span className="truncate">{hostOf(url)}</span>
          <ArrowSquareOutIcon className="shrink-0 text-kumo-subtle" aria-hidden="true" />
        </a>
        <CopyButton value={url} label={workText.workspace.copyLive} />
        {/* A phone that scans a localhost address would try to open it on itself, so show no QR code. */}
        {!isLocalOnly(url) && (
          <IconButton
            label={label}
            aria-expanded={showsQr}
            icon={<QrCodeIcon />}
            onClick={() => setShowsQr(!showsQr)}
          />
        )}
      </div>
      {isLocalOnly(url) && <LocalOnlyNote />}
      {showsQr && (
        <Suspense fallback={<div className="size-44" />}>
          <QrCode value={url} label={shipText.qr(hostOf(url))} />
        </Suspense>
      )}
    </div>
  )
}
