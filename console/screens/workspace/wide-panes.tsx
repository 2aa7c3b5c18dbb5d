import { type ReactNode, useState } from 'react'
import { Group, Panel, Separator, useDefaultLayout, usePanelRef } from 'react-resizable-panels'
import { useShortcut } from '../../shell/keys/shortcuts.ts'
import { workText } from '../../text/workspace.en.ts'
import { PREVIEW_ID } from './use-work-keys.ts'
import { readChoice, storeChoice } from '../../lib/stored-choice.ts'

const PANE_WIDTH_MIN_PX = 260

const WIDTHS = { getItem: readChoice, setItem: storeChoice }

/** Three panes side by side. Their widths are stored in this browser, and the outer panes can be folded. */
export function WidePanes(props: { tickets: ReactNode; work: ReactNode; preview: ReactNode }) {
  const layout = useDefaultLayout({ id: 'slipway.workspace', storage: WIDTHS })
  const left = useFolding('foldLeft')
  const right = useFolding('foldRight')
  return (
    <Group {...layout} orientation="horizontal" className="min-h-0 flex-1">
      <Panel
        id="tickets"
        {...left.panel}
        defaultSize="24%"
        minSize={PANE_WIDTH_MIN_PX}
        collapsible
        collapsedSize={0}
        className="flex min-w-0 flex-col"
      >
        <PaneRegion isFolded={left.isFolded} label={workText.workspace.panes.tickets}>
          {props.tickets}
        </PaneRegion>
      </Panel>
      <ResizeHandle label={workText.workspace.resizeLeft} />
      <Panel id="work" defaultSize="36%" minSize={PANE_WIDTH_MIN_PX} className="flex min-w-0 flex-col">
        <PaneRegion label={workText.workspace.panes.work}>{props.work}</PaneRegion>
      </Panel>
      <ResizeHandle label={workText.workspace.resizeRight} />
      <Panel
        id="preview"
        {...right.panel}
        defaultSize="40%"
        minSize={PANE_WIDTH_MIN_PX}
        collapsible
        collapsedSize={0}
        className="flex min-w-0 flex-col"
      >
        <PaneRegion id={PREVIEW_ID} isFolded={right.isFolded} label={workText.workspace.panes.preview}>
          {props.preview}
        </PaneRegion>
      </Panel>
    </Group>
  )
}

/** Binds the shortcut that folds a pane. `isFolded` is also true when the pane was folded by its handle. */
function useFolding(key: 'foldLeft' | 'foldRight') {
  const panelRef = usePanelRef()
  const [isFolded, setFolded] = useState(false)
  useShortcut(key, () => {
    if (panelRef.current?.isCollapsed()) panelRef.current.expand()
    else panelRef.current?.collapse()
  })
  const onResize = ({ inPixels }: { inPixels: number }) => setFolded(inPixels === 0)
  return { panel: { panelRef, onResize }, isFolded }
}

function PaneRegion(props: { id?: string; label: string; isFolded?: boolean; children: ReactNode }) {
  const { id, label, isFolded = false, children } = props
  return (
    <section
      id={id}
      // A shortcut can focus this pane, but Tab skips it.
      tabIndex={id === undefined ? undefined : -1}
      aria-label={label}
      // A folded pane must not take the focus.
      inert={isFolded}
      className="flex h-full min-h-0 min-w-0 flex-col"
    >
      {children}
    </section>
  )
}

function ResizeHandle({ label }: { label: string }) {
  return (
    <Separator
      aria-label={label}
      className="relative w-px shrink-0 bg-kumo-line outline-none before:absolute before:inset-y-0 before:-inset-x-1.5 before:z-10 hover:bg-kumo-focus focus-visible:bg-kumo-focus focus-visible:ring-1 focus-visible:ring-kumo-focus"
    />
  )
}
