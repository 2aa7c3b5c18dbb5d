import { useSidebar } from '@cloudflare/kumo/components/sidebar'
import { useRouter } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { layer } from '../layer.ts'
import { pageAbove } from '../up.ts'
import { useFallbackShortcut, useShortcut } from './shortcuts.ts'

export function FrameKeys() {
  const router = useRouter()
  const { toggleSidebar } = useSidebar()
  const go = (path: string | null) => path !== null && router.history.push(path)
  useShortcut('palette', () => layer.show('palette'))
  useShortcut('shortcuts', () => layer.show('shortcuts'))
  useShortcut('goProjects', () => go(href.projects()))
  useShortcut('goActivity', () => go(href.activity()))
  useShortcut('goSettings', () => go(href.settings()))
  useFallbackShortcut('search', focusSearch)
  useFallbackShortcut('foldLeft', toggleSidebar)
  useFallbackShortcut('send', sendForm)
  useFallbackShortcut('up', () => go(pageAbove(router.latestLocation.pathname)))
  return null
}

/** Focuses the search field of the page; without one it opens the palette. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (!field) return layer.show('palette')
  field.focus()
  field.select()
}

function sendForm({ target }: KeyboardEvent): void {
  if (target instanceof Element) target.closest('form')?.requestSubmit()
}
