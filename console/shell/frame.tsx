import { Sidebar } from '@cloudflare/kumo/components/sidebar'
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { text } from '../text/en.ts'
import { InFrame } from './in-frame.ts'
import { MobileBar } from './mobile-bar.tsx'
import { Navigation } from './navigation.tsx'

const FrameLater = lazy(() => import('./frame-later.tsx').then((module) => ({ default: module.FrameLater })))

const OPEN_KEY = 'slipway.sidebar'

/** The signed-in page: navigation at the left (a sheet on narrow screens), the screen beside it. */
export function Frame() {
  const { pathname } = useLocation()
  const inWorkspace = /^\/projects\/[^/]+\/?$/.test(pathname)
  // A workspace needs the width: there the navigation starts folded, elsewhere open.
  const kind = inWorkspace ? 'workspace' : 'page'
  return <FrameOf key={kind} kind={kind} />
}

function FrameOf({ kind }: { kind: 'workspace' | 'page' }) {
  const [open, setOpen] = useState(() => readOpen(kind))
  const remember = (next: boolean) => {
    setOpen(next)
    storeOpen(kind, next)
  }
  return (
    <Sidebar.Provider
      defaultOpen={open}
      onOpenChange={remember}
      mobileBreakpoint={900}
      animationDuration={160}
      className="h-dvh min-h-0! overflow-hidden bg-kumo-canvas"
    >
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-kumo-base focus:px-3 focus:py-2"
      >
        {text.skip}
      </a>
      <Navigation />
      <div className="flex min-w-0 flex-1 flex-col">
        <Suspense fallback={null}>
          <FrameLater />
        </Suspense>
        {/* A workspace has its own bar, and its “More” opens the navigation. */}
        {kind === 'page' && <MobileBar />}
        <main
          id="content"
          className="min-h-0 min-w-0 flex-1 overflow-x-hidden overflow-y-auto"
          data-kind={kind}
        >
          <InFrame value={true}>
            <Outlet />
          </InFrame>
        </main>
      </div>
    </Sidebar.Provider>
  )
}

function readOpen(kind: string): boolean {
  try {
    return (localStorage.getItem(`${OPEN_KEY}.${kind}`) ?? (kind === 'page' ? '1' : '0')) === '1'
  } catch {
    return kind === 'page'
  }
}

function storeOpen(kind: string, open: boolean): void {
  try {
    localStorage.setItem(`${OPEN_KEY}.${kind}`, open ? '1' : '0')
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}
