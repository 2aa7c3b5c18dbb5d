import { Tooltip } from '@cloudflare/kumo/components/tooltip'
import { ArrowClockwiseIcon, ArrowSquareOutIcon, InfoIcon } from '@phosphor-icons/react'
import { previewText } from '../../text/preview.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { NativeSelect } from '../../ui/controls/native-select.tsx'
import { useWide } from '../../ui/browser/use-media.ts'
import { PathBar } from './path-bar.tsx'
import { pageAddress } from './preview-address.ts'

const PREVIEW_WIDTHS = ['full', '1280', '768', '390'] as const
export type Width = (typeof PREVIEW_WIDTHS)[number]

export function PreviewBar(props: {
  address: string
  path: string
  width: Width
  onWidth: (width: Width) => void
  isStorageBlocked: boolean
  onGo: (path: string) => void
}) {
  // A phone has no room to show the app at the width of a larger device, so only a wide screen offers the choice.
  const wide = useWide()
  return (
    <div className="flex min-h-11 shrink-0 items-center gap-1.5 border-b border-kumo-line bg-kumo-base px-2">
      <IconButton
        label={previewText.reload}
        icon={<ArrowClockwiseIcon />}
        onClick={() => props.onGo(props.path)}
      />
      <PathBar address={props.address} path={props.path} onGo={props.onGo} />
      {wide && (
        <div className="w-24">
          <NativeSelect
            label={previewText.width}
            hideLabel
            value={props.width}
            options={PREVIEW_WIDTHS.map((value) => ({ value, label: previewText.widths[value] }))}
            onChange={props.onWidth}
          />
        </div>
      )}
      {props.isStorageBlocked && <StorageHint />}
      <a
        href={pageAddress(props.address, props.path)}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={previewText.openTab}
        title={previewText.openTab}
        className="grid size-7 shrink-0 place-items-center rounded-md text-kumo-default hover:bg-kumo-tint pointer-coarse:size-11"
      >
        <ArrowSquareOutIcon aria-hidden="true" />
      </a>
    </div>
  )
}

/** Shown when the browser blocks storage in frames, which prevents signing in to the app here. Apps without sign-in are not affected. */
function StorageHint() {
  return (
    <Tooltip
      content={previewText.storage}
      render={
        <Button
          size="sm"
          variant="ghost"
          shape="square"
          aria-label={previewText.storageLabel}
          aria-description={previewText.storage}
          icon={<InfoIcon />}
        />
      }
    />
  )
}
