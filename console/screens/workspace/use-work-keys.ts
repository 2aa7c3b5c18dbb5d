import type { WorkTab } from '../../routes.ts'
import { useShortcut } from '../../shell/keys/shortcuts.ts'
import type { NavigateWorkspace } from '../../state/use-workspace-location.ts'

export const PREVIEW_ID = 'preview-pane'

export function useWorkKeys(go: NavigateWorkspace): void {
  const showTab = (tab: WorkTab) => go({ tab, pane: 'work' })
  useShortcut('showPlan', () => showTab('plan'))
  useShortcut('showBuild', () => showTab('build'))
  useShortcut('showTicket', () => showTab('ticket'))
  useShortcut('showPreview', () => {
    go({ pane: 'preview' })
    // On a wide screen the preview is already on screen, so the shortcut focuses it.
    document.getElementById(PREVIEW_ID)?.focus()
  })
}
