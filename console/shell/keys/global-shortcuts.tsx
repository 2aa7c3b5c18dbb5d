import { useSidebar } from '@cloudflare/kumo/components/sidebar'
import { useRouter } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { appDialog } from '../app-dialog.ts'
import { parentPage } from '../parent-page.ts'
import { useFallbackShortcut, useShortcut } from './shortcuts.ts'

/**
 * Binds the shortcuts that every page has. A page that handles the same keys takes precedence over the shortcuts for search, folding,
 * sending and Escape.
 */
export function GlobalShortcuts() {
  const router = useRouter()
  const { toggleSidebar } = useSidebar()
  const openPath = (path: string | null) => path !== null && router.history.push(path)
  useShortcut('palette', () => appDialog.show('palette'))
  useShortcut('shortcuts', () => appDialog.show('shortcuts'))
  useShortcut('goProjects', () => openPath(href.projects()))
  useShortcut('goActivity', () => openPath(href.activity()))
  useShortcut('goSettings', () => openPath(href.settings()))
  useFallbackShortcut('search', focusSearch)
  useFallbackShortcut('foldLeft', toggleSidebar)
  useFallbackShortcut('send', sendForm)
  useFallbackShortcut('up', () => openPath(parentPage(router.latestLocation.pathname)))
  return null
}

/** Focuses the search field of the page. Opens the command palette when the page has none. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (!field) return appDialog.show('palette')
  field.focus()
  field.select()
}

function sendForm({ target }: KeyboardEvent): void {
  if (target instanceof Element) target.closest('form')?.requestSubmit()
}
