import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { text } from '../text/en.ts'
import { PaneBoundary } from '../ui/page/pane-boundary.tsx'
import { appDialog } from './app-dialog.ts'

/** Loads the code of the palette. Also called in advance, so that the first Ctrl+K opens the palette without a wait. */
export const loadPalette = () => import('./palette/palette.tsx')
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })))
const ShortcutsDialog = lazy(() =>
  import('./keys/shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
)
const AskForHelp = lazy(() =>
  import('./help/ask-for-help.tsx').then((module) => ({ default: module.AskForHelp })),
)

/** Shows the dialog that `appDialog` names. An error inside a dialog does not affect the page. */
export function AppDialogs() {
  const shown = useSyncExternalStore(appDialog.subscribe, appDialog.get)
  // Showing a dialog replaces the open one, so only one dialog is open at a time.
  const [close] = useState(() => () => appDialog.show(null))
  const [showShortcuts] = useState(() => () => appDialog.show('shortcuts'))
  return (
    <PaneBoundary>
      {/* While the palette loads, an empty dialog takes its place, so that typed letters do not act as shortcuts. */}
      <Suspense
        fallback={<div role="dialog" aria-label={text.common.loading} aria-busy className="sr-only" />}
      >
        {shown === 'palette' && <Palette onClose={close} onShowShortcuts={showShortcuts} />}
        {shown === 'shortcuts' && <ShortcutsDialog onClose={close} />}
        {shown === 'help' && <AskForHelp onClose={close} />}
      </Suspense>
    </PaneBoundary>
  )
}
