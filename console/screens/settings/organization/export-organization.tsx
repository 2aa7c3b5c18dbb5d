import { CheckCircleIcon, DownloadSimpleIcon } from '@phosphor-icons/react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  type AccountExport,
  exportAccount,
  type ExportProgress,
  IncompleteExportError,
} from '../../../api/organization/account-export.ts'
import type { Organization } from '../../../api/organization/organizations.ts'
import { organizationsText } from '../../../text/organizations.en.ts'
import { saveFile } from '../../../ui/browser/save-file.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { LiveRegion } from '../../../ui/page/live-region.tsx'
import { countOf, formatSize } from '../../../lib/format.ts'

const organizationSettingsText = organizationsText.settings

export function ExportOrganization(props: { organization: Organization; isAllowed: boolean }) {
  const { organization, isAllowed } = props
  const [progress, setProgress] = useState<ExportProgress | null>(null)
  const stop = useRef<AbortController | null>(null)
  const take = useMutation({
    mutationFn: () => {
      setProgress(null)
      stop.current = new AbortController()
      return exportAccount(stop.current.signal, setProgress)
    },
    onSuccess: ({ file }) =>
      saveFile(`${organization.slug}-${new Date().toISOString().slice(0, 10)}.ndjson`, file),
  })
  // Abort the download when the page unmounts, because its progress is shown only there.
  useEffect(() => () => stop.current?.abort(), [])
  const isStopped = take.isError && stop.current?.signal.aborted === true
  const running = progress
    ? organizationSettingsText.exportRunning(formatSize(progress.bytes), countOf(progress.lines, 'line'))
    : organizationSettingsText.exportStarting
  return (
    <section aria-labelledby="export" className="max-w-lg space-y-3 border-t border-kumo-line pt-6">
      <div className="space-y-1">
        <h2 id="export" className="text-[15px] font-semibold text-kumo-strong">
          {organizationSettingsText.exportTitle}
        </h2>
        <p className="text-kumo-subtle">{organizationSettingsText.exportHint}</p>
      </div>
      {take.isError && !isStopped && (
        <FailedExport key={take.submittedAt} error={take.error} onRetry={() => take.mutate()} />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <ReasonButton
          icon={<DownloadSimpleIcon />}
          loading={take.isPending}
          reason={isAllowed ? null : organizationSettingsText.exportAdminsOnly}
          onClick={() => !take.isPending && take.mutate()}
        >
          {take.isSuccess ? organizationSettingsText.exportAgain : organizationSettingsText.exportStart}
        </ReasonButton>
        {take.isPending && (
          <>
            <Button variant="ghost" onClick={() => stop.current?.abort()}>
              {organizationSettingsText.exportStop}
            </Button>
            <p className="text-kumo-subtle tabular-nums">{running}</p>
          </>
        )}
      </div>
      {!isAllowed && (
        <p className="text-[13px] text-kumo-subtle">{organizationSettingsText.exportAdminsOnly}</p>
      )}
      {take.isSuccess && <SavedExport taken={take.data} />}
      <LiveRegion
        isRunning={take.isPending}
        sentence={
          take.isPending
            ? running
            : take.isSuccess
              ? organizationSettingsText.exportDone(formatSize(take.data.bytes))
              : ''
        }
      />
    </section>
  )
}

function SavedExport({ taken: { bytes, counts } }: { taken: AccountExport }) {
  const held = Object.entries(organizationSettingsText.exportKinds).filter(
    ([kind]) => (counts[kind] ?? 0) > 0,
  )
  return (
    <div className="animate-enter space-y-2">
      <p className="flex items-center gap-2 font-medium text-kumo-strong">
        <CheckCircleIcon weight="fill" className="size-[18px] shrink-0 text-added" aria-hidden="true" />
        {organizationSettingsText.exportDone(formatSize(bytes))}
      </p>
      {counts['project'] === 0 && <p className="text-kumo-subtle">{organizationSettingsText.exportEmpty}</p>}
      <dl
        aria-label={organizationSettingsText.exportHolds}
        className="rounded-lg bg-kumo-base px-3.5 py-2 ring-1 ring-kumo-line"
      >
        {held.map(([kind, label]) => (
          <div key={kind} className="flex justify-between gap-4 py-1">
            <dt className="text-kumo-subtle">{label}</dt>
            <dd className="text-kumo-default tabular-nums">{(counts[kind] ?? 0).toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function FailedExport({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof IncompleteExportError))
    return (
      <FailureNote title={organizationSettingsText.exportFailed} error={error} onRetry={onRetry} takeFocus />
    )
  return (
    <div
      role="alert"
      className="animate-enter space-y-1 rounded-lg bg-kumo-danger-tint px-3.5 py-3 text-kumo-default ring-1 ring-kumo-danger/25"
    >
      <p className="font-medium text-kumo-strong">{organizationSettingsText.exportIncompleteTitle}</p>
      <p>{organizationSettingsText.exportIncomplete}</p>
    </div>
  )
}
