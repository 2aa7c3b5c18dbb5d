import { useSidebar } from '@cloudflare/kumo/components/sidebar'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { href } from '../routes.ts'
import { text } from '../text/en.ts'
import { PaneBoundary } from '../ui/page/pane-boundary.tsx'
import { Bars } from './bars/bars.tsx'
import { BuildNews } from './build-news.tsx'
import { tellKeysAct } from './keys-act.ts'
import { layer } from './layer.ts'
import { PageProgress } from './page-progress.tsx'
import { useFallbackShortcut, useShortcut } from './keys/shortcuts.ts'
import { pageAbove } from './up.ts'

const loadPalette = () => import('./palette/palette.tsx')
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })))
const ShortcutsDialog = lazy(() =>
  import('./keys/shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
)

const PREFETCH_MS = 2000

/** What the frame needs only after its first view: progress and bars above the page, the keys, the palette. */
export function FrameLater() {
  useEffect(() => {
    // In hand before it is asked for; what fails here is told when it is.
    const timer = setTimeout(() => void loadPalette().catch(() => {}), PREFETCH_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <PageProgress />
      <Bars />
      <BuildNews />
      <Keys />
      <PaneBoundary>
        <Layers />
      </PaneBoundary>
    </>
  )
}

function Keys() {
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
  useEffect(tellKeysAct, [])
  return null
}

/** The search field of the page; where there is none, the palette searches everything. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (!field) return layer.show('palette')
  field.focus()
  field.select()
}

/** Sends the form somebody writes in. */
function sendForm({ target }: KeyboardEvent): void {
  if (target instanceof Element) target.closest('form')?.requestSubmit()
}

function Layers() {
  const shown = useSyncExternalStore(layer.subscribe, layer.get)
  // It stays away while the other opens: one dialog at a time.
  const [close] = useState(() => () => layer.show(null))
  const [showShortcuts] = useState(() => () => layer.show('shortcuts'))
  return (
    // What is typed until it is there is meant for it: a dialog keeps the keys of the page from acting.
    <Suspense fallback={<div role="dialog" aria-label={text.common.loading} aria-busy className="sr-only" />}>
      {shown === 'palette' && <Palette onClose={close} onShowShortcuts={showShortcuts} />}
      {shown === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </Suspense>
  )
}
