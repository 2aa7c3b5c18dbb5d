import { LinkButton } from '@cloudflare/kumo/components/button'
import { ArrowSquareOutIcon, CheckCircleIcon } from '@phosphor-icons/react'
import { text } from '../../text/en.ts'
import { workText } from '../../text/workspace.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { hostOf, isLocalOnly } from '../../ui/format/host.ts'
import { LocalOnlyNote } from './local-only-note.tsx'

export function ShipDone({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <div role="status" className="animate-enter space-y-4">
      <div className="flex items-center gap-2.5 rounded-xl bg-kumo-success-tint py-2 pr-2 pl-3.5 ring-1 ring-kumo-success/30">
        <CheckCircleIcon weight="fill" className="size-5 shrink-0 text-added" aria-hidden="true" />
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`${workText.ship.address}: ${hostOf(url)}`}
          className="min-w-0 flex-1 rounded-sm font-medium break-all text-kumo-strong hover:underline"
        >
          {hostOf(url)}
        </a>
        <CopyButton value={url} label={workText.workspace.copyLive} />
      </div>
      {isLocalOnly(url) && <LocalOnlyNote />}
      <div className="flex justify-end gap-2">
        <Button variant="secondary" onClick={onClose}>
          {text.common.close}
        </Button>
        <LinkButton
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          variant="primary"
          icon={<ArrowSquareOutIcon />}
        >
          {workText.workspace.openLive}
        </LinkButton>
      </div>
    </div>
  )
}
